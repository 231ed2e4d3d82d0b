/**
 * What is remembered of each model request, one line beside the transcript: digests and counts, no content. A line
 * holds what is new against the line before it of the same `source`, so a growing conversation is written once.
 */
import type { UsageSource } from "../../contract/usage.ts";
import { isRecord, parseJson } from "../../lib/json.ts";

/** Part of a request: which text it was, and how long. */
export interface Part {
  /** 16 hex digits. */
  readonly digest: string;
  /** Bytes, roughly: UTF-16 units of its text. */
  readonly size: number;
}

export interface MessagePart extends Part {
  readonly role: string;
}

/** Where a request stopped being like the one before it, as it was seen when it was sent. */
export interface Change {
  readonly part: "system" | "tools" | "message";
  /** Of a message, from 0. */
  readonly index?: number;
  /** First tool that is another, came or went. */
  readonly tool?: string;
  /** What of the message differs; absent where it is no longer there. */
  readonly what?: "text" | "calls" | "reasoning" | "images" | "rest";
  /** First byte of that text which differs, from 0. */
  readonly byte?: number;
}

export interface RequestRecord {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** `provider/model`. */
  readonly model: string;
  readonly source: UsageSource;
  readonly effort?: string;
  readonly system: Part;
  readonly tools: Part;
  /** All messages of the request. */
  readonly messages: readonly MessagePart[];
  /** Against the request before, where this program sent that too. */
  readonly change?: Change;
  /** Of the request that was answered; absent where nothing was reported. */
  readonly input?: number;
  readonly cacheHit?: number;
  readonly cacheWrite?: number;
  /** Code of the failure that ended it. */
  readonly failure?: string;
}

/** How many messages two requests begin with alike. */
export function countShared(before: readonly MessagePart[], now: readonly MessagePart[]): number {
  let count = 0;
  while (count < before.length && count < now.length && before[count]!.digest === now[count]!.digest) count++;
  return count;
}

const VERSION = 1;

/** `kept`: how many messages of the line before are the beginning of this one. */
export function toLine(record: RequestRecord, kept: number): string {
  const { at, model, source, effort, system, tools, messages, change, input, cacheHit, cacheWrite, failure } = record;
  return `${
    JSON.stringify({
      v: VERSION,
      at,
      model,
      source,
      effort,
      system: [system.digest, system.size],
      tools: [tools.digest, tools.size],
      keep: kept,
      add: messages.slice(kept).map(({ role, digest, size }) => [role, digest, size]),
      change,
      input,
      hit: cacheHit,
      write: cacheWrite,
      failure,
    })
  }\n`;
}

/** Lines that make no sense are left out, with what builds on them. */
export function parseRecords(text: string): readonly RequestRecord[] {
  const records: RequestRecord[] = [];
  const last = new Map<string, readonly MessagePart[]>();
  for (const line of text.split("\n")) {
    const raw = parseLine(line);
    if (raw === undefined) continue;
    const source = raw.source as UsageSource;
    const kept = countOf(raw.keep) ?? 0;
    const before = last.get(source) ?? [];
    const system = partOf(raw.system);
    const tools = partOf(raw.tools);
    const added = Array.isArray(raw.add) ? raw.add.map(messageOf) : [undefined];
    if (!system || !tools || kept > before.length || !added.every((part) => part !== undefined)) continue;
    const messages = [...before.slice(0, kept), ...added];
    last.set(source, messages);
    records.push({
      at: countOf(raw.at) ?? 0,
      model: String(raw.model),
      source,
      ...(typeof raw.effort === "string" ? { effort: raw.effort } : {}),
      system,
      tools,
      messages,
      ...(isRecord(raw.change) ? { change: raw.change as unknown as Change } : {}),
      ...optional("input", countOf(raw.input)),
      ...optional("cacheHit", countOf(raw.hit)),
      ...optional("cacheWrite", countOf(raw.write)),
      ...(typeof raw.failure === "string" ? { failure: raw.failure } : {}),
    });
  }
  return records;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  const value = parseJson(line);
  return isRecord(value) && value.v === VERSION && typeof value.source === "string" ? value : undefined;
}

function partOf(value: unknown): Part | undefined {
  const [digest, size] = Array.isArray(value) ? value : [];
  return typeof digest === "string" && typeof size === "number" ? { digest, size } : undefined;
}

function messageOf(value: unknown): MessagePart | undefined {
  const [role, ...rest] = Array.isArray(value) ? value : [];
  const part = partOf(rest);
  return part && typeof role === "string" ? { role, ...part } : undefined;
}

const countOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

function optional<K extends string>(key: K, value: number | undefined): { readonly [P in K]?: number } {
  return value === undefined ? {} : { [key]: value } as { readonly [P in K]?: number };
}
