import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../contract/decision.ts";
import type { ProgramEnd, ProgramSpec } from "../../contract/program.ts";
import type { HookSource } from "./hook.ts";
import { parseHooks } from "./parse.ts";
import { createSessionHooks } from "./session_hooks.ts";

const PROJECT: HookSource = { scope: "project", file: "/ws/.reasonix/settings.json" };
const USER: HookSource = { scope: "user", file: "/home/settings.json" };
const PLUGIN: HookSource = {
  scope: "plugin",
  file: "/p/hooks.json",
  plugin: { name: "p", root: "/p", version: "2" },
};

type Run = { readonly command: string; readonly stdin: Record<string, unknown>; readonly spec: ProgramSpec };
type Answer = Partial<{ code: number; stdout: string; stderr: string }> | ProgramEnd;

/** `answers`: by command text; anything else ends with 0 and no words. */
function setUp(
  files: readonly (readonly [HookSource, Record<string, unknown>])[],
  answers: Readonly<Record<string, Answer | ((signal?: AbortSignal) => Promise<ProgramEnd>)>> = {},
) {
  const runs: Run[] = [];
  const notices: string[] = [];
  let session = { id: "s1", path: "/state/s1.jsonl" };
  const hooks = createSessionHooks({
    hooks: files.flatMap(([source, value]) => parseHooks(JSON.stringify({ hooks: value }), source).hooks),
    programs: {
      run(spec, signal) {
        const command = "shell" in spec.command ? spec.command.shell : spec.command.argv.join(" ");
        runs.push({ command, stdin: JSON.parse(spec.stdin), spec });
        const answer = answers[command] ?? {};
        if (typeof answer === "function") return answer(signal);
        if ("how" in answer) return Promise.resolve(answer);
        return Promise.resolve({ how: "exited", code: 0, stdout: "", stderr: "", ...answer });
      },
    },
    workspace: "/ws",
    home: "/home",
    session: () => session,
    posture: () => "auto",
    tell: ({ code, text }) => notices.push(`${code} ${text}`),
  });
  return { hooks, runs, notices, moveTo: (id: string) => session = { id, path: `/state/${id}.jsonl` } };
}

const signal = new AbortController().signal;
const CALL = { callId: "c1", tool: "bash", args: { command: "ls" }, readOnly: false };
const EDIT = {
  callId: "c2",
  tool: "edit_file",
  args: { path: "a.txt", old_string: "x", new_string: "y" },
  readOnly: false,
};
const APPROVAL: ApprovalRequest = {
  id: "a1",
  callId: "c1",
  tool: "bash",
  subject: "ls",
  why: { by: "fallback", text: "writers ask" },
};

Deno.test("hooks run in the order project, plugins, user, and the first no ends the asking", async () => {
  const files = [
    [PROJECT, { PreToolUse: [{ command: "project" }] }],
    [PLUGIN, { PreToolUse: [{ command: "plugin" }] }],
    [USER, { PreToolUse: [{ command: "user" }] }],
  ] as const;
  const free = setUp(files);
  assert.equal(await free.hooks.observer.callBegins!(CALL, signal), undefined);
  assert.deepEqual(free.runs.map(({ command }) => command), ["project", "plugin", "user"]);

  const { hooks, runs, notices } = setUp(files, { plugin: { code: 2, stderr: "no\n" } });
  const message = "hook [plugin/PreToolUse] plugin — block: no";
  assert.deepEqual(await hooks.observer.callBegins!(CALL, signal), { code: "hook.blocked", message });
  assert.deepEqual(runs.map(({ command }) => command), ["project", "plugin"]);
  assert.deepEqual(notices, [`hook.blocked ${message}`]);
});

Deno.test("a native hook reads the tool's own name and arguments", async () => {
  const { hooks, runs } = setUp([[USER, { PreToolUse: [{ match: "bash", command: "n" }] }]]);
  await hooks.observer.callBegins!(CALL, signal);
  await hooks.observer.callBegins!(EDIT, signal);
  assert.deepEqual(runs.map(({ stdin }) => stdin), [{
    event: "PreToolUse",
    sessionId: "s1",
    cwd: "/ws",
    callId: "c1",
    toolName: "bash",
    toolArgs: { command: "ls" },
    subject: "ls",
  }]);
});

Deno.test("an imported hook reads the names it knows, with absolute paths", async () => {
  const { hooks, runs } = setUp([[USER, {
    PreToolUse: [{ matcher: "Edit|Write", hooks: [{ type: "command", command: "i" }] }],
  }]]);
  await hooks.observer.callBegins!(CALL, signal);
  await hooks.observer.callBegins!(EDIT, signal);
  assert.deepEqual(runs.map(({ stdin }) => stdin), [{
    hook_event_name: "PreToolUse",
    session_id: "s1",
    transcript_path: "/state/s1.jsonl",
    cwd: "/ws",
    permission_mode: "auto",
    tool_name: "Edit",
    tool_input: { file_path: "/ws/a.txt", old_string: "x", new_string: "y" },
    tool_use_id: "c2",
  }]);
});

