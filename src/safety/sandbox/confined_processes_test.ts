import assert from "node:assert/strict";
import type { CommandSpec, Processes } from "../../contract/workspace.ts";
import type { SandboxState } from "./probe.ts";
import { confineProcesses } from "./confined_processes.ts";
import type { SandboxSettings } from "./walls.ts";

function fake() {
  const specs: CommandSpec[] = [];
  const processes: Processes = {
    shell: { name: "bash", path: "/bin/bash" },
    which: () => Promise.resolve(undefined),
    open: () => Promise.reject(new Error("nothing is opened here")),
    close: () => Promise.resolve(),
    expect: () => {},
    start(spec) {
      specs.push(spec);
      return Promise.resolve({
        pid: 1,
        ended: Promise.resolve({ code: 0, survivors: [] }),
        gone: () => Promise.resolve(),
        kill: () => Promise.resolve(),
      });
    },
  };
  return { processes, specs };
}

const SETTINGS: SandboxSettings = {
  bash: "enforce",
  writeRoots: [],
  readOnlyPaths: [],
  forbidRead: [],
  secretPaths: [],
  network: true,
  allowedDomains: [],
  deniedDomains: [],
  hostAuthorities: [],
  userHome: "/nonexistent",
};

function confined(options: { settings?: Partial<SandboxSettings>; state?: SandboxState; os?: typeof Deno.build.os }) {
  const inner = fake();
  const processes = confineProcesses(inner.processes, {
    settings: { ...SETTINGS, ...options.settings },
    root: "/",
    env: {},
    os: options.os ?? "linux",
    ...(options.state && { state: Promise.resolve(options.state) }),
  });
  return { ...inner, processes, start: () => processes.start({ command: { shell: "x" } }) };
}

Deno.test("without a backend nothing is started, and the refusal says what to do", async () => {
  // proves SBX-13
  const { start, specs } = confined({});
  await assert.rejects(start(), {
    name: "Refusal",
    code: "sandbox.unavailable",
    message: /bwrap\) is not installed/,
    remedy: /bash = "off"/,
  });
  const blocked = confined({
    state: { kind: "cannot_start", backend: "bubblewrap", reason: "no uid map", remedy: "Allow it." },
  });
  await assert.rejects(blocked.start(), { code: "sandbox.unavailable", message: /no uid map/, remedy: "Allow it." });
  assert.deepEqual([specs, blocked.specs], [[], []]);
});

Deno.test("switched off, and on Windows always, commands run as they are", async () => {
  // proves SBX-11, SBX-14
  const off = confined({ settings: { bash: "off" } });
  await off.start();
  assert.deepEqual([await off.processes.state(), off.specs[0]!.within], [{ kind: "off" }, undefined]);
  const windows = confined({ os: "windows" });
  await windows.start();
  assert.deepEqual([await windows.processes.state(), windows.specs[0]!.within], [{ kind: "unsupported" }, undefined]);
});

Deno.test("the command's own variables win over those of the walls", async () => {
  const state: SandboxState = { kind: "works", backend: "bubblewrap", program: "/usr/bin/bwrap", forbidsNesting: true };
  const { processes, specs } = confined({ state });
  await processes.start({ command: { shell: "x" }, env: { TMPDIR: "/own" } });
  const { env, within } = specs[0]!;
  assert.deepEqual([env!.TMPDIR, env!.TMP, within!.ownsTree, within!.argv[0]], [
    "/own",
    "/tmp",
    true,
    "/usr/bin/bwrap",
  ]);
});

Deno.test("on macOS the profile stands before the command and the tree is the command's own", async () => {
  const state: SandboxState = { kind: "works", backend: "seatbelt", program: "/usr/bin/sandbox-exec" };
  const { start, specs } = confined({ state, os: "darwin" });
  await start();
  const { argv, ownsTree } = specs[0]!.within!;
  assert.deepEqual([argv.slice(0, 2), ownsTree], [["/usr/bin/sandbox-exec", "-p"], false]);
});
