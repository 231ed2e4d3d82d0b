/** What has to hold after every step. Each check takes facts and answers what is wrong with them, in words; none waits. */
import { isTranscriptName } from "../../../src/sessions/paths.ts";
import { type Check, strictChat, strictMessages, strictResponses } from "../../../tests/support/strict_endpoints.ts";
import type { KindName } from "../../../tests/support/wire_speech.ts";
import type { Seen } from "./endpoint.ts";
import { isWholeFile } from "./rounds.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

export interface Stored {
  readonly id: string;
  readonly messages: readonly Json[];
  /** Lines that are no JSON, but for the last one. */
  readonly broken: number;
  /** The last line is cut. */
  readonly torn: boolean;
}

export function readStored(folder: string): Stored[] {
  let names: string[];
  try {
    names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
  return names.filter(isTranscriptName).sort().map((name) => {
    const lines = Deno.readTextFileSync(`${folder}/${name}`).split("\n");
    const last = lines.pop()!;
    const parsed = lines.map(toJson);
    return {
      id: name.replace(/\.jsonl$/, ""),
      messages: parsed.filter((message) => message !== undefined),
      broken: parsed.filter((message) => message === undefined).length,
      torn: last !== "",
    };
  });
}

export function toJson(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const WORDS = /(?:ask|reply)-e\d+s\d+(?:t\d+)?(?:r\d+)?/g;

/** The words that a text is known by. */
export const wordsIn = (text: string): string[] => [...new Set(text.match(WORDS) ?? [])];

const textOf = (message: Json): string => `${message.raw_content ?? ""}\n${message.content ?? ""}`;

/** Nothing that was acknowledged is lost. */
export function lostWords(
  acknowledged: { readonly asks: Iterable<string>; readonly replies: Iterable<string> },
  stored: readonly Stored[],
): string[] {
  const of = (role: string) =>
    new Set(
      stored.flatMap(({ messages }) => messages.filter((message) => message.role === role)).map(textOf).flatMap(
        wordsIn,
      ),
    );
  const [asks, replies] = [of("user"), of("assistant")];
  return [
    ...[...acknowledged.asks].filter((word) => !asks.has(word)).map((word) => `${word} was sent and is not stored`),
    ...[...acknowledged.replies].filter((word) => !replies.has(word)).map((word) =>
      `${word} was told and is not stored`
    ),
  ];
}

/** Every line of a session can be read; only what was killed or had no space may leave its last one torn. */
export function brokenLines(stored: readonly Stored[], options: { readonly mayBeTorn: boolean }): string[] {
  return stored.flatMap(({ id, broken, torn }) => [
    ...(broken > 0 ? [`session ${id} has ${broken} lines that cannot be read`] : []),
    ...(torn && !options.mayBeTorn ? [`session ${id} ends in a torn line`] : []),
  ]);
}

/** The program's other logs of lines: what is torn is the last line, or was the last one once. */
export function brokenLogs(
  logs: readonly { readonly path: string; readonly text: string }[],
  mayBeTorn: number,
): string[] {
  return logs.flatMap(({ path, text }) => {
    const broken = text.split("\n").filter((line) => line !== "" && toJson(line) === undefined).length;
    return broken > mayBeTorn ? [`${path} has ${broken} lines that cannot be read`] : [];
  });
}

/** Lines of a machine's form of output: each one JSON, but for a last one that a kill has cut. */
export function brokenOutput(text: string, options: { readonly mayBeTorn: boolean }): string[] {
  const lines = text.split("\n");
  const last = lines.pop()!;
  const bad = lines.filter((line) => toJson(line) === undefined);
  return [
    ...bad.map((line) => `a line of output is no JSON: ${line.slice(0, 120)}`),
    ...(last !== "" && !options.mayBeTorn ? [`the last line of output is torn: ${last.slice(0, 120)}`] : []),
  ];
}

/** Events: numbered without a gap, every call that starts ends, one end of the turn and one result, when it could end. */
export function oddEvents(text: string, options: { readonly ended: boolean }): string[] {
  const records = text.split("\n").map(toJson).filter((record) => record !== undefined);
  const events = records.filter((record) => record.kind !== undefined);
  const problems: string[] = [];
  const gap = events.findIndex(({ seq }, at) => seq !== at + 1);
  if (gap >= 0) problems.push(`event ${gap + 1} has number ${events[gap].seq}`);
  if (!options.ended) return problems;
  const ids = (kind: string) => events.filter((event) => event.kind === kind).map(({ tool }) => tool.id);
  const finished = ids("tool_result");
  for (const id of ids("tool_started")) if (!finished.includes(id)) problems.push(`call ${id} began and has no result`);
  const turns = events.filter(({ kind }) => kind === "turn_done").length;
  const begun = events.filter(({ kind }) => kind === "turn_started").length;
  if (turns !== begun) problems.push(`${begun} turns began and ${turns} are done`);
  const results = records.filter(({ type }) => type === "result").length;
  if (results !== 1) problems.push(`${results} results`);
  return problems;
}

/** Words of answers that were told as stored: a `message` event, or the result. */
export function toldReplies(text: string): string[] {
  return text.split("\n").map(toJson).flatMap((record) => {
    const event = record?.event ?? record;
    const said = event?.kind === "message" ? event.text : event?.type === "result" ? event.result : undefined;
    return typeof said === "string" ? wordsIn(said) : [];
  });
}

/** Results that were told before another call began are stored; `tool_call_id`s. */
export function lostResults(text: string, stored: readonly Stored[]): string[] {
  const kept = new Set(stored.flatMap(({ messages }) => messages.map(({ tool_call_id }) => tool_call_id)));
  const events = text.split("\n").map(toJson).filter((record) => record !== undefined);
  const last = events.findLastIndex(({ kind }) => kind === "tool_started");
  return events.slice(0, Math.max(0, last))
    .filter(({ kind, tool }) => kind === "tool_result" && !tool.readOnly && !kept.has(tool.id))
    .map(({ tool }) => `the result of ${tool.id} was told and is not stored`);
}

/** Without the marks that move and change nothing of the content. */
function bare(value: Json): Json {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== "cache_control").map(([key, one]) => [key, bare(one)]),
  );
}

