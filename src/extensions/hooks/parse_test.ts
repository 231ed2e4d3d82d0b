import assert from "node:assert/strict";
import type { HookSource } from "./hook.ts";
import { parseHooks } from "./parse.ts";

const SOURCE: HookSource = { scope: "user", file: "/home/settings.json" };
const PLUGIN: HookSource = {
  scope: "plugin",
  file: "/p/hooks.json",
  plugin: { name: "p", root: "/p", version: "1" },
};

const parse = (hooks: unknown, source = SOURCE) => parseHooks(JSON.stringify({ hooks }), source);

Deno.test("a flat entry is a native hook with its timeout in milliseconds", () => {
  const { hooks, problems } = parse({
    PreToolUse: [{
      match: "bash|edit_.*",
      command: "./check.sh",
      timeout: 1500,
      cwd: "tools",
      env: { A: "1" },
      description: "d",
    }],
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(hooks, [{
    event: "PreToolUse",
    source: SOURCE,
    position: 1,
    form: "native",
    match: "bash|edit_.*",
    pattern: /^(?:bash|edit_.*)$/,
    command: { shell: "./check.sh", by: "auto" },
    limitMs: 1500,
    cwd: "tools",
    env: { A: "1" },
    description: "d",
  }]);
});

Deno.test("a nested entry is an imported hook with its timeout in seconds", () => {
  const { hooks } = parse({
    PostToolUse: [{
      matcher: "Write|Edit",
      hooks: [
        { type: "command", command: "fmt", timeout: 2, shell: "pwsh" },
        { type: "command", command: "lint", args: ["-q", "x y"] },
      ],
    }],
  });
  assert.deepEqual(
    hooks.map(({ form, match, command, limitMs, position }) => ({ form, match, command, limitMs, position })),
    [
      {
        form: "imported",
        match: "Write|Edit",
        command: { shell: "fmt", by: "powershell" },
        limitMs: 2000,
        position: 1,
      },
      { form: "imported", match: "Write|Edit", command: { argv: ["lint", "-q", "x y"] }, limitMs: 30_000, position: 2 },
    ],
  );
});

Deno.test("matchers fit whole names; empty and * fit all; other events have none", () => {
  const [one, ...others] = parse({
    PreToolUse: [{ match: "read|write", command: "c" }, { match: "", command: "c" }, { match: "*", command: "c" }],
    Stop: [{ match: "[", command: "c" }],
  }).hooks;
  assert.deepEqual(["read", "write", "xread", "readx", "writex"].map((name) => one!.pattern!.test(name)), [
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.deepEqual(others.map(({ pattern }) => pattern), [undefined, undefined, undefined]);
});

Deno.test("events that can say no have five seconds, the others thirty", () => {
  const names = ["PreToolUse", "UserPromptSubmit", "PermissionRequest", "PostToolUse", "SessionStart", "Notification"];
  const { hooks } = parse(Object.fromEntries(names.map((name) => [name, [{ command: "c" }]])));
  assert.deepEqual(hooks.map(({ limitMs }) => limitMs), [5000, 5000, 5000, 30_000, 30_000, 30_000]);
});

Deno.test("a bad matcher, a missing command and an unknown event cost that entry alone and are named", () => {
  const { hooks, problems } = parse({
    PreToolUse: [{ match: "(", command: "c" }, { match: "x" }, { command: "kept" }],
    PreToolUze: [{ command: "c" }],
    Stop: [{ hooks: [{ type: "prompt", prompt: "is it done?" }] }],
  });
  assert.deepEqual(hooks.map(({ command }) => command), [{ shell: "kept", by: "auto" }]);
  assert.deepEqual(problems.map(({ code, event, position }) => [code, event, position]), [
    ["hook.invalid_matcher", "PreToolUse", 1],
    ["hook.missing_command", "PreToolUse", 2],
    ["hook.unknown_event", "PreToolUze", undefined],
    ["hook.missing_command", "Stop", 1],
  ]);
  assert.match(problems[2]!.text, /did you mean PreToolUse\?/);
});

Deno.test("a file that is wrong in its shape contributes nothing", () => {
  const good = { command: "c" };
  const bad: unknown[] = [
    [],
    { PreToolUse: good },
    { PreToolUse: [good, "text"] },
    { PreToolUse: [good, { command: 1 }] },
    { PreToolUse: [good, { command: "c", timeout: "5" }] },
    { PreToolUse: [good, { command: "c", timeout: 0 }] },
    { PreToolUse: [good, { command: "c", args: "x" }] },
    { PreToolUse: [good, { command: "c", shell: "fish" }] },
    { PreToolUse: [good, { command: "c", env: { A: 1 } }] },
    { PreToolUse: [good, { match: 1, command: "c" }] },
    { PreToolUse: [good, { hooks: {} }] },
  ];
  for (const hooks of bad) {
    const parsed = parse(hooks);
    assert.deepEqual(parsed.hooks, [], JSON.stringify(hooks));
    assert.deepEqual(parsed.problems.map(({ code }) => code), ["hook.malformed_settings"]);
  }
  for (const text of ["", "{", "[1]", "null"]) {
    assert.deepEqual(parseHooks(text, SOURCE).problems.map(({ code }) => code), ["hook.malformed_settings"]);
  }
});

Deno.test("other settings of the file mean nothing here, and one switch turns all hooks off", () => {
  assert.deepEqual(parseHooks('{"permissions":{"allow":[]}}', SOURCE), { hooks: [], problems: [] });
  assert.deepEqual(
    parseHooks('{"disableAllHooks":true,"hooks":{"Stop":[{"command":"c"}]}}', SOURCE),
    { hooks: [], problems: [] },
  );
});

Deno.test("only a plugin may give a file in place of a command", () => {
  const hooks = { SessionStart: [{ contextFile: "context.md" }] };
  assert.deepEqual(parse(hooks).problems.map(({ code }) => code), ["hook.missing_command"]);
  assert.deepEqual(parse(hooks, PLUGIN).hooks.map(({ contextFile }) => contextFile), ["context.md"]);
});
