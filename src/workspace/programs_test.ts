import assert from "node:assert/strict";
import { createPrograms, type ProgramsOptions } from "./programs.ts";
import type { ProgramSpec } from "../contract/program.ts";

async function withPrograms(
  test: (
    run: (spec: Partial<ProgramSpec>, signal?: AbortSignal) => ReturnType<typeof runIn>,
    dir: string,
  ) => Promise<void>,
  options: Partial<ProgramsOptions> = {},
) {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  const programs = createPrograms({ root: dir, ...options });
  try {
    await test((spec, signal) => runIn(programs, dir, spec, signal), dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function runIn(
  programs: ReturnType<typeof createPrograms>,
  cwd: string,
  spec: Partial<ProgramSpec>,
  signal?: AbortSignal,
) {
  return programs.run({
    command: { shell: "true", by: "auto" },
    cwd,
    env: {},
    stdin: "",
    limitMs: 20_000,
    maxBytes: 1000,
    ...spec,
  }, signal);
}

Deno.test("a program gets its input and both its streams come back apart", () =>
  withPrograms(async (run) => {
    assert.deepEqual(await run({ command: { shell: "cat; echo no >&2; exit 3", by: "auto" }, stdin: "in" }), {
      how: "exited",
      code: 3,
      stdout: "in",
      stderr: "no\n",
    });
  }));

Deno.test("a program that reads nothing of a large input ends as it likes", () =>
  withPrograms(async (run) => {
    const end = await run({ stdin: "x".repeat(1 << 20) });
    assert.deepEqual(end, { how: "exited", code: 0, stdout: "", stderr: "" });
  }));

Deno.test("of a flood the start is kept and the program is not held up", () =>
  withPrograms(async (run) => {
    const end = await run({ command: { shell: "head -c 3000000 /dev/zero | tr '\\0' x", by: "bash" }, maxBytes: 10 });
    assert.deepEqual(end, { how: "exited", code: 0, stdout: "xxxxxxxxxx", stderr: "" });
  }));

Deno.test("at its limit a program ends with everything it started, also what left its group", () =>
  withPrograms(async (run, dir) => {
    const shell = `setsid sh -c 'sleep 3; touch ${dir}/marker' & echo begun; sleep 60`;
    assert.deepEqual(await run({ command: { shell, by: "auto" }, limitMs: 1_500 }), {
      how: "timeout",
      stdout: "begun\n",
      stderr: "",
    });
    const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args="] }).output();
    assert.ok(!new TextDecoder().decode(stdout).includes(`${dir}/marker`));
  }));

Deno.test("a stop ends the program and rejects with the reason of the stop", () =>
  withPrograms(async (run) => {
    const stop = new AbortController();
    const running = run({ command: { shell: "sleep 60", by: "auto" } }, stop.signal);
    stop.abort(new DOMException("stopped", "AbortError"));
    await assert.rejects(running, { name: "AbortError" });
  }));

Deno.test("what cannot be started says why", () =>
  withPrograms(async (run, dir) => {
    assert.deepEqual(await run({ command: { argv: ["no-such-program"] } }), {
      how: "not_started",
      reason: "no-such-program was not found outside the workspace",
    });
    assert.equal((await run({ cwd: `${dir}/missing` })).how, "not_started");
  }));

Deno.test("a program given by a bare name is not taken from the workspace, one given by its path is", () =>
  withPrograms(async (run, dir) => {
    await Deno.writeTextFile(`${dir}/tool`, "#!/bin/sh\necho mine $1\n", { mode: 0o755 });
    assert.equal((await run({ command: { argv: ["tool"] } })).how, "not_started");
    assert.deepEqual(await run({ command: { argv: ["./tool", "a b"] } }), {
      how: "exited",
      code: 0,
      stdout: "mine a b\n",
      stderr: "",
    });
  }, { inherited: { PATH: "/usr/bin:/bin" } }));

Deno.test("no program sees a provider key", () =>
  withPrograms(async (run) => {
    const end = await run({ command: { shell: 'echo "${MY_KEY-none} $OTHER"', by: "auto" } });
    assert.equal(end.how === "exited" && end.stdout, "none seen\n");
  }, { secretNames: ["MY_KEY"], inherited: { PATH: "/usr/bin:/bin", MY_KEY: "sk-1", OTHER: "seen" } }));
