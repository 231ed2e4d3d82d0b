import assert from "node:assert/strict";
import type { HookEvent } from "./events.ts";
import type { Hook } from "./hook.ts";
import { toOutcome } from "./outcome.ts";

function hook(event: HookEvent, form: Hook["form"] = "native"): Hook {
  return {
    event,
    form,
    source: { scope: "project", file: "/ws/.reasonix/settings.json" },
    position: 1,
    match: "",
    command: { shell: "./check.sh", by: "auto" },
    limitMs: 5000,
    env: {},
  };
}

const exited = (code: number, stdout = "", stderr = "") => ({ how: "exited", code, stdout, stderr }) as const;
const reply = (value: unknown) => exited(0, JSON.stringify(value));

Deno.test("exit codes mean what the table says, where a hook can say no and where it cannot", () => {
  const title = (event: HookEvent) => `hook [project/${event}] ./check.sh`;
  const gate = (end: Parameters<typeof toOutcome>[1]) => toOutcome(hook("PreToolUse"), end);
  const told = (end: Parameters<typeof toOutcome>[1]) => toOutcome(hook("PostToolUse"), end);
  assert.deepEqual(gate(exited(0, "fine")), { kind: "pass", text: "" });
  assert.deepEqual(gate(exited(2, "out", "not here\n")), {
    kind: "block",
    reason: `${title("PreToolUse")} — block: not here`,
  });
  assert.deepEqual(gate(exited(2, "out", "")), { kind: "block", reason: `${title("PreToolUse")} — block: out` });
  assert.deepEqual(gate(exited(1, "", "broken")), {
    kind: "warning",
    text: `${title("PreToolUse")}: exit code 1: broken`,
  });
  assert.deepEqual(gate({ how: "timeout", stdout: "", stderr: "" }), {
    kind: "block",
    reason: `${title("PreToolUse")} — block: it did not end within 5 s`,
  });
  assert.deepEqual(gate({ how: "not_started", reason: "no shell" }), {
    kind: "error",
    text: `${title("PreToolUse")} could not start: no shell`,
  });
  assert.deepEqual(told(exited(0)), { kind: "pass", text: "" });
  assert.equal(told(exited(2, "", "x")).kind, "warning");
  assert.equal(told(exited(9)).kind, "warning");
  assert.equal(told({ how: "timeout", stdout: "", stderr: "" }).kind, "warning");
  assert.equal(told({ how: "not_started", reason: "x" }).kind, "error");
});

Deno.test("imported hooks say no in JSON with exit code 0", () => {
  const imported = (event: HookEvent, value: unknown) => toOutcome(hook(event, "imported"), reply(value));
  assert.deepEqual(
    imported("PreToolUse", {
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "not today" },
    }),
    { kind: "block", reason: "hook [project/PreToolUse] ./check.sh — block: not today" },
  );
  assert.deepEqual(imported("UserPromptSubmit", { decision: "block", reason: "no" }), {
    kind: "block",
    reason: "hook [project/UserPromptSubmit] ./check.sh — block: no",
  });
  const behaviors = ["allow", "deny", "perhaps"].map((behavior) =>
    imported("PermissionRequest", { hookSpecificOutput: { decision: { behavior } } })
  );
  assert.deepEqual(behaviors, [{ kind: "answer", allow: true }, { kind: "answer", allow: false }, {
    kind: "pass",
    text: "",
  }]);
  assert.deepEqual(toOutcome(hook("PermissionRequest", "imported"), exited(2)), { kind: "answer", allow: false });
});

Deno.test("what has no effect has none: asking, deferring, changed input, and JSON of native hooks", () => {
  for (const decision of ["ask", "defer", "allow"]) {
    const value = { hookSpecificOutput: { permissionDecision: decision, updatedInput: { command: "rm" } } };
    assert.deepEqual(toOutcome(hook("PreToolUse", "imported"), reply(value)), { kind: "pass", text: "" });
  }
  const deny = reply({ hookSpecificOutput: { permissionDecision: "deny", decision: { behavior: "allow" } } });
  assert.deepEqual(toOutcome(hook("PreToolUse"), deny), { kind: "pass", text: "" });
  assert.deepEqual(toOutcome(hook("PermissionRequest"), deny), { kind: "pass", text: "" });
  assert.equal(toOutcome(hook("PermissionRequest"), exited(2)).kind, "warning");
});

Deno.test("a session's context is plain text or the field of a JSON answer", () => {
  const start = (end: Parameters<typeof toOutcome>[1]) => toOutcome(hook("SessionStart"), end);
  assert.deepEqual(start(exited(0, "branch main\n")), { kind: "pass", text: "branch main" });
  assert.deepEqual(start(reply({ hookSpecificOutput: { additionalContext: "from JSON" } })), {
    kind: "pass",
    text: "from JSON",
  });
  assert.deepEqual(start(reply({ other: 1 })), { kind: "pass", text: "" });
  assert.deepEqual(start(exited(0, "{not JSON")), { kind: "pass", text: "{not JSON" });
});

Deno.test("what a hook prints reaches neither model nor screen with control characters", () => {
  const blocked = toOutcome(hook("PreToolUse"), exited(2, "", "\u001b[2Jgone"));
  assert.deepEqual(blocked, { kind: "block", reason: "hook [project/PreToolUse] ./check.sh — block: \u241b[2Jgone" });
  assert.deepEqual(toOutcome(hook("SessionStart"), exited(0, "a\u0007b")), { kind: "pass", text: "a\u2407b" });
});
