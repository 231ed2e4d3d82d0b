/**
 * One fold: a plan in hand, a summary is asked for, the folded view is weighed, and either takes the place of the older
 * part or leaves everything as it was. Told from its start to its end by events; its receipt stays.
 */
import type { FoldReceipt, FoldReport, FoldTrigger, Projection, SummaryUsage } from "../../contract/context.ts";
import { type ErrorCode, isAbort } from "../../contract/errors.ts";
import type { EventBody } from "../../contract/event.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Transcript } from "../../contract/session.ts";
import { errorText } from "../../lib/error_text.ts";
import { isCancelled } from "../model_call.ts";
import type { Outgoing } from "../outgoing.ts";
import { PrefixWatch } from "../prefix.ts";
import { toUsageEvent } from "../usage_event.ts";
import { type Budgets, SUMMARY_MIN } from "./budgets.ts";
import { isDigest, summaryOf, toDigest } from "./digest.ts";
import type { FoldMemory } from "./fold_memory.ts";
import type { FoldPlan, FoldWish } from "./plan.ts";
import { prefixHash, textHash } from "./prefix_hash.ts";
import { type SummarySource, toSource } from "./source.ts";
import { summarize, type Summary, SUMMARY_OVERHEAD, type SummarySpend } from "./summarize.ts";
import type { FixedPart, TokenMeter } from "./tokens.ts";

export interface FoldOrder {
  readonly trigger: FoldTrigger;
  readonly wish: FoldWish;
  readonly focus?: string;
}

export interface FoldPorts {
  readonly provider: Provider;
  readonly transcript: Transcript;
  /** What the host knows of the present and a summary might forget, such as the task list. */
  facts?(): readonly string[];
  /** Guidance for a summary that is about to be made. */
  guidance?(trigger: FoldTrigger, signal: AbortSignal): Promise<readonly string[]>;
  emit(body: EventBody): void;
  /** Unix time in milliseconds. */
  now(): number;
}

/** What a fold is made with. */
export interface FoldTools {
  readonly ports: FoldPorts;
  readonly budgets: Budgets;
  /** For records: the ratio in force. */
  readonly ratio: number;
  readonly memory: FoldMemory;
  readonly meter: TokenMeter;
  readonly outgoing: Outgoing;
}

export interface FoldTask {
  /** Unique in the session. */
  readonly id: string;
  readonly plan: FoldPlan;
  readonly order: FoldOrder;
  readonly fixed: FixedPart;
  readonly signal: AbortSignal;
  /** Tokens of the view so far. */
  readonly sourceTokens: number;
  /** Tokens a character, for kept turns. */
  readonly keepFactor: number;
}

/** Characters of a summary between two words about its progress. */
const PROGRESS_STEP = 400;

export class Folding {
  readonly #tools: FoldTools;
  readonly #task: FoldTask;
  /** Messages of the transcript when it began. */
  readonly #covered: number;

  constructor(tools: FoldTools, task: FoldTask) {
    this.#tools = tools;
    this.#task = task;
    this.#covered = tools.ports.transcript.messages.length;
  }

