/** What a hook reads on its standard input: one JSON object, in the words of the form it is written in. */
import type { Posture } from "../../contract/decision.ts";
import type { HookEvent } from "./events.ts";
import type { Hook } from "./hook.ts";
import { importedInput, importedNames } from "./tool_names.ts";

/** What happened. Which facts there are depends on the event. */
export interface HookFacts {
  readonly call?: { readonly callId: string; readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  readonly toolResult?: string;
  readonly error?: string;
  readonly isInterrupt?: boolean;
  readonly prompt?: string;
  readonly lastAssistantText?: string;
  /** Turns of this run of the program, from 1. */
  readonly turn?: number;
  readonly message?: string;
  readonly notificationType?: string;
  readonly trigger?: "auto" | "manual";
  readonly reasoning?: string;
  readonly source?: string;
  readonly reason?: string;
}

export interface Surroundings {
  readonly sessionId: string;
  /** File of the conversation. */
  readonly transcript: string;
  readonly workspace: string;
  readonly posture: Posture;
}

export function toPayload(hook: Hook, facts: HookFacts, around: Surroundings): string {
  return JSON.stringify(
    hook.form === "native" ? native(hook.event, facts, around) : imported(hook.event, facts, around),
  );
}

function native(event: HookEvent, { call, ...facts }: HookFacts, around: Surroundings): Record<string, unknown> {
  const subject = call && subjectOf(call.args);
  return {
    event,
    sessionId: around.sessionId,
    cwd: around.workspace,
    ...(call ? { callId: call.callId, toolName: call.tool, toolArgs: call.args } : {}),
    ...(subject === undefined ? {} : { subject }),
    ...facts,
  };
}

const POSTURES: Readonly<Record<Posture, string>> = {
  ask: "default",
  auto: "auto",
  yolo: "bypassPermissions",
  accept_edits: "acceptEdits",
  dont_ask: "dontAsk",
  read_only: "default",
};

function imported(event: HookEvent, facts: HookFacts, around: Surroundings): Record<string, unknown> {
  const { call } = facts;
  return defined({
    hook_event_name: event,
    session_id: around.sessionId,
    transcript_path: around.transcript,
    cwd: around.workspace,
    permission_mode: POSTURES[around.posture],
    tool_name: call && importedNames(call.tool)[0],
    tool_input: call && importedInput(call.args, around.workspace),
    tool_use_id: call?.callId,
    tool_response: event === "PostToolUse" && call ? response(call.tool, facts) : undefined,
    error: facts.error,
    is_interrupt: facts.isInterrupt,
    prompt: facts.prompt,
    last_assistant_message: facts.lastAssistantText,
    stop_hook_active: event === "Stop" || event === "SubagentStop" ? false : undefined,
    message: facts.message,
    notification_type: facts.notificationType,
    trigger: facts.trigger,
    reasoning: facts.reasoning,
    source: facts.source,
    reason: facts.reason,
  });
}

function response(tool: string, { toolResult = "", error, isInterrupt = false }: HookFacts): Record<string, unknown> {
  if (tool === "bash") return { stdout: toolResult, stderr: "", interrupted: isInterrupt };
  return { content: toolResult, success: error === undefined };
}

/** What the call is about: the command, the path, the pattern. */
function subjectOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const keys = ["command", "file_path", "path", "source_path", "destination_path", "pattern"];
  const found = keys.map((key) => args[key]).find((value) => value !== undefined);
  return typeof found === "string" ? found : undefined;
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
