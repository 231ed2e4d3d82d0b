/** The points of a session at which hooks run. */

export interface EventFacts {
  /** A hook can say no here. */
  readonly blocking: boolean;
  /** About a tool: `match` looks at its name. */
  readonly ofTool: boolean;
  /** Milliseconds a hook has that names no `timeout`. */
  readonly limitMs: number;
}

const gate = (ofTool: boolean): EventFacts => ({ blocking: true, ofTool, limitMs: 5_000 });
const told = (ofTool: boolean): EventFacts => ({ blocking: false, ofTool, limitMs: 30_000 });

export const HOOK_EVENTS = {
  PreToolUse: gate(true),
  UserPromptSubmit: gate(false),
  PermissionRequest: { blocking: false, ofTool: true, limitMs: 5_000 },
  PostToolUse: told(true),
  PostToolUseFailure: told(true),
  PostLLMCall: told(false),
  PreCompact: told(false),
  SessionStart: told(false),
  SessionEnd: told(false),
  Stop: told(false),
  StopFailure: told(false),
  Notification: told(false),
  SubagentStart: told(false),
  SubagentStop: told(false),
} as const satisfies Readonly<Record<string, EventFacts>>;

export type HookEvent = keyof typeof HOOK_EVENTS;

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(HOOK_EVENTS, name);
}
