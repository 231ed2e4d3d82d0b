/**
 * The loop: ask the model, run what it calls, append, again. It touches nothing but the ports it is handed; whatever
 * happens, a turn ends with exactly one `turn_done` and a transcript that can go on.
 */
import type { Compression, ContextStore, FoldReport } from "../contract/context.ts";
import type { Gate } from "../contract/decision.ts";
import { isAbort, ReasonixError } from "../contract/errors.ts";
import type { EventBody, TurnFailure, TurnOutcome } from "../contract/event.ts";
import type { GuidanceSource, InboxItem } from "../contract/inbox.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { InterruptedTurn, Message, ToolCall } from "../contract/message.ts";
import type { ModelAnswer, ModelRequest, Provider } from "../contract/provider.ts";
import type { Transcript } from "../contract/session.ts";
import type { ToolSet } from "../contract/tool.ts";
import type { Usage } from "../contract/usage.ts";
import { errorText } from "../lib/error_text.ts";
import { withoutTag } from "../lib/own_block.ts";
import { NO_BUDGET, Spending, type TurnBudget } from "./budget.ts";
import { findAnchor } from "./context/anchor.ts";
import { CONTEXT_DEFAULTS, type ContextSettings } from "./context/budgets.ts";
import type { ContextPart } from "./context/composition.ts";
import { type ContextGauge, ContextManager, type Situation } from "./context/context.ts";
import type { FoldOrder } from "./context/folding.ts";
import { dispatchCalls } from "./dispatch.ts";
import { recoveryBlock, toInterruptedTurn } from "./interruption.ts";
import { budgetLimit, type Limit, repeatLimit, roundLimit } from "./limit.ts";
import { callModel, cancelled, type ModelOutcome } from "./model_call.ts";
import { Observers } from "./observers.ts";
import { normalizeArguments, parseArguments } from "./outgoing.ts";
import { PrefixWatch } from "./prefix.ts";
import { ProgressLease } from "./progress.ts";
import { Repetition } from "./repetition.ts";
import { toStoredAnswer } from "./stored_answer.ts";
import { toUsageEvent } from "./usage_event.ts";
import * as notices from "./host_notices.ts";

export interface AgentPorts {
  readonly provider: Provider;
  readonly tools: ToolSet;
  readonly gate: Gate;
  readonly transcript: Transcript;
  readonly observers?: readonly LoopObserver[];
  /** Where folded views are remembered; absent: for as long as the agent lives. */
  readonly contextStore?: ContextStore;
  /** What the host knows of the present and a summary might forget, such as the task list; one block each. */
  foldFacts?(): readonly string[];
  /** Where the person's guidance for the running turn is found; absent: nobody gives any. */
  readonly guidance?: GuidanceSource;
  emit(body: EventBody): void;
  /** Unix time in milliseconds. */
  now(): number;
}

export interface AgentSettings {
  /** Opening of a new conversation. A resumed one keeps the opening it began with. */
  readonly opening: { readonly system: string; readonly sessionContext?: string };
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly effort?: string;
  /** Tool rounds of one turn; 0 no limit. */
  readonly maxSteps: number;
  /** What a turn may spend; absent: no limit. */
  readonly budget?: TurnBudget;
  /** When and how long conversations are folded. */
  readonly context?: ContextSettings;
}

export interface TurnSummary {
  readonly outcome: TurnOutcome;
  /** Last text of the model; empty when there was none. */
  readonly answer: string;
  readonly rounds: number;
  readonly failure?: TurnFailure;
}

export interface TurnOrigin {
  /** What the text is in the inbox: its stored message says so. */
  readonly inboxId?: string;
}

export interface Agent extends Compression {
  /** Runs one turn to its end. Never rejects but for a defect of the program; an abort is an outcome. One at a time. */
  runTurn(text: string, signal: AbortSignal, origin?: TurnOrigin): Promise<TurnSummary>;
  /** A turn runs that takes guidance before its next round. */
  readonly takesGuidance: boolean;
  /** How full the context is, as of the last request. */
  readonly context: ContextGauge;
  /** What the next request would consist of, by kind. */
  composition(): Promise<readonly ContextPart[]>;
  /** Folds the older part of the conversation now. Between turns, or within a call of the running turn. */
  fold(order: FoldOrder, signal: AbortSignal): Promise<FoldReport>;
}

