/** A bubblewrap that exists but may not do its work is found out before any command. */
import assert from "node:assert/strict";
import { sandboxProcesses } from "../../src/safety/mod.ts";
import { probeSandbox } from "../../src/safety/sandbox/probe.ts";
import { createLocalProcesses } from "../../src/workspace/mod.ts";
import { confinedTest, withBed } from "./bed.ts";

const linux = { ignore: Deno.build.os !== "linux" };

const STAND_INS = {
  "loopback: Failed RTM_NEWADDR": 'echo "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted" >&2; exit 1',
  "uid map: Permission denied": 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
  "did not answer": "exec sleep 60",
};

for (const [reason, body] of Object.entries(STAND_INS)) {
  Deno.test(`a bubblewrap that cannot start refuses commands: ${reason}`, linux, async () => {
    const folder = await Deno.realPath(await Deno.makeTempDir());
    try {
      await Deno.writeTextFile(`${folder}/bwrap`, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      const root = "/usr";
      const local = createLocalProcesses({ root, inherited: { PATH: `${folder}:/usr/bin:/bin` } });
      const state = await probeSandbox({ processes: local, os: "linux" });
      assert.equal(state.kind, "cannot_start");
      const settings = {
        bash: "enforce",
        writeRoots: [root],
        readOnlyPaths: [],
        forbidRead: [],
        secretPaths: [],
        network: true,
        allowedDomains: [],
        deniedDomains: [],
        hostAuthorities: [],
        userHome: folder,
      } as const;
      const confined = sandboxProcesses(local, { settings, root, state: Promise.resolve(state) });
      await assert.rejects(confined.start({ command: { shell: "true" } }), (error: Error) => {
        assert.ok(error.name === "Refusal" && error.message.includes(reason), error.message);
        return true;
      });
      await confined.close();
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

confinedTest("a command that fails by itself is an ordinary failure", () =>
  withBed({}, async ({ run }) => {
    const ran = await run("echo 'bwrap: Operation not permitted' >&2; exit 1");
    assert.deepEqual(ran, { code: 1, output: "bwrap: Operation not permitted\n" });
  }));
