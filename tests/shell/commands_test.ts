/** The shell tools over the real processes of this machine. */
import assert from "node:assert/strict";
import type { ToolPorts } from "../../src/contract/tool.ts";
import { BUILTIN_TOOLS, createJobs } from "../../src/tools/mod.ts";
import { createLocalProcesses } from "../../src/workspace/mod.ts";
import { createTempWorkspace } from "../support/temp_workspace.ts";

const linux = { ignore: Deno.build.os !== "linux" };

async function withShell(
  test: (shell: {
    readonly root: string;
    call(tool: string, args: Record<string, unknown>, signal?: AbortSignal): ReturnType<
      ReturnType<typeof BUILTIN_TOOLS[number]["create"]>["execute"]
    >;
    readonly jobs: ReturnType<typeof createJobs>;
    readonly progress: string[];
  }) => Promise<void>,
): Promise<void> {
  await using workspace = await createTempWorkspace();
  const { root, files } = workspace;
  const jobs = createJobs({ stalledWarningSeconds: 0 });
  const ports = {
    workspace: { root, files, processes: createLocalProcesses({ root }) },
    settings: { bashTimeoutSeconds: 120, shellEnv: {}, searchEngine: "auto", stalledWarningSeconds: 0 },
    jobs,
  } as unknown as ToolPorts;
  const progress: string[] = [];
  try {
    await test({
      root,
      jobs,
      progress,
      call(tool, args, signal = new AbortController().signal) {
        const kind = BUILTIN_TOOLS.find(({ name }) => name === tool)!;
        const context = { callId: "c", signal, progress: (text: string) => void progress.push(text) };
        return kind.create(ports, undefined as never).execute(args, context);
      },
    });
  } finally {
    await jobs.closeAll();
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

async function numberIn(path: string): Promise<number> {
  for (let tries = 0; tries < 2000; tries++) {
    const text = await Deno.readTextFile(path).catch(() => "");
    if (/^\d+\n/.test(text)) return Number(text);
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.fail(`${path} holds no number`);
}

Deno.test(
  "a process left behind is listed, readable and gone with the session",
  linux,
  () =>
    withShell(async ({ root, call, jobs }) => {
      const command = "(echo $BASHPID >pid; until [ -e go ]; do sleep 0.02; done; echo late; sleep 300) & echo now";
      const { text, execution } = await call("bash", { command });
      assert.match(text, /^now\n\[what the command left running is background job "bash-1"/);
      assert.equal(execution!.exit_code, 0);
      const pid = await numberIn(`${root}/pid`);
      await Deno.writeTextFile(`${root}/go`, "");
      const { text: waited } = await call("wait", { until_output_matches: "late" });
      assert.match(waited, /^\[bash-1 .*\] running\nlate$/);
      await jobs.closeAll();
      assert.equal(isAlive(pid), false);
      assert.equal(jobs.find("bash-1")!.status, "killed");
    }),
);

Deno.test("a leftover that ends by itself ends its job", linux, () =>
  withShell(async ({ root, call }) => {
    await call("bash", { command: "until [ -e go ]; do sleep 0.02; done >/dev/null 2>&1 &" });
    await Deno.writeTextFile(`${root}/go`, "");
    assert.match((await call("wait", {})).text, /^\[bash-1 .*\] done\n/);
  }));

Deno.test(
  "the limit ends the whole tree and the output so far is told",
  linux,
  () =>
    withShell(async ({ root, call }) => {
      const command = "echo begun; sh -c 'sleep 300 & echo $! >kid; (sleep 300 & echo $! >grandkid; wait); wait'";
      const { text, failed } = await call("bash", { command, timeout_seconds: 1 });
      assert.match(text, /^error: command timed out \(> 1 s\).*\nbegun\n$/);
      assert.equal(failed, true);
      const pids = await Promise.all(["kid", "grandkid"].map((name) => numberIn(`${root}/${name}`)));
      assert.deepEqual(pids.filter(isAlive), []);
    }),
);

Deno.test(
  "a stop gives control back from a command that ignores every polite signal",
  linux,
  () =>
    withShell(async ({ root, call }) => {
      const stop = new AbortController();
      const command = "trap '' TERM INT HUP; echo $$ >pid; while :; do sleep 1; done";
      const running = call("bash", { command }, stop.signal);
      const pid = await numberIn(`${root}/pid`);
      stop.abort();
      assert.equal((await running).execution!.state, "cancelled");
      assert.equal(isAlive(pid), false);
      assert.equal((await call("bash", { command: "echo next" })).text, "next\n");
    }),
);

Deno.test(
  "an error at the end of a long output is seen, with its exit code",
  linux,
  () =>
    withShell(async ({ call }) => {
      const { text } = await call("bash", { command: "seq 1 200000; echo 'E: link failed' >&2; exit 7" });
      assert.ok(text.startsWith("error: exit status 7\n1\n2\n"));
      assert.ok(text.endsWith("199999\n200000\nE: link failed\n"));
    }),
);

Deno.test(
  "bytes of one character in two writes come out whole, to the model and to people",
  linux,
  () =>
    withShell(async ({ call, progress }) => {
      const command = "printf '\\xe4\\xb8'; sleep 0.1; printf '\\xad\\n'";
      assert.equal((await call("bash", { command })).text, "中\n");
      assert.deepEqual(progress, ["中\n"]);
    }),
);

Deno.test("escape sequences reach nobody", linux, () =>
  withShell(async ({ call, progress }) => {
    const command = "printf 'A\\033[2J\\033]0;t\\007\\033]52;c;aGk=\\007\\033[31mB\\033[0m\\r50%%\\r100%%\\n'";
    assert.equal((await call("bash", { command })).text, "AB\n100%\n");
    assert.deepEqual(progress, ["AB\n100%\n"]);
  }));

Deno.test("a flood costs bounded memory and ends with the limit", linux, () =>
  withShell(async ({ call }) => {
    const { text, execution } = await call("bash", { command: "yes", timeout_seconds: 1 });
    assert.equal(execution!.state, "timed_out");
    assert.match(text, /characters left out here; the command wrote \d{8,} bytes/);
    assert.ok(text.length < 3_000_000);
  }));

Deno.test("a failed first stage is not plain success", linux, () =>
  withShell(async ({ call }) => {
    const { text, execution } = await call("bash", { command: "false | tail -1" });
    assert.equal(text, "[exit codes of the pipeline's stages: 1 0]");
    assert.deepEqual(execution!.pipe_status, [1, 0]);
    assert.equal((await call("bash", { command: "yes | head -1" })).text, "y\n");
  }));

Deno.test("a command that hits itself with its own signal is told as such", linux, () =>
  withShell(async ({ call }) => {
    const { text } = await call("bash", { command: `pkill -f 'sleep ${crypto.randomUUID()}'; echo after` });
    assert.match(text, /^error: ended by signal SIGTERM/);
    assert.match((await call("bash", { command: "kill 0" })).text, /^error: ended by signal SIGTERM/);
    assert.match((await call("bash", { command: "kill -9 $$" })).text, /^error: ended by signal SIGKILL/);
  }));
