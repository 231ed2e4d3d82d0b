/**
 * What a server offers, read page by page within bounds. An entry that cannot be used costs itself and is named; the
 * others are there.
 */
import type { JsonSchema } from "../contract/tool.ts";
import { append } from "../lib/append.ts";
import { clip } from "../lib/clip.ts";
import { isRecord } from "../lib/json.ts";
import { toLine } from "../lib/terminal_text.ts";
import type { Connection, Fields } from "./connection.ts";
import { acceptableSchema } from "./schema/acceptable.ts";

export interface RemoteTool {
  /** As the server calls it. */
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly readOnly: boolean;
  readonly destructive: boolean;
}

export interface RemotePrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export interface RemoteResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType?: string;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** What was left out and why; one line each. */
  readonly problems: readonly string[];
}

const PAGES = 40;
const MOST_TOOLS = 1_000;
const MOST_OTHERS = 5_000;
/** Characters of what a model reads about one tool. */
const DESCRIPTION = 4_000;
const PROBLEMS = 20;
/** Some servers list nothing for a moment after the handshake. Milliseconds. */
const EMPTY_RETRIES = [50, 150, 300];

export async function listTools(connection: Connection, signal: AbortSignal): Promise<Listed<RemoteTool>> {
  let pages = await allPages(connection, { method: "tools/list", key: "tools", most: MOST_TOOLS, signal });
  for (const pause of EMPTY_RETRIES) {
    if (pages.entries.length > 0 || connection.capabilities["tools"] === undefined) break;
    await new Promise((rested) => setTimeout(rested, pause));
    pages = await allPages(connection, { method: "tools/list", key: "tools", most: MOST_TOOLS, signal });
  }
  const problems = [...pages.problems];
  const tools = new Map<string, RemoteTool>();
  for (const entry of pages.entries) {
    const { name } = entry;
    if (typeof name !== "string" || name.trim() === "") problems.push("a tool without a name is left out");
    else if (!tools.has(name)) {
      const made = toRemoteTool(entry, name, problems);
      if (made) tools.set(name, made);
    }
  }
  return { items: [...tools.values()], problems: few(problems) };
}

function toRemoteTool(entry: Fields, name: string, problems: string[]): RemoteTool | undefined {
  const accepted = acceptableSchema(entry["inputSchema"]);
  const shown = toLine(name, 80);
  if ("unusable" in accepted) {
    problems.push(`tool "${shown}" is left out: ${accepted.unusable}`);
    return undefined;
  }
  for (const problem of accepted.problems) problems.push(`the schema of tool "${shown}" is shown in part: ${problem}`);
  const annotations = isRecord(entry["annotations"]) ? entry["annotations"] : {};
  const said = text(entry["description"]) || text(entry["title"]) || text(annotations["title"]) || name;
  return {
    name,
    description: clip([said, ...accepted.hints].join("\n"), DESCRIPTION),
    schema: accepted.schema,
    readOnly: annotations["readOnlyHint"] === true,
    destructive: annotations["destructiveHint"] === true,
  };
}

export async function listPrompts(connection: Connection, signal: AbortSignal): Promise<Listed<RemotePrompt>> {
  const most = MOST_OTHERS;
  const pages = await allPages(connection, { method: "prompts/list", key: "prompts", most, signal });
  const prompts = new Map<string, RemotePrompt>();
  for (const entry of pages.entries) {
    const name = text(entry["name"]);
    if (name === "" || prompts.has(name)) continue;
    const listed = Array.isArray(entry["arguments"]) ? entry["arguments"].filter(isRecord) : [];
    prompts.set(name, {
      name,
      description: clip(text(entry["description"]) || text(entry["title"]), 300),
      arguments: listed.slice(0, 50).map((one) => ({
        name: text(one["name"]),
        description: clip(text(one["description"]), 200),
        required: one["required"] === true,
      })).filter((one) => one.name !== ""),
    });
  }
  return { items: [...prompts.values()], problems: pages.problems };
}

export async function listResources(connection: Connection, signal: AbortSignal): Promise<Listed<RemoteResource>> {
  const most = MOST_OTHERS;
  const pages = await allPages(connection, { method: "resources/list", key: "resources", most, signal });
  const resources = new Map<string, RemoteResource>();
  for (const entry of pages.entries) {
    const uri = text(entry["uri"]);
    if (uri === "" || resources.has(uri)) continue;
    const mimeType = text(entry["mimeType"]);
    resources.set(uri, {
      uri,
      name: clip(text(entry["title"]) || text(entry["name"]), 200),
      description: clip(text(entry["description"]), 300),
      ...(mimeType === "" ? {} : { mimeType }),
    });
  }
  return { items: [...resources.values()], problems: pages.problems };
}

interface Pages {
  readonly entries: readonly Fields[];
  readonly problems: readonly string[];
}

async function allPages(
  connection: Connection,
  how: { readonly method: string; readonly key: string; readonly most: number; readonly signal: AbortSignal },
): Promise<Pages> {
  const entries: Fields[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0;; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await connection.call(how.method, params, { signal: how.signal });
    const listed = result[how.key];
    if (Array.isArray(listed)) append(entries, listed.filter(isRecord));
    const next = result["nextCursor"];
    // An empty cursor is one: some servers name their second page so.
    if (typeof next !== "string") return { entries, problems: [] };
    const stop = seen.has(next)
      ? `${how.method}: the same page is named again and again; the rest is left out`
      : page + 1 >= PAGES
      ? `${how.method}: more than ${PAGES} pages; the rest is left out`
      : entries.length >= how.most
      ? `${how.method}: more than ${how.most} entries; the rest is left out`
      : undefined;
    if (stop !== undefined) return { entries: entries.slice(0, how.most), problems: [stop] };
    seen.add(next);
    cursor = next;
  }
}

function few(problems: readonly string[]): string[] {
  const unique = [...new Set(problems)];
  return unique.length <= PROBLEMS ? unique : [...unique.slice(0, PROBLEMS), `and ${unique.length - PROBLEMS} more`];
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
