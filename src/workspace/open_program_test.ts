import assert from "node:assert/strict";
import { FileError } from "../contract/workspace.ts";
import { createLocalProcesses } from "./processes.ts";

const unix = Deno.build.os !== "windows";

async function inFolder(work: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  try {
    await work(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const open = (root: string, argv: readonly string[], more = {}) =>
  createLocalProcesses({
    root,
    inherited: { PATH: Deno.env.get("PATH")!, KEEP: "kept", API_KEY: "sk-0123456789abcdef" },
    secretNames: ["API_KEY"],
  }).open({ argv, ...more });

Deno.test({
  name: "a program is talked to over its streams, in its folder, without saved keys",
  ignore: !unix,
  fn: () =>
    inFolder(async (root) => {
      await Deno.mkdir(`${root}/sub`);
      const script = 'read line; echo "$line $KEEP $OWN ${API_KEY:-none} $(basename "$PWD")"; echo problem >&2; exit 3';
      const program = await open(root, ["sh", "-c", script], { cwd: "sub", env: { OWN: "own" } });
      const writer = program.stdin.getWriter();
      await writer.write(new TextEncoder().encode("hello\n"));
      writer.releaseLock();
      const [out, err, end] = await Promise.all([
        new Response(program.stdout).text(),
        new Response(program.stderr).text(),
        program.ended,
      ]);
      assert.deepEqual([out, err, end], ["hello kept own none sub\n", "problem\n", { code: 3 }]);
      await program.close();
    }),
});

Deno.test({
  name: "closing ends what ignores the end of its input and SIGTERM, and what left its group",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder(async (root) => {
      const script = 'trap "" TERM; setsid sleep 300 & echo $!; echo $$; while :; do sleep 1; done';
      const program = await open(root, ["sh", "-c", script]);
      const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let said = "";
      while (said.split("\n").length < 3) said += (await reader.read()).value;
      const pids = said.trim().split("\n").map(Number);
      await Promise.all([program.close(), program.close()]);
      await Promise.all([reader.cancel(), program.stderr.cancel()]);
      const alive = pids.filter((pid) => {
        try {
          return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
        } catch {
          return false;
        }
      });
      assert.deepEqual(alive, []);
      assert.deepEqual(await program.ended, { signal: "SIGKILL" });
    }),
});

Deno.test({
  name: "a program that is not there, or only in the workspace, is not found; a path of one's own is taken",
  ignore: !unix,
  fn: () =>
    inFolder(async (root) => {
      const path = `${root}/planted`;
      await Deno.writeTextFile(path, "#!/bin/sh\necho ran\n", { mode: 0o755 });
      const local = createLocalProcesses({ root, inherited: { PATH: `${root}:/usr/bin:/bin` } });
      for (const name of ["planted", "no-such-program", "./missing"]) {
        await assert.rejects(local.open({ argv: [name] }), (error) =>
          error instanceof FileError && error.failure === "not_found");
      }
      const program = await local.open({ argv: ["./planted"] });
      assert.equal(await new Response(program.stdout).text(), "ran\n");
      await program.stderr.cancel();
      await program.close();
    }),
});
