/** A hook as it was read: what runs, when, and whose it is. */
import type { ProgramSpec } from "../../contract/program.ts";
import type { HookEvent } from "./events.ts";

export type HookScope = "project" | "plugin" | "user";

/** A file that may hold hooks. */
export interface HookSource {
  readonly scope: HookScope;
  /** Absolute. */
  readonly file: string;
  readonly plugin?: { readonly name: string; readonly root: string; readonly version: string };
}

export interface Hook {
  readonly event: HookEvent;
  readonly source: HookSource;
  /** Place among the hooks of this event in its file, from 1. */
  readonly position: number;
  /** `imported`: written for the nested format of other programs; it is spoken to and heard in their words. */
  readonly form: "native" | "imported";
  /** As written; empty for all. */
  readonly match: string;
  /** Anchored; absent for all. */
  readonly pattern?: RegExp;
  /** What runs. Absent where `contextFile` is read instead. */
  readonly command?: ProgramSpec["command"];
  /** Of a plugin: a file below its root whose text is the output. */
  readonly contextFile?: string;
  readonly limitMs: number;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly description?: string;
}

/** Codes of notices about hooks, beside `hook.blocked`. */
export type HookCode =
  | "hook.failed"
  | "hook.malformed_settings"
  | "hook.unknown_event"
  | "hook.invalid_matcher"
  | "hook.missing_command";

export type HookProblemCode = Exclude<HookCode, "hook.failed">;

/** Why a file or an entry of it does not count. */
export interface HookProblem {
  readonly code: HookProblemCode;
  readonly source: HookSource;
  /** Of an entry; absent for a whole file. */
  readonly event?: string;
  readonly position?: number;
  /** One line for people. */
  readonly text: string;
}

/** The command in one line, for people. */
export function commandText(hook: Hook): string {
  if (hook.command === undefined) return hook.contextFile ?? "";
  return "argv" in hook.command ? hook.command.argv.join(" ") : hook.command.shell;
}
