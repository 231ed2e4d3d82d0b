/** Searching past conversations and reading around a hit. Every answer is text for the model. */
import { ToolError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { aboveFloor, rarity, saturation } from "../../lib/bm25.ts";
import { toTerms } from "../../lib/search_terms.ts";
import { SerialGate } from "../../lib/serial_gate.ts";
import { snippetOf } from "../../lib/snippet.ts";
import { dirname } from "../../lib/path.ts";
import { parseRecord } from "../record.ts";
import { scanLines } from "../scan.ts";
import { readSpan } from "../transcript_file.ts";
import { type Kind, KINDS, searchableOf, USUAL_KINDS } from "./entries.ts";
import type { HistoryOptions } from "./history.ts";
import { type HistoryIndex, isOfDatabase, openHistoryIndex, type Place, type Statistics } from "./history_index.ts";
import { findPastSession, type HistoryScope, listPastSessions, type PastSession, shownPath } from "./places.ts";

const SNIPPET = 240;
const USUAL_LIMIT = 8;
/** Scored one by one. */
const CANDIDATES = 100;
const USUAL_SPAN = 3;
/** Characters of one message around a hit, and of arguments and system prompts. */
const SHOWN_TEXT = 2_000;
const SHOWN_DATA = 1_200;

interface Hit {
  readonly place: Place;
  readonly message: Message;
  readonly text: string;
  readonly score: number;
  readonly matched: readonly string[];
}

export class HistorySearch {
  readonly #options: HistoryOptions;
  #index: Promise<HistoryIndex> | undefined;
  /** One look after the other: the index has one connection. */
  readonly #gate = new SerialGate();

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  async look(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolOutput> {
    const answer = () => args.operation === "around" ? this.#around(args, signal) : this.#search(args, signal);
    return await this.#gate.run(async () => {
      const text = await answer().catch(async (error) => {
        if (!isOfDatabase(error)) throw error;
        // Damaged while it was in use: opening it again makes it anew.
        await this.#closeIndex();
        await Deno.remove(this.#options.cacheFile).catch(() => {});
        return await answer();
      });
      return { text, bound: { keep: "head" as const, bytes: 32_000 } };
    });
  }

  async close(): Promise<void> {
    await this.#gate.run(() => this.#closeIndex());
  }

  async #closeIndex(): Promise<void> {
    const index = await this.#index?.catch(() => undefined);
    this.#index = undefined;
    index?.close();
  }

  async #search(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
    const terms = [...new Set(toTerms(String(args.query ?? "")))];
    if (terms.length === 0) throw new ToolError("search needs query: a few rare words of what you look for");
    const scope = scopeOf(args);
    const kinds = (args.kind as Kind[] | undefined)?.length ? args.kind as Kind[] : USUAL_KINDS;
    const limit = Math.max(1, (args.limit as number | undefined) ?? USUAL_LIMIT);
    const sessions = listPastSessions(this.#options.folders, scope);
    const index = await this.#open();
    const isWhole = await index.follow(sessions.map(({ path }) => path), signal);
    index.forgetMissing();
    const statistics = index.statistics(terms);
    const places = index.candidates(terms, statistics, {
      paths: sessions.map(({ path }) => path),
      kinds,
      limit: CANDIDATES,
      ...(typeof args.tool_name === "string" && args.tool_name !== "" ? { tool: args.tool_name } : {}),
    });
    const hits = aboveFloor(this.#score(places, terms, statistics));
    const stale = isWhole
      ? []
      : ["(another program is bringing the index up to date; the newest messages may be missing)"];
    if (hits.length === 0) return [advice(scope, kinds, args.tool_name), ...stale].join("\n");
    const byPath = new Map(sessions.map((session) => [session.path, session]));
    const lines = hits.slice(0, limit).map((hit) => toHitText(hit, byPath.get(hit.place.path)!));
    const rest = hits.length > limit ? [`(${hits.length - limit} more; raise limit or add a rarer word)`] : [];
    return [...lines, ...rest, ...stale].join("\n");
  }

  /** By the numbers of the one engine; what a copy of a session repeats counts once. */
  #score(places: readonly Place[], terms: readonly string[], statistics: Statistics): Hit[] {
    const { path, turnStart } = this.#options.current();
    const running = shownPath(path);
    const wanted = new Set(terms);
    const seen = new Set<string>();
    const hits: Hit[] = [];
    for (const place of places) {
      if (place.path === running && place.message >= turnStart) continue;
      const message = readMessage(place);
      const text = message && searchableOf(message)[place.part]?.text;
      if (message === undefined || text === undefined) continue;
      const same = `${place.kind} ${place.message} ${text.slice(0, 2_000)}`;
      if (seen.has(same)) continue;
      seen.add(same);
      const counts = new Map<string, number>();
      for (const term of toTerms(text)) if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
      const length = place.terms / statistics.averageTerms;
      let score = 0;
      for (const [term, count] of counts) {
        score += rarity(statistics.having.get(term) ?? 0, statistics.entries) * saturation(count, length);
      }
      if (score > 0) hits.push({ place, message, text, score, matched: [...counts.keys()] });
    }
    return hits.sort((a, b) => b.score - a.score || (b.message.createdAt ?? 0) - (a.message.createdAt ?? 0));
  }

  async #around(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
    const { session_path: ref, message_index: at } = args;
    if (typeof ref !== "string" || typeof at !== "number") {
      throw new ToolError("around needs session_path and message_index, as a hit of search gives them");
    }
    // Where it may look does not depend on how wide the search was that found the place.
    const session = findPastSession(ref, this.#options.folders, args.scope === "project" ? "project" : "global");
    if (session === undefined) {
      throw new ToolError("session_path is none of the sessions that history searches; copy it from a hit");
    }
    const span = (key: string) => Math.max(0, (args[key] as number | undefined) ?? USUAL_SPAN);
    const from = Math.max(0, at - span("before"));
    const to = at + span("after");
    const index = await this.#open();
    await index.follow([session.path], signal);
    const start = index.before(session.path, from);
    const { window, last } = await readWindow(session.path, { from, to, start }, signal);
    if (!window.has(at)) {
      throw new ToolError(`session ${session.id} ends with message ${last}; there is no message ${at}`);
    }
    const shown = [...window].map(([number, message]) => toMessageText(number, message, number === at));
    return [`session_id=${session.id} source=${session.source}\nsession_path=${session.path}`, ...shown].join("\n\n");
  }

  #open(): Promise<HistoryIndex> {
    const { cacheFile } = this.#options;
    this.#index ??= Deno.mkdir(dirname(cacheFile), { recursive: true, mode: 0o700 }).catch(() => {})
      .then(() => openHistoryIndex(cacheFile));
    this.#index.catch(() => this.#index = undefined);
    return this.#index;
  }
}

