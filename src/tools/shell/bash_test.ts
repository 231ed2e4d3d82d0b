import assert from "node:assert/strict";
import type { ToolPorts } from "../../contract/tool.ts";
import type { CommandSpec, ExitStatus, Processes } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { bashTool } from "./bash.ts";
import { bashOutputTool } from "./bash_output.ts";
import { createJobs } from "./job_table.ts";
import { killShellTool } from "./kill_shell.ts";
import { waitTool } from "./wait.ts";

interface Script {
  readonly output?: string;
  /** Undefined: runs until killed. */
  readonly status?: ExitStatus;
  readonly survivors?: readonly number[];
}

/** Processes that play a script instead of starting anything. */
function scripted({ output = "", status, survivors = [] }: Script) {
  const specs: CommandSpec[] = [];
  const started = Promise.withResolvers<void>();
  let kills = 0;
  const processes: Processes = {
    shell: { name: "bash", path: "/bin/bash" },
    which: () => Promise.resolve(undefined),
    open: () => Promise.reject(new Error("nothing is opened here")),
    close: () => Promise.resolve(),
    expect: () => {},
    start(spec) {
      specs.push(spec);
      spec.onOutput?.(toBytes(output));
      started.resolve();
      const ended = Promise.withResolvers<ExitStatus & { survivors: readonly number[] }>();
      const gone = Promise.withResolvers<void>();
      if (status) ended.resolve({ ...status, survivors });
      if (status && survivors.length === 0) gone.resolve();
      return Promise.resolve({
        pid: 1,
        ended: ended.promise,
        gone: () => gone.promise,
        kill() {
          kills++;
          ended.resolve({ signal: "SIGKILL", survivors: [] });
          gone.resolve();
          return Promise.resolve();
        },
      });
    },
  };
  const jobs = createJobs({ stalledWarningSeconds: 0 });
  const settings = { bashTimeoutSeconds: 120, shellEnv: { OWN: "1" }, searchEngine: "auto", stalledWarningSeconds: 0 };
  const ports = { workspace: { root: "/ws", processes }, settings, jobs } as unknown as ToolPorts;
  return { ports, jobs, specs, started: started.promise, kills: () => kills };
}

type Kind = typeof bashTool;

function call(kind: Kind, ports: ToolPorts, args: Record<string, unknown>, signal = new AbortController().signal) {
  const progress: string[] = [];
  const context = { callId: "c", signal, progress: (text: string) => void progress.push(text) };
  return kind.create(ports, undefined as never).execute(args, context);
}

async function bash(script: Script, args: Record<string, unknown> = {}) {
  const { ports } = scripted(script);
  const { text, failed, execution } = await call(bashTool, ports, { command: "x", ...args });
  const { duration_ms: _, ...rest } = execution!;
  return { text, failed, execution: rest };
}

Deno.test("success is just the output", async () => {
  assert.deepEqual(await bash({ output: "hi\n", status: { code: 0 } }, { verifies: "it" }), {
    text: "hi\n",
    failed: undefined,
    execution: { state: "completed", exit_code: 0, verifies: "it" },
  });
  assert.equal((await bash({ status: { code: 0 } })).text, "");
});

Deno.test("a failure begins with its status and keeps its output", async () => {
  assert.deepEqual(await bash({ output: "no\n", status: { code: 3 } }), {
    text: "error: exit status 3\nno\n",
    failed: true,
    execution: { state: "failed", exit_code: 3 },
  });
  assert.deepEqual(await bash({ status: { signal: "SIGTERM" } }), {
    text: "error: ended by signal SIGTERM",
    failed: true,
    execution: { state: "failed", signal: "SIGTERM" },
  });
});

Deno.test("a stage that failed inside a pipeline is told", async () => {
  assert.deepEqual(await bash({ output: "tail", status: { code: 0, pipeStatus: [1, 0] } }), {
    text: "tail\n[exit codes of the pipeline's stages: 1 0]",
    failed: undefined,
    execution: { state: "completed", exit_code: 0, pipe_status: [1, 0] },
  });
});

