/** The form of a built-in command, and the few things they share. */
import { ReasonixError } from "../../contract/errors.ts";
import { FileError } from "../../contract/workspace.ts";
import type { Intent } from "../../contract/intent.ts";
import type { CommandAnswer, CommandRow } from "../command.ts";
import type { Controller } from "../controller.ts";
import type { Runtime } from "../runtime.ts";
import type { CommandHost } from "./host.ts";
import type { SessionTotals } from "./session_totals.ts";

export interface CommandContext {
  readonly controller: Controller;
  /** What the open conversation runs on now. */
  runtime(): Runtime;
  readonly totals: SessionTotals;
  readonly host: CommandHost;
}

export interface BuiltIn {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** A command that others may take the name of: what it is called then, and can be called always. */
  readonly fallback?: string;
  /** Such as `[LEVEL]`; empty: the command takes no argument. */
  readonly hint: string;
  /** One line of help. */
  readonly summary: string;
  /** More for `/help NAME`: Markdown. */
  readonly details?: string;
  /** `argument`: what stands behind the name, trimmed. */
  run(argument: string, context: CommandContext): CommandAnswer | Promise<CommandAnswer>;
}

export const text = (markdown: string): CommandAnswer => ({ kind: "text", text: markdown });

export const done = (line?: string): CommandAnswer =>
  line === undefined ? { kind: "done" } : { kind: "done", text: line };

/** Rows to choose from; where nobody can draw them, a list. */
export function screen(title: string, rows: readonly CommandRow[], empty = ""): CommandAnswer {
  const lines = rows.map(({ label, detail, current }) =>
    `- ${label}${current ? " (now)" : ""}${detail ? `: ${detail}` : ""}`
  );
  return { kind: "screen", screen: { title, rows, empty }, text: lines.join("\n") || empty };
}

/** One of a few values, each a command line. */
export function choice(
  values: readonly { readonly value: string; readonly detail?: string; readonly current: boolean }[],
  { title, command, empty }: { readonly title: string; readonly command: string; readonly empty?: string },
): CommandAnswer {
  const rows = values.map(({ value, detail, current }) => ({
    label: value,
    ...(detail === undefined ? {} : { detail }),
    ...(current ? { current } : {}),
    actions: { enter: { label: "use", line: `/${command} ${value}` } },
  }));
  return screen(title, rows, empty);
}

/** Wrong arguments: what is wrong; the dispatch adds the usage. */
export class WrongArgument extends Error {
  override readonly name = "WrongArgument";
}

/** Sends an intent and waits for what comes of it. */
export async function change(
  { controller }: CommandContext,
  intent: Intent,
  told: () => CommandAnswer = done,
): Promise<CommandAnswer> {
  const receipt = controller.send(intent);
  if (!receipt.accepted) return { kind: "error", text: receipt.reason };
  await receipt.done;
  return told();
}

/** For failures of the world; anything else is a defect and goes on. */
export function toErrorAnswer(error: unknown): CommandAnswer {
  if (error instanceof ReasonixError) {
    // Of all remedies the one that needs no shell.
    if (error.code === "config.missing_key") return { kind: "error", text: `${error.message}\nTo save it: /auth` };
    return { kind: "error", text: reasonOf(error) };
  }
  if (error instanceof FileError) return { kind: "error", text: error.message };
  throw error;
}

export function reasonOf({ message, remedy }: ReasonixError): string {
  return remedy ? `${message}\n${remedy}` : message;
}

/** `2026-03-01 17:05`, in UTC. */
export function toMinute(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 16).replace("T", " ");
}

/** A whole number from 1, or undefined. */
export function toNumber(word: string | undefined): number | undefined {
  return word !== undefined && /^[1-9]\d{0,6}$/.test(word) ? Number(word) : undefined;
}

/** The first word and the rest, both trimmed. */
export function splitFirst(argument: string): { readonly first: string; readonly rest: string } {
  const [, first = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(argument)!;
  return { first, rest: rest.trim() };
}
