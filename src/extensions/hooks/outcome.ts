/** What the end of a hook means: exit codes for all, JSON on its standard output for what imported hooks may answer. */
import type { ProgramEnd } from "../../contract/program.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import { showControls, toLine } from "../../lib/terminal_text.ts";
import { HOOK_EVENTS } from "./events.ts";
import { commandText, type Hook } from "./hook.ts";

export type HookOutcome =
  /** `text`: what the hook gives: context, guidance, shown reasoning. Empty for nothing. */
  | { readonly kind: "pass"; readonly text: string }
  | { readonly kind: "block"; readonly reason: string }
  /** An imported hook has answered the permission question. */
  | { readonly kind: "answer"; readonly allow: boolean }
  | { readonly kind: "warning" | "error"; readonly text: string };

const LONGEST_REASON = 4_000;

export function toOutcome(hook: Hook, end: ProgramEnd): HookOutcome {
  const { blocking } = HOOK_EVENTS[hook.event];
  if (end.how === "not_started") {
    return { kind: "error", text: `${title(hook)} could not start: ${toLine(end.reason)}` };
  }
  if (end.how === "timeout") {
    const late = `it did not end within ${hook.limitMs / 1000} s`;
    return blocking ? blocked(hook, late) : { kind: "warning", text: `${title(hook)}: ${late} and was stopped` };
  }
  const said = reasonOf(end);
  if (end.code === 0) return toReply(hook, end.stdout);
  if (end.code === 2 && blocking) return blocked(hook, said || "it gave no reason");
  if (end.code === 2 && hook.event === "PermissionRequest" && hook.form === "imported") {
    return { kind: "answer", allow: false };
  }
  return { kind: "warning", text: `${title(hook)}: exit code ${end.code}${said ? `: ${toLine(said, 400)}` : ""}` };
}

/** `hook [user/PreToolUse] ./check.sh` */
function title(hook: Hook): string {
  return `hook [${hook.source.scope}/${hook.event}] ${toLine(commandText(hook), 120)}`;
}

function blocked(hook: Hook, reason: string): HookOutcome {
  return { kind: "block", reason: `${title(hook)} — block: ${reason}` };
}

function reasonOf({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  return showControls((stderr.trim() || stdout.trim()).slice(0, LONGEST_REASON));
}

function toReply(hook: Hook, stdout: string): HookOutcome {
  const reply = table(parseJson(stdout));
  const own = table(reply?.hookSpecificOutput);
  const pass = (text: string): HookOutcome => ({ kind: "pass", text: showControls(text.trim()) });
  if (hook.form === "imported") {
    const reason = firstText(own?.permissionDecisionReason, reply?.reason) ?? "it gave no reason";
    switch (hook.event) {
      case "PreToolUse":
        return own?.permissionDecision === "deny" ? blocked(hook, showControls(reason)) : pass("");
      case "UserPromptSubmit":
        if (reply?.decision === "block") return blocked(hook, showControls(reason));
        return pass(contextOf(reply, stdout));
      case "PermissionRequest": {
        const behavior = table(own?.decision)?.behavior;
        return behavior === "allow" || behavior === "deny" ? { kind: "answer", allow: behavior === "allow" } : pass("");
      }
    }
  }
  switch (hook.event) {
    case "SessionStart":
      return pass(contextOf(reply, stdout));
    case "PostLLMCall":
    case "PreCompact":
      return pass(stdout);
    default:
      return pass("");
  }
}

/** `additionalContext` of a JSON answer, or the plain text. */
function contextOf(reply: Record<string, unknown> | undefined, stdout: string): string {
  if (reply === undefined) return stdout;
  return firstText(table(reply.hookSpecificOutput)?.additionalContext) ?? "";
}

function table(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}