Deno.test("what a wall knows of a refusal stands under the output", async () => {
  const wallHints = [{ code: "sandbox.git_metadata_protected", text: "hooks are read-only" }] as const;
  const { text } = await bash({ output: "x\n", status: { code: 0, wallHints } });
  assert.equal(text, "x\n[sandbox.git_metadata_protected: hooks are read-only]");
});

Deno.test("a wall that lets nothing start is a refusal, not output", async () => {
  const { ports } = scripted({ status: { code: 1, wallFailure: "no user namespaces" } });
  await assert.rejects(call(bashTool, ports, { command: "x" }), {
    name: "Refusal",
    code: "sandbox.unavailable",
    message: /no user namespaces/,
  });
});

Deno.test("the limit stops the command and keeps what it wrote", async () => {
  // proves CFG-29
  const made = scripted({ output: "so far\n" });
  const ports = { ...made.ports, settings: { ...made.ports.settings, bashTimeoutSeconds: 0.01 } };
  const { text, failed, execution } = await call(bashTool, ports, { command: "x", timeout_seconds: 50 });
  assert.match(text, /^error: command timed out \(> 0\.01 s\);.*run_in_background.*\nso far\n$/);
  assert.deepEqual([failed, execution!.state, made.kills()], [true, "timed_out", 1]);
});

Deno.test("without a limit of its own a call may still have one, and 0 is none", async () => {
  const settings = { bashTimeoutSeconds: 0 };
  const stopped = scripted({});
  const ports = { ...stopped.ports, settings: { ...stopped.ports.settings, ...settings } };
  const { execution } = await call(bashTool, ports, { command: "x", timeout_seconds: 0.01 });
  assert.equal(execution!.state, "timed_out");
  const ended = scripted({ status: { code: 0 } });
  const free = { ...ended.ports, settings: { ...ended.ports.settings, ...settings } };
  assert.equal((await call(bashTool, free, { command: "x" })).execution!.state, "completed");
});

Deno.test("a stopped turn stops the command and keeps what it wrote", async () => {
  const made = scripted({ output: "so far\n" });
  const stop = new AbortController();
  const running = call(bashTool, made.ports, { command: "x" }, stop.signal);
  await made.started;
  stop.abort();
  const { text, failed, execution } = await running;
  assert.match(text, /^error: stopped by the person;.*\nso far\n$/);
  assert.deepEqual([failed, execution!.state, made.kills()], [true, "cancelled", 1]);
});

Deno.test("nothing is started for an empty command, a false verification or a turn stopped already", async () => {
  const { ports, specs } = scripted({ status: { code: 0 } });
  await assert.rejects(call(bashTool, ports, { command: " \n" }), { message: "command is required" });
  await assert.rejects(call(bashTool, ports, { command: "a\0b" }), { name: "ToolError" });
  await assert.rejects(call(bashTool, ports, { command: "npm test | tail", verifies: "tests" }), { name: "ToolError" });
  await assert.rejects(call(bashTool, ports, { command: "x" }, AbortSignal.abort()), { name: "AbortError" });
  assert.deepEqual(specs, []);
});

Deno.test("the user's variables reach foreground and background", async () => {
  // proves CFG-35
  const { ports, specs, jobs } = scripted({ status: { code: 0 } });
  await call(bashTool, ports, { command: "a" });
  await call(bashTool, ports, { command: "b", run_in_background: true });
  assert.deepEqual(specs.map(({ command, env }) => ({ command, env })), [
    { command: { shell: "a" }, env: { OWN: "1" } },
    { command: { shell: "b" }, env: { OWN: "1" } },
  ]);
  await jobs.closeAll();
});