Deno.test("delegation is known as Agent, and by its older name", async () => {
  for (const matcher of ["Agent", "Task"]) {
    const { hooks, runs } = setUp([[USER, { PreToolUse: [{ matcher, hooks: [{ command: "i" }] }] }]]);
    await hooks.observer.callBegins!({ ...CALL, tool: "task" }, signal);
    assert.deepEqual(runs.map(({ stdin }) => stdin.tool_name), ["Agent"]);
  }
});

Deno.test("a failed call is told as a failure first, then as a use", async () => {
  const { hooks, runs } = setUp([[USER, {
    PostToolUse: [{ command: "use" }],
    PostToolUseFailure: [{ command: "failure" }],
  }]]);
  await hooks.observer.callEnded!(CALL, { text: "fine" }, signal);
  await hooks.observer.callEnded!(CALL, { text: "error: 1", failed: true }, signal);
  assert.deepEqual(runs.map(({ command, stdin }) => [command, stdin.toolResult, stdin.error]), [
    ["use", "fine", undefined],
    ["failure", "error: 1", "error: 1"],
    ["use", "error: 1", "error: 1"],
  ]);
});

Deno.test("after a stop the hooks of a call do not hold up the turn, and learn of the stop", async () => {
  const stop = new AbortController();
  stop.abort();
  const never = Promise.withResolvers<ProgramEnd>();
  const { hooks, runs } = setUp([[USER, { PostToolUseFailure: [{ command: "slow" }] }]], {
    slow: (ending) => {
      ending!.addEventListener("abort", () => never.reject(ending!.reason));
      return never.promise;
    },
  });
  await hooks.observer.callEnded!(CALL, { text: "stopped", failed: true }, stop.signal);
  assert.deepEqual(runs.map(({ stdin }) => stdin.isInterrupt), [true]);
  await hooks.end("exit");
});

Deno.test("what SessionStart says stands before the first turn, once", async () => {
  const { hooks, runs } = setUp([[USER, { SessionStart: [{ command: "start" }] }]], { start: { stdout: "on main\n" } });
  hooks.begin("startup");
  const turn = () => hooks.observer.turnBegins!({ id: "t1", text: "hi", first: true }, signal);
  const context = '<hook-context event="SessionStart">\non main\n</hook-context>';
  assert.deepEqual([await turn(), await turn()], [{ before: [context] }, { before: [] }]);
  assert.deepEqual(runs.map(({ stdin }) => stdin), [{
    event: "SessionStart",
    sessionId: "s1",
    cwd: "/ws",
    source: "startup",
  }]);
});

Deno.test("a hook can keep a prompt from becoming a turn, and what SessionStart said waits for the next", async () => {
  let code = 2;
  const { hooks } = setUp(
    [[USER, { SessionStart: [{ command: "start" }], UserPromptSubmit: [{ command: "check" }] }]],
    {
      start: { stdout: "context" },
      check: () => Promise.resolve({ how: "exited", code, stdout: "", stderr: "secrets in it" }),
    },
  );
  hooks.begin("startup");
  const turn = () => hooks.observer.turnBegins!({ id: "t1", text: "hi", first: true }, signal);
  assert.deepEqual(await turn(), { refusal: "hook [user/UserPromptSubmit] check — block: secrets in it" });
  code = 0;
  assert.equal((await turn())!.before!.length, 1);
});

Deno.test("PostLLMCall puts its words in the place of the reasoning, PreCompact guides the summary", async () => {
  const { hooks, runs } = setUp([[USER, { PostLLMCall: [{ command: "post" }], PreCompact: [{ command: "pre" }] }]], {
    post: { stdout: "translated\n" },
    pre: { stdout: "keep the names" },
  });
  assert.deepEqual(await hooks.observer.answerEnded!({ text: "t", reasoning: "r" }, signal), {
    reasoning: "translated",
  });
  assert.deepEqual(await hooks.observer.foldBegins!({ trigger: "manual" }, signal), { guidance: "keep the names" });
  assert.deepEqual(runs.map(({ stdin }) => [stdin.reasoning, stdin.trigger]), [["r", undefined], [
    undefined,
    "manual",
  ]]);
});

Deno.test("the end of a turn is a stop or a failure; one that the person stopped is neither", async () => {
  const { hooks, runs } = setUp([[USER, { Stop: [{ command: "stop" }], StopFailure: [{ command: "failure" }] }]]);
  const ended = hooks.observer.turnEnded!;
  await ended({ outcome: "completed", answer: "done" });
  await ended({ outcome: "failed", answer: "", failure: { code: "provider.auth", message: "no key" } });
  await ended({ outcome: "cancelled", answer: "" });
  assert.deepEqual(runs.map(({ command, stdin }) => [command, stdin.lastAssistantText, stdin.error]), [
    ["stop", "done", undefined],
    ["failure", "", "no key"],
  ]);
});