  /** Rejects with `turn.cancelled` when it is stopped, and for a defect; then nothing has changed. */
  async run(): Promise<FoldReport> {
    const { ports, memory } = this.#tools;
    const { id, plan, order, signal, sourceTokens } = this.#task;
    const before = memory.state;
    ports.emit({ kind: "compaction_started", id, trigger: order.trigger, messages: plan.cut });
    try {
      const receipt = await this.#receipt();
      await memory.save({ ...memory.state, lastReceipt: receipt });
      const summary = await this.#summary();
      this.#tellUsage(summary);
      if (summary.kind === "failure") return this.#end(await this.#refuse(receipt, summary));
      return await this.#install(receipt, summary);
    } catch (error) {
      const stopped = isCancelled(error) || isAbort(error, signal);
      await memory.save(before);
      this.#end({
        outcome: stopped ? "cancelled" : "failed",
        text: stopped ? "stopped; nothing has changed" : `internal error: ${errorText(error)}`,
        sourceTokens,
        code: stopped ? "turn.cancelled" : "internal.bug",
      });
      throw error;
    }
  }

  async #receipt(): Promise<FoldReceipt> {
    const { ports, budgets, memory } = this.#tools;
    const { id, plan, order, sourceTokens } = this.#task;
    return {
      operationId: id,
      status: "planned",
      action: "summary",
      trigger: order.trigger,
      generation: memory.state.generation,
      coveredCount: plan.cut,
      inputHash: await prefixHash(ports.transcript.messages, plan.cut),
      inputTokens: sourceTokens,
      triggerTokens: budgets.trigger,
      createdAt: ports.now(),
    };
  }

  async #summary(): Promise<Summary> {
    const { provider, emit } = this.#tools.ports;
    const { id, signal } = this.#task;
    const { cap, room } = this.#limits();
    const source = await this.#source(room);
    let told = 0;
    return await summarize(source.text, {
      provider,
      cap,
      signal,
      progress: (chars) => {
        if (chars >= told && chars < told + PROGRESS_STEP) return;
        told = chars;
        emit({ kind: "compaction_progress", id, chars });
      },
    });
  }

  /**
   * What a summary request may hold. After an overflow the window is not what the settings say, or a character has more
   * tokens than it seemed: only what was sent is known to be too much.
   */
  #limits(): { readonly cap: number; readonly room: number } {
    const { plan, order, sourceTokens } = this.#task;
    const room = this.#tools.budgets.window - plan.summaryCap - SUMMARY_OVERHEAD;
    if (order.trigger !== "overflow") return { cap: plan.summaryCap, room };
    return {
      cap: Math.min(plan.summaryCap, Math.max(SUMMARY_MIN, Math.floor(sourceTokens / 5))),
      room: Math.min(room, Math.floor(sourceTokens / 2)),
    };
  }

  async #source(room: number): Promise<SummarySource> {
    const { ports, memory, meter } = this.#tools;
    const { plan, order, signal } = this.#task;
    const { projection } = memory.state;
    const digest = projection?.messages.find(isDigest);
    const guided = await ports.guidance?.(order.trigger, signal) ?? [];
    const guidance = [order.focus ?? "", ...guided].filter((one) => one.trim() !== "");
    return toSource({
      messages: ports.transcript.messages,
      spans: plan.source,
      room: Math.floor(room / meter.factor),
      ...(projection && digest ? { prior: { summary: summaryOf(digest), covered: projection.coveredCount } } : {}),
      ...(guidance.length === 0 ? {} : { focus: guidance.join("\n") }),
    });
  }

  /** Weighs the folded view and puts it in force, or leaves everything as it was. */
  async #install(receipt: FoldReceipt, summary: Extract<Summary, { kind: "text" }>): Promise<FoldReport> {
    const { ports, memory, meter, outgoing } = this.#tools;
    const { plan, fixed, sourceTokens, keepFactor } = this.#task;
    const digest = toDigest(summary.text, ports.facts?.() ?? []);
    const messages = [...plan.head, ...plan.before, digest, ...plan.after];
    const view = [...messages, ...ports.transcript.messages.slice(plan.cut)];
    const resultTokens = meter.fixedTokens(fixed) + meter.sum(outgoing.toOutgoing(view));
    if (resultTokens > plan.limit) {
      const reason = `the folded view would have ${resultTokens} tokens, and at most ${plan.limit} would help`;
      const why = { ...summary, status: "blocked", code: "context.fold_rejected", reason } as const;
      return this.#end(await this.#refuse(receipt, why));
    }
    const [summaryHash, viewOutputHash] = await Promise.all([
      textHash(summary.text),
      prefixHash(messages, messages.length),
    ]);
    const generation = memory.state.generation + 1;
    const projection: Projection = {
      messages,
      transcriptVersion: this.#covered,
      projectionVersion: generation,
      coveredCount: plan.cut,
      coveredPrefixHash: receipt.inputHash,
      summaryHash,
      sourceTokens,
      projectionTokens: resultTokens,
      viewInputHash: receipt.inputHash,
      viewOutputHash,
      createdAt: ports.now(),
    };
    const applied: FoldReceipt = {
      ...receipt,
      status: "applied",
      outputHash: viewOutputHash,
      resultTokens,
      savedTokens: sourceTokens - resultTokens,
      summaryHash,
      summaryCap: summary.cap,
      ...spent(summary),
    };
    await memory.save({ generation, projection, lastReceipt: applied, keepFactor });
    meter.forget();
    return this.#tellApplied(applied, { generation, resultTokens, summary: summary.text });
  }

  #tellApplied(
    { operationId, inputTokens }: FoldReceipt,
    done: { readonly generation: number; readonly resultTokens: number; readonly summary: string },
  ): FoldReport {
    const { ports, budgets, ratio } = this.#tools;
    const { plan, order } = this.#task;
    const { generation, resultTokens, summary } = done;
    const report = this.#end({
      outcome: "applied",
      text: `folded ${plan.cut} messages: ${inputTokens} tokens became ${resultTokens}`,
      sourceTokens: inputTokens,
      resultTokens,
    }, summary);
    ports.emit({
      kind: "compaction_telemetry",
      id: operationId,
      trigger: order.trigger,
      generation,
      user_turns_kept: plan.userTurnsKept,
      user_turns_dropped: plan.userTurnsDropped,
      source_tokens: inputTokens,
      result_tokens: resultTokens,
      trigger_tokens: budgets.trigger,
      ratio,
    });
    if (plan.userTurnsDropped > 0) this.#warn(foldedTurns(plan.userTurnsDropped));
    return report;
  }

  async #refuse(
    receipt: FoldReceipt,
    why: SummarySpend & { readonly status: "blocked" | "failed"; readonly code: ErrorCode; readonly reason: string },
  ): Promise<FoldReport> {
    const { memory } = this.#tools;
    const { status, code, reason, cap } = why;
    const failed: FoldReceipt = { ...receipt, status, code, reason, summaryCap: cap, ...spent(why) };
    await memory.save({ ...memory.state, lastReceipt: failed });
    const text = `the conversation was not folded: ${reason}. It goes on as it is; /compact tries again`;
    this.#warn(text, code);
    return { outcome: status, text, code, sourceTokens: receipt.inputTokens };
  }

  /** The one `compaction_done` that the start has. */
  #end(report: FoldReport, summary?: string): FoldReport {
    const { outcome, text, code, resultTokens } = report;
    const { id, sourceTokens } = this.#task;
    this.#tools.ports.emit({
      kind: "compaction_done",
      id,
      outcome,
      text,
      sourceTokens,
      ...(resultTokens === undefined ? {} : { resultTokens }),
      ...(code === undefined ? {} : { code }),
      ...(summary === undefined ? {} : { summary }),
    });
    return report;
  }

  #tellUsage({ usage }: Summary): void {
    if (!usage) return;
    const { provider, emit } = this.#tools.ports;
    const { fixed, sourceTokens: contextTokens } = this.#task;
    const cacheDiagnostics = new PrefixWatch().observe({ ...fixed, messages: [] })();
    emit(toUsageEvent(usage, { provider, source: "compaction", contextTokens, cacheDiagnostics }));
  }

  #warn(text: string, code?: string): void {
    this.#tools.ports.emit({ kind: "notice", level: "warning", text, ...(code === undefined ? {} : { code }) });
  }
}

function spent({ calls, usage }: SummarySpend): { readonly summaryUsage: SummaryUsage } {
  return {
    summaryUsage: {
      calls,
      requestAttempts: usage?.requestAttempts ?? calls,
      inputTokens: usage?.prompt ?? 0,
      outputTokens: usage?.completion ?? 0,
      ...(usage?.reasoning === undefined ? {} : { reasoningTokens: usage.reasoning }),
      ...(usage?.cacheHit === undefined ? {} : { cacheHitTokens: usage.cacheHit }),
      ...(usage?.cacheMiss === undefined ? {} : { cacheMissTokens: usage.cacheMiss }),
    },
  };
}

function foldedTurns(count: number): string {
  const turns = count === 1 ? "1 of your messages was" : `${count} of your messages were`;
  return `${turns} too long to keep word for word and went into the summary; begin a message with [[keep]] to hold it`;
}