Deno.test("a background command becomes a job that is read, waited for and stopped", async () => {
  const { ports, jobs, kills } = scripted({ output: "listening\nwaiting\n" });
  const { text } = await call(bashTool, ports, { command: "  serve\n --port 1", run_in_background: true });
  assert.match(text, /"bash-1".*bash_output.*wait.*kill_shell/);
  const read = async (args: object) => (await call(bashOutputTool, ports, { job_id: "bash-1", ...args })).text;
  const matched = await call(waitTool, ports, { until_output_matches: "^listen" });
  assert.equal(matched.text, "[bash-1 (serve --port 1)] running\nlistening\nwaiting");
  assert.equal(await read({}), "[bash-1] running\n(no new output)");
  const late = await call(waitTool, ports, { job_ids: ["bash-1"], timeout_seconds: 0.001 });
  assert.match(late.text, /running\n\(no new output\)\n\nStill running after/);
  const killed = await call(killShellTool, ports, { job_id: "bash-1" });
  assert.deepEqual([killed.text, kills()], ['Killed background job "bash-1".', 1]);
  assert.match(await read({}), /^\[bash-1\] killed\n/);
  assert.equal(
    (await call(killShellTool, ports, { job_id: "bash-1" })).text,
    'Background job "bash-1" was not running (already finished or unknown).',
  );
  assert.equal((await call(waitTool, ports, {})).text, "No background jobs to wait for.");
  await assert.rejects(call(bashOutputTool, ports, { job_id: "x" }), { message: 'no background job "x"' });
  await assert.rejects(call(waitTool, ports, { job_ids: ["x"] }), { message: 'no background job "x"' });
  await jobs.closeAll();
});

Deno.test("a reading keeps the lines a pattern matches, and a bad pattern is told", async () => {
  const { ports, jobs } = scripted({ output: "a1\nb2\na3\n", status: { code: 0 } });
  await call(bashTool, ports, { command: "x", run_in_background: true });
  await assert.rejects(call(bashOutputTool, ports, { job_id: "bash-1", filter: "(" }), /syntax error in pattern/);
  const { text } = await call(bashOutputTool, ports, { job_id: "bash-1", filter: "^a" });
  assert.match(text, /^\[bash-1\] (running|done)\na1\na3$/);
  await jobs.closeAll();
});

Deno.test("a background command that fails says how at the end of its output", async () => {
  const { ports, jobs } = scripted({ output: "x\n", status: { code: 2 } });
  await call(bashTool, ports, { command: "x", run_in_background: true });
  const { text } = await call(waitTool, ports, { job_ids: ["bash-1"] });
  assert.equal(text, "[bash-1 (x)] failed\nx\nerror: exit status 2");
  await jobs.closeAll();
});

Deno.test("what outlives its shell becomes a job", async () => {
  const { ports, jobs } = scripted({ output: "now\n", status: { code: 0 }, survivors: [5] });
  const { text } = await call(bashTool, ports, { command: "sleep 30 & echo now" });
  assert.equal(
    text,
    'now\n[what the command left running is background job "bash-1". Stop it with kill_shell if it was not meant to stay.]',
  );
  const meant = await call(bashTool, ports, { command: "sleep 30 &", preserve_background_processes: true });
  assert.equal(meant.text, 'now\n[what the command left running is background job "bash-2".]');
  assert.deepEqual(jobs.list().map(({ id, label, status }) => [id, label, status]), [
    ["bash-1", "sleep 30 & echo now", "running"],
    ["bash-2", "sleep 30 &", "running"],
  ]);
  await jobs.closeAll();
});

Deno.test("the four descriptions stay short", () => {
  const { ports } = scripted({});
  const tokens = [bashTool, bashOutputTool, killShellTool, waitTool].map((kind) => {
    const { name, description, schema } = kind.create(ports, undefined as never);
    return Math.ceil(JSON.stringify({ name, description, parameters: schema }).length / 4);
  });
  assert.ok(tokens[0]! <= 260 && tokens.slice(1).every((count) => count <= 90), String(tokens));
});
