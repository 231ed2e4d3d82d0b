import assert from "node:assert/strict";
import type { ExitStatus, Processes } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { probeSandbox } from "./probe.ts";

type Answer = (argv: readonly string[]) => { readonly output: string; readonly status: ExitStatus } | undefined;

function fake(answer: Answer, found = true) {
  const started: string[] = [];
  const processes: Processes = {
    shell: { name: "bash", path: "/bin/bash" },
    which: (program) => Promise.resolve(found ? `/usr/bin/${program}` : undefined),
    open: () => Promise.reject(new Error("nothing is opened here")),
    close: () => Promise.resolve(),
    expect: () => {},
    start(spec) {
      const argv = "argv" in spec.command ? spec.command.argv : [];
      started.push(argv.join(" "));
      const said = answer(argv);
      const killed = Promise.withResolvers<ExitStatus>();
      if (said) spec.onOutput?.(toBytes(said.output));
      return Promise.resolve({
        pid: 1,
        ended: (said ? Promise.resolve(said.status) : killed.promise).then((end) => ({ ...end, survivors: [] })),
        gone: () => Promise.resolve(),
        kill: () => Promise.resolve(killed.resolve({ signal: "SIGKILL" })),
      });
    },
  };
  return { processes, started };
}

const UBUNTU = 'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n';
const fails = (output: string): Answer => () => ({ output, status: { code: 1 } });

Deno.test("a sandbox that confines is found, with what it can do", async () => {
  const full = fake(() => ({ output: "", status: { code: 0 } }));
  assert.deepEqual(await probeSandbox({ processes: full.processes, os: "linux", osRelease: "" }), {
    kind: "works",
    backend: "bubblewrap",
    program: "/usr/bin/bwrap",
    forbidsNesting: true,
  });
  assert.equal(full.started.length, 1);
  const old = fake((argv) => ({
    output: "unknown option",
    status: { code: argv.includes("--disable-userns") ? 1 : 0 },
  }));
  const state = await probeSandbox({ processes: old.processes, os: "linux", osRelease: "" });
  assert.deepEqual([state.kind, (state as { forbidsNesting: boolean }).forbidsNesting], ["works", false]);
});

Deno.test("a program that may not do its work is not a missing one, and the help fits the system", async () => {
  const outputs = [
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n",
    "bwrap: setting up uid map: Permission denied\n",
  ];
  for (const output of outputs) {
    const { processes } = fake(fails(output));
    const state = await probeSandbox({ processes, os: "linux", osRelease: UBUNTU });
    assert.equal(state.kind, "cannot_start");
    if (state.kind !== "cannot_start") continue;
    assert.equal(state.reason, output.trim());
    assert.match(state.remedy, /AppArmor.*bash = "off"/);
  }
  const { processes } = fake(fails("x"));
  const state = await probeSandbox({ processes, os: "linux", osRelease: "ID=debian\n" });
  assert.match((state as { remedy: string }).remedy, /unprivileged_userns_clone/);
});

Deno.test("the network the commands get is part of what is proved", async () => {
  const { processes, started } = fake(() => ({ output: "", status: { code: 0 } }));
  await probeSandbox({ processes, os: "linux", osRelease: "", ownNetwork: true });
  assert.match(started[0]!, / --unshare-net /);
});

Deno.test("a missing program comes with the line that installs it", async () => {
  const { processes, started } = fake(fails(""), false);
  const lines = { [UBUNTU]: /apt install/, "ID=fedora\n": /dnf install/, "ID=arch\n": /pacman/, "": /bubblewrap/ };
  for (const [osRelease, line] of Object.entries(lines)) {
    const state = await probeSandbox({ processes, os: "linux", osRelease });
    assert.equal(state.kind, "missing");
    assert.match((state as { remedy: string }).remedy, line);
  }
  assert.equal((await probeSandbox({ processes, os: "darwin" })).kind, "missing");
  assert.deepEqual(await probeSandbox({ processes, os: "windows" }), { kind: "unsupported" });
  assert.deepEqual(started, []);
});
