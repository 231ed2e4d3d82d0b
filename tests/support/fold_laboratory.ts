/**
 * A long conversation made from a seed, folded again and again by a summariser that forgets at random, and held after
 * every fold against what the contract promises, reckoned here a second time from the transcript alone.
 */
import assert from "node:assert/strict";
import type { EventBody } from "../../src/contract/event.ts";
import { ReasonixError } from "../../src/contract/errors.ts";
import type { Message } from "../../src/contract/message.ts";
import type { ModelRequest } from "../../src/contract/provider.ts";
import type { ToolOutput } from "../../src/contract/tool.ts";
import { bed, MemoryStore } from "./fold_bed.ts";
import { createRandom } from "./random.ts";
import type { ScriptedAnswer, ScriptStep } from "./scripted_provider.ts";

export interface Laboratory {
  readonly seed: number;
  /** Tokens. */
  readonly window: number;
  readonly ratio: number;
  readonly folds: number;
  /** Chances of 0 to 1. */
  readonly restart: number;
  readonly brokenModel: number;
  readonly brokenSummary: number;
}

export interface Findings {
  readonly folds: number;
  readonly requests: number;
  readonly kept: number;
  readonly dropped: number;
  readonly failures: number;
  readonly restarts: number;
}

const MARKS = ["[[keep]]", "[keep]", "<keep>", "<!-- keep -->"];
const isMark = (text: string) => MARKS.some((mark) => text.startsWith(mark));
const isPersons = (message: Message) => message.role === "user" && !message.host_authored && !message.local_only;
const isDigest = (message: Message) => message.content?.startsWith("<compaction-summary>") === true;
const wire = ({ role, content, tool_calls, tool_call_id }: Message) =>
  JSON.stringify([role, content ?? "", tool_calls ?? [], tool_call_id ?? ""]);