function scopeOf(args: Readonly<Record<string, unknown>>): HistoryScope {
  return args.scope === "global" ? "global" : "project";
}

function readMessage({ path, offset, bytes }: Place): Message | undefined {
  try {
    using file = Deno.openSync(path, { read: true });
    const record = parseRecord(readSpan(file, { offset, length: bytes }));
    return record.kind === "message" ? record.message : undefined;
  } catch {
    // Gone or rewritten since it was listed.
    return undefined;
  }
}

class Enough extends Error {}

/** The messages from `from` to `to`, by number, and the number of the last one that was seen. */
async function readWindow(
  path: string,
  range: {
    readonly from: number;
    readonly to: number;
    readonly start: { readonly message: number; readonly offset: number } | undefined;
  },
  signal: AbortSignal,
): Promise<{ readonly window: ReadonlyMap<number, Message>; readonly last: number }> {
  using file = Deno.openSync(path, { read: true });
  const window = new Map<number, Message>();
  let number = range.start?.message ?? 0;
  try {
    await scanLines(file, ({ bytes, ended }) => {
      signal.throwIfAborted();
      const record = bytes === undefined || !ended ? undefined : parseRecord(bytes);
      if (record?.kind !== "message") return;
      if (number > range.to) throw new Enough();
      if (number >= range.from) window.set(number, record.message);
      number++;
    }, range.start?.offset ?? 0);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return { window, last: number - 1 };
}

function toHitText({ place, message, text, score, matched }: Hit, { id, source }: PastSession): string {
  const { message: number, kind, tool, path } = place;
  const head = `score=${score.toFixed(2)} source=${source} session_id=${id} message_index=${number} kind=${kind} ` +
    `role=${message.role}${tool === undefined ? "" : ` tool=${tool}`}`;
  return `${head}\n  session_path=${path}\n  ${snippetOf(text, matched, SNIPPET)}`;
}

function toMessageText(number: number, message: Message, isHit: boolean): string {
  const { role, name, tool_calls = [] } = message;
  const text = (role === "user" ? message.raw_content : undefined) ?? message.content ?? "";
  const head = `${isHit ? ">" : " "} [${number}] ${role}${name === undefined ? "" : ` ${name}`}` +
    (message.host_authored ? " (host)" : "");
  const calls = tool_calls.map((call) => `call ${call.name} ${cut(call.arguments, SHOWN_DATA)}`);
  return [head, ...(text === "" ? [] : [cut(text, role === "system" ? SHOWN_DATA : SHOWN_TEXT)]), ...calls].join("\n");
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text.slice(0, length)}… (${text.length - length} more characters)`.toWellFormed();
}

function advice(scope: HistoryScope, kinds: readonly Kind[], tool: unknown): string {
  const ideas = [
    "rarer or fewer words, such as an identifier, a path or an error code",
    ...(scope === "project" ? ["scope=global for sessions outside this project and archives"] : []),
    ...(kinds.length < KINDS.length ? ["kind=[tool_output] for what tools printed"] : []),
    ...(typeof tool === "string" && tool !== "" ? ["leaving out tool_name"] : []),
  ];
  return `No matching messages. Try ${ideas.join("; ")}. What was saved on purpose is in memory.`;
}