const conversationOf = (body: Json): string => JSON.stringify(bare(body.messages ?? body.input));
const fixedOf = (body: Json): string =>
  JSON.stringify(bare({ system: body.system ?? body.instructions, tools: body.tools }));

/** How each conversation has begun so far, in the words of each wire: what comes later begins alike. */
export class Prefixes {
  readonly #known = new Map<string, Map<KindName, string>>();
  compared = 0;

  /** Requests of one program in one conversation, in order. `undefined`: nobody knows which conversation it is. */
  follow(session: string | undefined, requests: readonly Seen[]): string[] {
    const problems: string[] = [];
    const known = (session === undefined ? undefined : this.#known.get(session)) ?? new Map<KindName, string>();
    let fixed: string | undefined;
    for (const { wire, body, isSummary } of requests) {
      if (isSummary) {
        known.clear();
        continue;
      }
      const conversation = conversationOf(body);
      const before = known.get(wire);
      if (before !== undefined) {
        this.compared++;
        if (!extendsIt(conversation, before)) {
          problems.push(`a request does not extend the one before: ${difference(conversation, before)}`);
        }
      }
      known.set(wire, conversation);
      if (fixed !== undefined && fixed !== fixedOf(body)) {
        problems.push(`system or tools changed: ${difference(fixedOf(body), fixed)}`);
      }
      fixed = fixedOf(body);
    }
    if (session !== undefined) this.#known.set(session, known);
    return problems;
  }

  copy(from: string, to: string): void {
    const known = this.#known.get(from);
    if (known) this.#known.set(to, new Map(known));
  }

  /** The conversation was cut, folded or branched on purpose. */
  forget(session: string): void {
    this.#known.delete(session);
  }
}

const open = (text: string) => text.replace(/[\]}]+$/, "");
const extendsIt = (later: string, earlier: string) => later.startsWith(open(earlier));

function difference(later: string, earlier: string): string {
  let at = 0;
  while (at < earlier.length && later[at] === earlier[at]) at++;
  return `at ${at}: …${earlier.slice(Math.max(0, at - 60), at + 100)}… became …${
    later.slice(Math.max(0, at - 60), at + 100)
  }…`;
}

const STRICT: Readonly<Record<KindName, Check>> = {
  openai: strictChat({ reasoning: false }),
  anthropic: strictMessages("anthropic"),
  responses: strictResponses,
};

/** Each request would be taken by an endpoint that takes nothing wrong, and is written in one way alone. */
export function invalidRequests(requests: readonly Seen[]): string[] {
  return requests.flatMap(({ wire, body, text }) => {
    const wrong = STRICT[wire](body);
    return [
      ...(wrong === undefined ? [] : [`${wire}: ${wrong}`]),
      ...(JSON.stringify(body) === text ? [] : [`${wire}: a request is not in its one form`]),
    ];
  });
}

/** A secret as it may stand in a text. */
export function spellings(secret: string): string[] {
  return [
    ...new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      btoa(secret).replace(/=+$/, ""),
    ]),
  ];
}

/** `where` a secret shows, in any of its spellings. */
export function shownSecrets(
  secrets: readonly string[],
  places: readonly { readonly where: string; readonly text: string }[],
): string[] {
  const forms = secrets.flatMap(spellings);
  return places.filter(({ text }) => forms.some((form) => text.includes(form))).map(({ where }) =>
    `a key shows in ${where}`
  );
}

/** The head of a request without the one line where a key belongs. */
export const withoutKeyLine = (head: string): string => head.replace(/^(?:authorization|x-api-key):.*$/gim, "");

/** No defect shows: a stack, or the code for one. */
export function defects(text: string): string[] {
  const found = /^\s+at .+[:(]\d+:\d+\)?$|Uncaught|panicked at|internal error|internal\.bug/m.exec(text);
  return found ? [`a defect shows: ${text.slice(Math.max(0, found.index - 200), found.index + 300)}`] : [];
}

const EXIT_CODES = [0, 1, 3, 4];

/** `blow`: the signal it was sent; it may die of it before it listens. */
export function oddExit(
  ending: { readonly code: number; readonly signal: string | null },
  blow: string | undefined,
): string[] {
  if (ending.signal !== null && ending.signal === blow) return [];
  if (ending.signal === null && EXIT_CODES.includes(ending.code)) return [];
  return [`it ended with ${ending.signal ?? ending.code}${blow ? ` after ${blow}` : ""}`];
}

/** Files that only stand for something that goes on. */
export function leftovers(paths: readonly string[]): string[] {
  return paths.filter((path) =>
    /(?:\.tmp|~|\.partial|\.lock|\.lease\.json)$|\/reasonix-[^/]*(?:\/|$)|\/pending-writes\//.test(path)
  );
}

export function tornFiles(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.filter(({ text }) => !isWholeFile(text)).map(({ path, text }) =>
    `${path} is not one whole version: ${text.slice(0, 60)} … ${text.slice(-60)}`
  );
}