/** Answers without text or calls are nudged this often before the turn fails. */
const EMPTY_NUDGES = 3;
/** Failures after which the next message simply goes on. */
const PAUSES: ReadonlySet<string> = new Set(["turn.max_steps", "turn.budget", "turn.repeats"]);

export function createAgent(ports: AgentPorts, settings: AgentSettings): Agent {
  return new Loop(ports, settings);
}

class Loop implements Agent {
  readonly #ports: AgentPorts;
  readonly #settings: AgentSettings;
  readonly #context: ContextManager;
  readonly #prefix = new PrefixWatch();
  readonly #lease = new ProgressLease();
  readonly #observers: Observers;
  #running = false;
  /** What the running turn has spent. */
  #spending = new Spending(NO_BUDGET, 0);
  /** Where the running turn begins in the transcript. */
  #activeTurn: number | undefined;

  constructor(ports: AgentPorts, settings: AgentSettings) {
    const emit = (body: EventBody) => {
      if (body.kind === "usage") this.#spending.add(body);
      ports.emit(body);
    };
    this.#ports = { ...ports, emit };
    this.#settings = settings;
    this.#observers = new Observers(ports.observers ?? [], emit);
    const { provider, transcript, contextStore, foldFacts, now } = ports;
    this.#context = new ContextManager({
      provider,
      transcript,
      ...(contextStore ? { store: contextStore } : {}),
      ...(foldFacts ? { facts: foldFacts } : {}),
      guidance: (trigger, signal) =>
        this.#observers.foldBegins({ trigger: trigger === "manual" || trigger === "tool" ? "manual" : "auto" }, signal),
      emit,
      now,
    }, settings.context ?? CONTEXT_DEFAULTS);
  }

  get context(): ContextGauge {
    return this.#context.gauge;
  }

  composition(): Promise<readonly ContextPart[]> {
    return this.#context.composition(this.#situation(new AbortController().signal));
  }

  fold(order: FoldOrder, signal: AbortSignal): Promise<FoldReport> {
    return this.#context.fold(order, this.#situation(signal));
  }

  async compress(request: Parameters<Compression["compress"]>[0], signal: AbortSignal): Promise<FoldReport> {
    const { anchor, direction, focus } = request;
    const at = findAnchor(this.#ports.transcript.messages, anchor, this.#activeTurn);
    const wish = { kind: direction, anchor: at };
    return await this.fold({ trigger: "tool", wish, ...(focus === undefined ? {} : { focus }) }, signal);
  }

  get takesGuidance(): boolean {
    return this.#running && this.#ports.guidance !== undefined;
  }

  async runTurn(text: string, signal: AbortSignal, origin: TurnOrigin = {}): Promise<TurnSummary> {
    const { emit, transcript, now } = this.#ports;
    emit({ kind: "user_message", text });
    emit({ kind: "turn_started" });
    this.#running = true;
    this.#spending = new Spending(this.#settings.budget ?? NO_BUDGET, now());
    const turn: Turn = {
      rounds: 0,
      answer: "",
      empty: 0,
      cut: 0,
      repetition: new Repetition(),
      interrupted: undefined,
      stored: Promise.resolve(),
    };
    let failure: TurnFailure | undefined;
    let outcome: TurnOutcome = "completed";
    try {
      await this.#open(text, signal, origin);
      await this.#rounds(turn, signal);
    } catch (error) {
      const typed = isAbort(error, signal) ? cancelled() : asReasonixError(error);
      failure = { code: typed.code, message: typed.message, ...(typed.remedy ? { remedy: typed.remedy } : {}) };
      outcome = typed.code === "turn.cancelled" ? "cancelled" : PAUSES.has(typed.code) ? "paused" : "failed";
      this.#record(turn.interrupted, typed);
    }
    this.#running = false;
    this.#activeTurn = undefined;
    try {
      transcript.endTurn();
      await transcript.sync();
    } catch (error) {
      const typed = asReasonixError(error);
      failure ??= { code: typed.code, message: typed.message };
      if (outcome === "completed") outcome = "failed";
    }
    await this.#observers.turnEnded({ outcome, answer: turn.answer, ...(failure ? { failure } : {}) });
    emit({
      kind: "turn_done",
      status: outcome === "completed" ? "completed" : outcome === "cancelled" ? "interrupted" : "failed",
      outcome,
      rounds: turn.rounds,
      ...(failure ? { failure } : {}),
    });
    return { outcome, answer: turn.answer, rounds: turn.rounds, ...(failure ? { failure } : {}) };
  }

  /** Writes what stands before the first round: the opening of a new conversation, then the person's message. */
  async #open(text: string, signal: AbortSignal, { inboxId }: TurnOrigin): Promise<void> {
    const { transcript, now } = this.#ports;
    const recovery = recoveryBlock(transcript.interrupted ?? transcript.messages.at(-1)?.interrupted_turn);
    const id = `turn-${now()}`;
    transcript.beginTurn({ id });
    if (transcript.messages.length === 0) {
      const { system, sessionContext } = this.#settings.opening;
      transcript.append({ role: "system", content: system });
      if (sessionContext) transcript.append({ role: "user", content: sessionContext, host_authored: true });
    }
    const first = !transcript.messages.some((message) => message.role === "user" && !message.host_authored);
    const { before, after, images, refusal } = await this.#observers.turnBegins({ id, text, first }, signal);
    if (refusal !== undefined) throw new ReasonixError("turn.refused", refusal);
    const budget = await this.#context.notice(this.#situation(signal));
    const blocks = [recovery, ...before, text, ...after, budget];
    const content = blocks.filter((block) => block !== undefined).join("\n\n");
    this.#activeTurn = transcript.messages.length;
    transcript.append({
      role: "user",
      content,
      ...(content === text ? {} : { raw_content: text }),
      ...(images.length === 0 ? {} : { images }),
      ...(inboxId === undefined ? {} : { inbox_id: inboxId }),
      createdAt: now(),
    });
    if (inboxId !== undefined) this.#ports.guidance?.taken(inboxId);
  }

  async #rounds(turn: Turn, signal: AbortSignal): Promise<void> {
    const { maxSteps } = this.#settings;
    for (let toolRounds = 0;;) {
      const spent = this.#spending.reached(this.#ports.now());
      if (spent !== undefined) return await this.#finalize(turn, signal, budgetLimit(spent));
      for (const item of this.#guidance) this.#guide(item);
      const answer = await this.#ask(turn, signal, "auto");
      const calls = await this.#commit(answer, signal);
      turn.answer = answer.text;
      if (calls.kept.length === 0 && calls.dropped === 0) {
        if (await this.#isOver(answer, turn, signal)) return;
        continue;
      }
      turn.empty = 0;
      turn.cut = calls.kept.length === 0 ? turn.cut + 1 : 0;
      if (turn.cut > EMPTY_NUDGES) {
        const text = `the model's tool calls were cut at the output limit ${turn.cut} times in a row`;
        throw new ReasonixError("provider.output_limit", text, {
          remedy: "Raise max_output_tokens for this model, or ask for the work in smaller pieces.",
        });
      }
      if (calls.kept.length > 0) await this.#run(calls.kept, turn, signal);
      if (calls.dropped > 0) this.#tell(notices.cutCalls(calls.dropped));
      if (turn.repetition.isStuck) return await this.#finalize(turn, signal, repeatLimit());
      if (maxSteps > 0 && ++toolRounds >= maxSteps) {
        return await this.#finalize(turn, signal, roundLimit(maxSteps));
      }
    }
  }

  /** Whether the turn ends with an answer that calls nothing. Throws where there was none for too long. */
  async #isOver({ text, finish }: ModelAnswer, turn: Turn, signal: AbortSignal): Promise<boolean> {
    if (text.trim() !== "") {
      if (finish === "length") this.#notice(notices.CUT_TEXT, "provider.output_limit");
      if (finish === "content_filter") this.#notice(notices.FILTERED, "provider.rejected");
      if (this.#guidance.length > 0) return false;
      const left = await this.#observers.turnMayEnd(signal);
      if (left !== undefined) this.#tell(left);
      return left === undefined && this.#guidance.length === 0;
    }
    if (finish === "content_filter") {
      throw new ReasonixError("provider.rejected", "the model declined to answer, or its answer was withheld", {
        remedy: "Ask in another way, or use another model.",
      });
    }
    if (++turn.empty > EMPTY_NUDGES) {
      const told = `the model gave no answer ${turn.empty} times in a row`;
      throw new ReasonixError("turn.empty_answer", told, { retry: true });
    }
    this.#tell(notices.EMPTY_ANSWER);
    return false;
  }

  /** One model call, with its usage told. Throws the failure of a call that brought no answer. */
  async #ask(turn: Turn, signal: AbortSignal, toolChoice: "auto" | "none"): Promise<ModelAnswer> {
    const { transcript } = this.#ports;
    if (signal.aborted) throw cancelled();
    const situation = this.#situation(signal);
    let view: readonly Message[];
    try {
      view = await this.#context.prepare(situation);
    } catch (error) {
      if (error instanceof ReasonixError) {
        turn.interrupted = toInterruptedTurn(error, { partial: false, messages: transcript.messages });
      }
      throw error;
    }
    let outcome = await this.#call(this.#request(view, toolChoice), turn, signal);
    if (outcome.kind === "failure" && outcome.error.code === "context.exhausted") {
      // Once: a conversation that is too long after a fold as well stays too long (one retry, no loop).
      if (await this.#context.shorten(situation)) {
        outcome = await this.#call(this.#request(await this.#context.prepare(situation), toolChoice), turn, signal);
      }
    }
    await turn.stored;
    if (outcome.kind === "answer") return outcome.answer;
    const error = outcome.error.code === "context.exhausted" ? this.#tooLong(outcome.error) : outcome.error;
    turn.interrupted = toInterruptedTurn(error, { partial: outcome.partial, messages: transcript.messages });
    throw error;
  }

  #situation(signal: AbortSignal): Situation {
    const fixed = { system: this.#system(), tools: this.#ports.tools.schemas };
    return { fixed, signal, ...(this.#activeTurn === undefined ? {} : { activeTurn: this.#activeTurn }) };
  }

  #system(): string {
    const first = this.#ports.transcript.messages[0];
    return first?.role === "system" ? first.content ?? "" : this.#settings.opening.system;
  }

  #request(messages: readonly Message[], toolChoice: "auto" | "none"): ModelRequest {
    const { temperature, maxOutputTokens, effort } = this.#settings;
    const { tools } = this.#ports;
    return {
      system: this.#system(),
      tools: tools.schemas,
      messages,
      temperature,
      maxOutputTokens,
      effort,
      toolChoice,
    };
  }

  async #call(request: ModelRequest, turn: Turn, signal: AbortSignal): Promise<ModelOutcome> {
    const { provider, tools, emit } = this.#ports;
    const diagnostics = this.#prefix.observe(request);
    emit({ kind: "turn_phase", phase: "working" });
    turn.rounds++;
    const outcome = await callModel({
      provider,
      request,
      signal,
      emit,
      readOnly: (name) => tools.find(name)?.readOnly ?? false,
    });
    this.#observers.requestEnded(() => ({ digest: diagnostics().prefixHash, messages: request.messages.length }));
    const usage = outcome.kind === "answer" ? outcome.answer.usage : outcome.usage;
    if (usage) this.#tellUsage(usage, outcome.kind === "answer" ? outcome.answer.lastUsage : usage, diagnostics());
    if (outcome.kind === "answer") this.#context.learn(outcome.answer.lastUsage);
    return outcome;
  }

  #tooLong(error: ReasonixError): ReasonixError {
    const { window } = this.#context.gauge;
    const limit = window > 0 ? ` (context_window ${window})` : "";
    return new ReasonixError(error.code, `${error.message}${limit}`, {
      cause: error,
      remedy: "Fold the conversation with /compact, set context_window to what the model takes, or begin a new one.",
    });
  }

  #tellUsage(usage: Usage, last: Usage, cacheDiagnostics: ReturnType<ReturnType<PrefixWatch["observe"]>>): void {
    const { provider, emit } = this.#ports;
    const { prompt, completion } = this.#believed(last);
    const contextTokens = prompt + completion;
    emit(toUsageEvent(this.#believed(usage), { provider, source: "executor", contextTokens, cacheDiagnostics }));
  }

  /** No request is without a prompt. Believed, such a report would keep a budget from ever being spent. */
  #believed(usage: Usage): Usage {
    if (usage.prompt > 0) return usage;
    const { used } = this.#context.gauge;
    return { ...usage, prompt: used, total: used + usage.completion, estimated: true };
  }

  /** Stores the answer. A call that was cut at the output limit is dropped, never stored half. */
  async #commit(
    answer: ModelAnswer,
    signal: AbortSignal,
  ): Promise<{ readonly kept: readonly ToolCall[]; readonly dropped: number }> {
    const { transcript, emit, provider, now } = this.#ports;
    const calls = answer.calls.map((call) => ({ ...call, arguments: normalizeArguments(call.arguments) }));
    const kept = answer.finish === "length"
      ? calls.filter((call) => parseArguments(call.arguments).kind !== "malformed")
      : calls;
    const reasoning = await this.#observers.answerEnded({ text: answer.text, reasoning: answer.reasoning }, signal);
    const modelRef = `${provider.name}/${provider.model}`;
    const message = toStoredAnswer(answer, kept, { createdAt: now(), modelRef });
    if (message) transcript.append(message);
    // What is told as stored is stored.
    emit({ kind: "message", text: answer.text, reasoning });
    return { kept, dropped: calls.length - kept.length };
  }

  async #run(calls: readonly ToolCall[], turn: Turn, signal: AbortSignal): Promise<void> {
    const { tools, gate, transcript, emit, now } = this.#ports;
    let stored = 0;
    // At once: a program that dies in a call must not forget what those before it have done. The last may get a hint.
    const store = (result: Message) => {
      if (++stored < calls.length) transcript.append(result);
    };
    const done = await dispatchCalls(calls, { tools, gate, observers: this.#observers, signal, store, emit, now });
    const repeats = turn.repetition.settle(calls, done);
    const hint = turn.repetition.failing ? notices.SAME_FAILURE : notices.SAME_RESULT;
    const last = done.results.at(-1)!;
    transcript.append(repeats ? { ...last, content: `${last.content}\n\n${hint}` } : last);
    if (this.#lease.settle(calls, done) && !done.cancelled) this.#tell(notices.NO_PROGRESS);
    // The next request may leave meanwhile; its answer waits (`#ask`).
    turn.stored = transcript.sync();
    turn.stored.catch(() => {});
    if (done.cancelled) {
      await turn.stored;
      turn.interrupted = toInterruptedTurn(cancelled(), { partial: false, messages: transcript.messages });
      throw cancelled();
    }
  }

  /** A limit is reached: one answer without tools, then a pause that can be resumed. */
  async #finalize(turn: Turn, signal: AbortSignal, { code, reached, told, remedy }: Limit): Promise<never> {
    this.#notice(`${reached}; asking for a summary`, code);
    this.#tell(told);
    const answer = await this.#ask(turn, signal, "none");
    await this.#commit({ ...answer, calls: [] }, signal);
    turn.answer = answer.text;
    throw new ReasonixError(code, `stopped: ${reached}; the work is saved`, { remedy });
  }

  /** Words of the person for the turn that runs. */
  #guide({ id, text }: InboxItem): void {
    const { transcript, guidance, emit, now } = this.#ports;
    emit({ kind: "user_message", text, steer: true });
    transcript.append({ role: "user", content: text, steer: true, inbox_id: id, createdAt: now() });
    guidance!.taken(id);
  }

  get #guidance(): readonly InboxItem[] {
    return this.#ports.guidance?.items.filter(({ state }) => state === "guidance") ?? [];
  }

  /** A fact from the host, marked so that nobody takes it for the person's words. */
  #tell(text: string): void {
    this.#ports.transcript.append({
      role: "user",
      content: `<host-notice>${withoutTag(text, "host-notice")}</host-notice>`,
      host_authored: true,
    });
  }

  #notice(text: string, code: string): void {
    this.#ports.emit({ kind: "notice", level: "warning", text, code });
  }

  #record(interrupted: InterruptedTurn | undefined, error: ReasonixError): void {
    if (interrupted === undefined || error.code === "session.write_failed") return;
    const record: Message = {
      role: "assistant",
      local_only: true,
      interrupted_turn: interrupted,
      createdAt: this.#ports.now(),
    };
    try {
      this.#ports.transcript.append(record);
    } catch {
      // The failure that is being reported already outranks a record that could not be kept.
    }
  }
}

interface Turn {
  rounds: number;
  answer: string;
  /** Answers in a row that held nothing, and those whose calls were all cut. */
  empty: number;
  cut: number;
  readonly repetition: Repetition;
  interrupted: InterruptedTurn | undefined;
  /** Results of the last round are on the disk. */
  stored: Promise<void>;
}

function asReasonixError(error: unknown): ReasonixError {
  if (error instanceof ReasonixError) return error;
  return new ReasonixError("internal.bug", `internal error: ${errorText(error)}`, { cause: error });
}