/** Throws for the first promise that is not kept. */
export async function runLaboratory(setting: Laboratory): Promise<Findings> {
  const random = createRandom(setting.seed);
  const chance = (p: number) => random() < p;
  const between = (a: number, b: number) => Math.floor(a + random() * (b - a));
  const store = new MemoryStore();
  const findings = { folds: 0, requests: 0, kept: 0, dropped: 0, failures: 0, restarts: 0 };
  let lastSummary = "";
  let results = 0;

  const summarize = (request: ModelRequest): ScriptedAnswer => {
    if (chance(setting.brokenSummary)) {
      return [{ text: "" }, { text: "## Goal", finish: "length" as const }, {
        error: new ReasonixError("provider.transient", "HTTP 500"),
      }][between(0, 3)]!;
    }
    const lines = request.messages[0]!.content!.split("\n").filter(() => chance(0.02)).map((line) => line.slice(0, 80));
    lastSummary = `## Goal\n${lines.join("\n").slice(0, 2000)}\nend of summary ${++results}`;
    return { text: lastSummary };
  };

  const work = ({ chars, fails, id }: Record<string, unknown>): ToolOutput => {
    const noise = `line of result ${id}, all well\n`.repeat(Math.ceil(Number(chars) / 30)).slice(0, Number(chars));
    if (fails === "record") {
      const text = `=== RUN ${id}\n${noise}\n--- FAIL: planted ${id}\nok so far\nexit status 1`;
      return { text, failed: true, execution: { state: "completed", exit_code: 1 }, bound: WHOLE };
    }
    if (fails === "text") return { text: `error: planted ${id}`, failed: true };
    return { text: noise, execution: { state: "completed", exit_code: 0 }, bound: WHOLE };
  };

  const script: ScriptStep[] = [];
  const open = (stored: readonly Message[] = []) => {
    const opened = bed([], {
      contextWindow: setting.window,
      context: { ratio: setting.ratio },
      store,
      stored,
      summarize,
      work,
      script: () => script.shift(),
      system: "The system prompt. ".repeat(20),
    });
    return { ...opened, seen: 0 };
  };

  let bench = open();
  let covered = 0;
  for (let turn = 1; findings.folds < setting.folds; turn++) {
    assert.ok(turn < setting.folds * 400, `no fold for too long (seed ${setting.seed})`);
    const words = personsWords(turn);
    script.length = 0;
    for (let round = between(0, 6); round > 0; round--) {
      const calls = Array.from({ length: between(1, 3) }, (_, at) => ({
        name: "work",
        args: {
          id: `t${turn}-${round}-${at}`,
          chars: between(20, setting.window / 3),
          fails: chance(0.15) ? (chance(0.5) ? "record" : "text") : "no",
        },
      }));
      script.push({ text: chance(0.3) ? `thinking about ${turn}` : "", calls });
    }
    script.push(
      chance(setting.brokenModel)
        ? { error: new ReasonixError("provider.interrupted", "cut") }
        : { text: `answer ${turn} `.repeat(between(1, 60)) },
    );
    await bench.run(words);
    check();
    if (bench.agent.context.used >= bench.agent.context.trigger) {
      // A blocked generation is folded at the person's wish alone.
      for (let tries = 0; tries < 40 && (await bench.compact()).outcome !== "applied"; tries++);
    }
    if (chance(setting.restart)) {
      const last = bench.provider.requests.at(-1);
      const folded = bench.provider.allowNextReset;
      check();
      // A fold that no request has shown yet is looked at no more.
      covered = JSON.parse(store.saved ?? "{}").projection?.coveredCount ?? 0;
      bench = open(bench.transcript.messages);
      findings.restarts++;
      script.push({ text: `back ${turn}` });
      await bench.run(`Are you there, ${turn}?`);
      const next = bench.provider.requests[0]!;
      if (last && !folded && bench.ofKind("compaction_done").length === 0) {
        assert.deepEqual(next.messages.slice(0, last.messages.length).map(wire), last.messages.map(wire));
      }
      check();
    }
  }
  return findings;

  function personsWords(turn: number): string {
    const size = chance(0.1) ? between(5000, 7500) : between(20, 600);
    const mark = turn > 1 && chance(0.15) ? `${MARKS[between(0, MARKS.length)]} ` : "";
    return `${mark}constraint ${turn}: ${"never do that. ".repeat(size / 15)}`;
  }

  /** Looks at what happened since the last look: each applied fold, with the first request behind it. */
  function check(): void {
    const { events, provider, transcript } = bench;
    let starting = 0;
    let request = 0;
    for (const [at, event] of events.entries()) {
      if (event.kind === "compaction_started") starting = event.messages;
      if (event.kind === "turn_phase") request++;
      if (at < bench.seen || event.kind !== "compaction_done" || event.outcome !== "applied") continue;
      // A fold between turns shows in the next request; then it is looked at later.
      const first = provider.requests[request];
      if (first === undefined) {
        bench.seen = at;
        return;
      }
      hold(first, starting, transcript.messages, telemetryAfter(events, at));
      findings.folds++;
    }
    bench.seen = events.length;
    findings.requests = Math.max(findings.requests, provider.requests.length);
  }

  function hold(
    request: ModelRequest,
    cut: number,
    stored: readonly Message[],
    told: Extract<EventBody, { kind: "compaction_telemetry" }>,
  ): void {
    const { keepFactor, projection } = JSON.parse(store.saved!);
    const tokensOf = (text: string) => Math.ceil((16 + text.length) * keepFactor);
    const { messages } = request;
    const digestAt = messages.findIndex(isDigest);
    assert.equal(messages.filter(isDigest).length, 1, "one digest");
    assert.equal(request.system, stored[0]!.content);
    assert.equal(messages[0]!.content, stored[1]!.content);

    // The tail: every message behind the cut, word for word.
    const tail = stored.slice(cut).filter((message) => !message.local_only).map(wire);
    const known = new Set(tail);
    const sent = messages.map(wire);
    const tailAt = sent.findIndex((_, at) => at > digestAt && known.has(sent[at]!));
    assert.ok(tailAt > 0 && messages[tailAt]!.role !== "tool");

    // The person's turns: exactly those the budgets allow, in order, once.
    const persons = stored.map((message, at) => ({ message, at })).filter(({ message, at }) =>
      at < cut && isPersons(message)
    );
    const words = ({ message }: { message: Message }) => message.raw_content ?? message.content ?? "";
    const kept = new Set<number>();
    const active = activeTurnAt(request, stored);
    const brief = persons[0]?.at === active ? undefined : persons[0];
    const pin = Math.min(1500, Math.floor(setting.window * 0.15));
    if (brief && tokensOf(words(brief)) <= pin) kept.add(brief.at);
    let room = Math.floor(setting.window * 0.15);
    for (const one of persons.toReversed()) {
      if (one.at === active || kept.has(one.at) || !isMark(words(one)) || tokensOf(words(one)) > room) continue;
      room -= tokensOf(words(one));
      kept.add(one.at);
    }
    room = Math.min(8192, Math.floor(setting.window * 0.05));
    for (const one of persons) {
      if (one.at === active || kept.has(one.at) || isMark(words(one))) continue;
      const size = tokensOf(words(one));
      if (size > 1500 || size > room) continue;
      room -= size;
      kept.add(one.at);
    }
    if (active !== undefined && active < cut) kept.add(active);
    const wanted = persons.filter(({ at }) => kept.has(at));
    const found = messages.slice(0, tailAt).filter(isPersons).map((message) => message.content);
    assert.deepEqual(
      found.map((text) => text!.slice(0, 60)),
      wanted.map((one) => (one.at === active ? one.message.content! : words(one)).slice(0, 60)),
      "the person's kept turns",
    );
    assert.deepEqual(found, wanted.map((one) => one.at === active ? one.message.content : words(one)));
    assert.deepEqual([told.user_turns_kept, told.user_turns_dropped], [wanted.length, persons.length - wanted.length]);

    // Failures since the fold before: their failure-carrying lines, beside the call that led to them.
    const failed = stored.slice(covered, cut).filter((message) =>
      message.role === "tool" && (message.tool_execution ? message.tool_execution.exit_code !== 0 : true)
    );
    const keptFailures = messages.slice(digestAt, tailAt).filter((message) => message.role === "tool");
    assert.ok(keptFailures.length <= failed.length);
    const newest = failed.slice(failed.length - keptFailures.length);
    assert.deepEqual(
      keptFailures.map((message) => message.content),
      newest.map(({ content, tool_execution }) =>
        tool_execution ? content!.split("\n").filter((line) => /FAIL|exit status/.test(line)).join("\n") : content
      ),
    );
    if (keptFailures.length < failed.length) {
      const limit = Math.min(setting.window / 2, told.source_tokens, told.trigger_tokens);
      assert.ok(told.result_tokens + 700 > limit, "failures gave way only for want of room");
    }
    findings.failures += keptFailures.length;

    // Everything else is gone into the digest, and the whole is as small as it has to be.
    assert.deepEqual(
      messages.slice(0, tailAt).filter((message) => message.role === "assistant" && !message.tool_calls),
      [],
    );
    assert.ok(told.result_tokens <= setting.window / 2 && told.result_tokens < told.source_tokens);
    assert.ok(told.result_tokens < told.trigger_tokens);
    assert.ok(projection.messages.length >= digestAt);
    findings.kept += wanted.length;
    findings.dropped += persons.length - wanted.length;
    covered = cut;
  }
}

const WHOLE = { keep: "head_tail", bytes: 32_000 } as const;

function telemetryAfter(events: readonly EventBody[], at: number) {
  return events.slice(at).find((event) => event.kind === "compaction_telemetry")!;
}

/** The turn whose opening the request holds, unless the request came before it. */
function activeTurnAt(request: ModelRequest, stored: readonly Message[]): number | undefined {
  const last = request.messages.findLast(isPersons);
  const at = stored.findLastIndex((message) => isPersons(message) && message.content === last?.content);
  return at < 0 ? undefined : at;
}
