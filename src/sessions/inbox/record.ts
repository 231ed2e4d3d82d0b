/**
 * Lines of `<id>.inbox/log.jsonl`, and what a series of them leaves: `put` adds an item or changes it, `remove` takes it
 * away. A line that makes no sense changes nothing.
 */
import { INBOX_LIMITS, type InboxItem } from "../../contract/inbox.ts";
import { byteLength } from "../../lib/bytes.ts";
import { isCount, isRecord, parseJson } from "../../lib/json.ts";
import { toLine } from "../../lib/terminal_text.ts";

export type InboxRecord =
  | {
    readonly op: "put";
    readonly id: string;
    /** With the first `put` of an item always; later where it changes. */
    readonly text?: string;
    readonly state?: InboxItem["state"];
    readonly failure?: string;
    /** Place among the items, from 0. Absent: a new one goes to the end, a known one stays. */
    readonly to?: number;
    /** Unix time in milliseconds. */
    readonly at?: number;
  }
  | { readonly op: "remove"; readonly id: string };

export function formatRecord(record: InboxRecord): string {
  return `${JSON.stringify({ v: 1, ...record })}\n`;
}

/** Reads a line without its line end. */
export function parseRecord(line: string): InboxRecord | undefined {
  const value = parseJson(line);
  if (!isRecord(value)) return undefined;
  const { op, id, text, state, failure, to, at } = value;
  if (typeof id !== "string" || id === "") return undefined;
  if (op === "remove") return { op, id };
  if (op !== "put" || (typeof text === "string" && byteLength(text) > INBOX_LIMITS.itemBytes)) return undefined;
  return {
    op,
    id,
    ...(typeof text === "string" ? { text } : {}),
    ...(isState(state) ? { state } : {}),
    ...(typeof failure === "string" ? { failure: toLine(failure, 300) } : {}),
    ...(isCount(to) ? { to } : {}),
    ...(isCount(at) ? { at } : {}),
  };
}

/** The same list where the record changes nothing. */
export function applyRecord(items: readonly InboxItem[], record: InboxRecord): readonly InboxItem[] {
  const { id } = record;
  const known = items.find((item) => item.id === id);
  const others = items.filter((item) => item !== known);
  if (record.op === "remove") return known ? others : items;
  const text = record.text ?? known?.text;
  if (text === undefined) return items;
  const state = record.state ?? known?.state ?? "waiting";
  const failure = state === "failed" ? record.failure ?? known?.failure : undefined;
  const item: InboxItem = {
    id,
    text,
    state,
    ...(failure === undefined ? {} : { failure }),
    at: known?.at ?? record.at ?? 0,
  };
  return others.toSpliced(record.to ?? (known ? items.indexOf(known) : others.length), 0, item);
}

/** What makes these items out of nothing. */
export function toRecords(items: readonly InboxItem[]): readonly InboxRecord[] {
  return items.map((item) => ({ op: "put", ...item }));
}

const STATES: ReadonlySet<unknown> = new Set<InboxItem["state"]>(["waiting", "guidance", "failed"]);

function isState(value: unknown): value is InboxItem["state"] {
  return STATES.has(value);
}