Deno.test("an imported hook may answer a permission question, a native one only hears it", async () => {
  const imported = [{ matcher: "Bash", hooks: [{ command: "answers" }] }];
  const stdout = JSON.stringify({ hookSpecificOutput: { decision: { behavior: "allow" } } });
  const allow = setUp([[USER, { PermissionRequest: imported }]], { answers: { stdout } });
  assert.equal(await allow.hooks.reviewer.review(APPROVAL, CALL, signal), "allow");
  const deny = setUp([[USER, { PermissionRequest: imported }]], { answers: { code: 2 } });
  assert.equal(await deny.hooks.reviewer.review(APPROVAL, CALL, signal), "deny");
  const hears = setUp([[USER, { PermissionRequest: [{ command: "answers" }] }]], { answers: { stdout } });
  assert.equal(await hears.hooks.reviewer.review(APPROVAL, CALL, signal), undefined);
  assert.equal(hears.runs.length, 1);
});

Deno.test("a notification tells the tool's name and nothing of the call", async () => {
  const { hooks, runs } = setUp([[USER, { Notification: [{ command: "notify" }] }]]);
  const secret = { ...APPROVAL, tool: "remember", subject: "the password is x", diff: "+ x" };
  const asked = hooks.notified({ request: () => Promise.resolve("once") });
  assert.equal(await asked.request(secret, signal), "once");
  await hooks.end("exit");
  assert.deepEqual(runs.map(({ stdin }) => stdin), [{
    event: "Notification",
    sessionId: "s1",
    cwd: "/ws",
    message: "remember needs your approval",
    notificationType: "permission_prompt",
  }]);
});

Deno.test("other agents of a conversation have session ids of their own that follow it", async () => {
  const { hooks, runs, moveTo } = setUp([[USER, {
    PreToolUse: [{ command: "pre" }],
    SubagentStart: [{ command: "begin" }],
    SubagentStop: [{ command: "end" }],
  }]]);
  const planner = hooks.observerOf("planner");
  await planner.callBegins!(CALL, signal);
  moveTo("s2");
  await planner.callBegins!(CALL, signal);
  await hooks.subagentBegins("c9", signal);
  await hooks.subagentEnds("c9");
  assert.deepEqual(runs.map(({ command, stdin }) => [command, stdin.sessionId, stdin.callId]), [
    ["pre", "s1:planner", "c1"],
    ["pre", "s2:planner", "c1"],
    ["begin", "s2:subagent:c9", "c9"],
    ["end", "s2:subagent:c9", "c9"],
  ]);
});

Deno.test("a hook knows where it is, and a plugin's where the plugin lies", async () => {
  const { hooks, runs } = setUp([
    [PROJECT, { PreToolUse: [{ command: "a", cwd: "tools", env: { MINE: "1", REASONIX_HOME: "/elsewhere" } }] }],
    [PLUGIN, { PreToolUse: [{ command: "b" }] }],
  ]);
  await hooks.observer.callBegins!(CALL, signal);
  const places = { REASONIX_HOME: "/home", REASONIX_WORKSPACE_ROOT: "/ws", CLAUDE_PROJECT_DIR: "/ws" };
  assert.deepEqual(runs.map(({ spec: { cwd, env } }) => ({ cwd, env })), [
    { cwd: "/ws/tools", env: { MINE: "1", ...places } },
    {
      cwd: "/ws",
      env: {
        ...places,
        REASONIX_PLUGIN_ROOT: "/p",
        REASONIX_PLUGIN_NAME: "p",
        REASONIX_PLUGIN_VERSION: "2",
        CLAUDE_PLUGIN_ROOT: "/p",
      },
    },
  ]);
});

Deno.test("a plugin's context file never leads out of the plugin", async () => {
  const parent = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  try {
    await Deno.mkdir(`${parent}/p`);
    await Deno.writeTextFile(`${parent}/secret`, "secret");
    await Deno.writeTextFile(`${parent}/p/context.md`, "read me\n");
    await Deno.symlink(`${parent}/secret`, `${parent}/p/link.md`);
    const source: HookSource = { ...PLUGIN, plugin: { name: "p", root: `${parent}/p`, version: "1" } };
    const files = ["link.md", "../secret", `${parent}/secret`, "missing.md", ".", "context.md"];
    const { hooks, notices } = setUp([[source, { SessionStart: files.map((contextFile) => ({ contextFile })) }]]);
    hooks.begin("startup");
    const turn = await hooks.observer.turnBegins!({ id: "t1", text: "hi", first: true }, signal);
    assert.deepEqual(turn, { before: ['<hook-context event="SessionStart">\nread me\n</hook-context>'] });
    assert.equal(notices.length, 5);
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
});
