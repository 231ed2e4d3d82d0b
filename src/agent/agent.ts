/**
 * The loop: ask the model, run what it calls, append, again (CONTRACT §3.4, runtime §8). It touches nothing but the
 * ports it is handed; whatever happens, a turn ends with exactly one `turn_done` and a transcript that can go on.
 */
import type { Gate } from "../contract/decision.ts";
import { isAbort, ReasonixError } from "../contract/errors.ts";
import type { EventBody, TurnFailure, TurnOutcome } from "../contract/event.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { InterruptedTurn, Message, ToolCall } from "../contract/message.ts";
import type { ModelAnswer, ModelRequest, Provider } from "../contract/provider.ts";
import type { Transcript } from "../contract/session.ts";
import type { ToolSet } from "../contract/tool.ts";
import { costOf, type Usage } from "../contract/usage.ts";
import { dispatchCalls } from "./dispatch.ts";
import { recoveryBlock, toInterruptedTurn } from "./interruption.ts";
import { callModel, cancelled } from "./model_call.ts";
import { Observers } from "./observers.ts";
import { normalizeArguments, Outgoing, parseArguments } from "./outgoing.ts";
import { PrefixWatch } from "./prefix.ts";
import { ProgressLease } from "./progress.ts";
import * as words from "./words.ts";

export interface AgentPorts {
  readonly provider: Provider;
  readonly tools: ToolSet;
  readonly gate: Gate;
  readonly transcript: Transcript;
  readonly observers?: readonly LoopObserver[];
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
}

export interface TurnSummary {
  readonly outcome: TurnOutcome;
  /** Last text of the model; empty when there was none. */
  readonly answer: string;
  readonly rounds: number;
  readonly failure?: TurnFailure;
}

export interface Agent {
  /** Runs one turn to its end. Never rejects but for a defect of the program; an abort is an outcome. One at a time. */
  runTurn(text: string, signal: AbortSignal): Promise<TurnSummary>;
  /** Guidance for the running turn. False when no turn will take it. */
  steer(text: string): boolean;
}

/** Answers without text or calls are nudged this often before the turn fails. */
const EMPTY_NUDGES = 3;
/** Equal batches that fail this often in a row earn a hint. */
const SAME_FAILURES = 3;

export function createAgent(ports: AgentPorts, settings: AgentSettings): Agent {
  return new Loop(ports, settings);
}

class Loop implements Agent {
  readonly #ports: AgentPorts;
  readonly #settings: AgentSettings;
  readonly #outgoing = new Outgoing();
  readonly #prefix = new PrefixWatch();
  readonly #lease = new ProgressLease();
  readonly #observers: Observers;
  readonly #steered: string[] = [];
  #running = false;

  constructor(ports: AgentPorts, settings: AgentSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#observers = new Observers(ports.observers ?? [], ports.emit);
  }

  steer(text: string): boolean {
    if (!this.#running) return false;
    this.#steered.push(text);
    return true;
  }

  async runTurn(text: string, signal: AbortSignal): Promise<TurnSummary> {
    const { emit, transcript } = this.#ports;
    emit({ kind: "user_message", text });
    emit({ kind: "turn_started" });
    this.#running = true;
    const turn: Turn = { rounds: 0, answer: "", batch: { signature: "", repeats: 0 }, interrupted: undefined };
    let failure: TurnFailure | undefined;
    let outcome: TurnOutcome = "completed";
    try {
      await this.#open(text, signal);
      await this.#rounds(turn, signal);
    } catch (error) {
      const typed = isAbort(error, signal) ? cancelled() : asReasonixError(error);
      failure = { code: typed.code, message: typed.message, ...(typed.remedy ? { remedy: typed.remedy } : {}) };
      outcome = typed.code === "turn.cancelled" ? "cancelled" : typed.code === "turn.max_steps" ? "paused" : "failed";
      this.#record(turn.interrupted, typed);
    }
    this.#running = false;
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
  async #open(text: string, signal: AbortSignal): Promise<void> {
    const { transcript, now } = this.#ports;
    const recovery = recoveryBlock(transcript.interrupted ?? transcript.messages.at(-1)?.interrupted_turn);
    transcript.beginTurn({ id: `turn-${now()}` });
    if (transcript.messages.length === 0) {
      const { system, sessionContext } = this.#settings.opening;
      transcript.append({ role: "system", content: system });
      if (sessionContext) transcript.append({ role: "user", content: sessionContext, host_authored: true });
    }
    const first = !transcript.messages.some((message) => message.role === "user" && !message.host_authored);
    const { before, after, refusal } = await this.#observers.turnBegins({ text, first }, signal);
    if (refusal !== undefined) throw new ReasonixError("turn.refused", refusal);
    const content = [...(recovery === undefined ? [] : [recovery]), ...before, text, ...after].join("\n\n");
    transcript.append({
      role: "user",
      content,
      ...(content === text ? {} : { raw_content: text }),
      createdAt: now(),
    });
  }

  async #rounds(turn: Turn, signal: AbortSignal): Promise<void> {
    const { maxSteps } = this.#settings;
    let nudges = 0;
    let cuts = 0;
    for (let toolRounds = 0;;) {
      for (const text of this.#steered.splice(0)) this.#say(text, { steer: true });
      const answer = await this.#ask(turn, signal, "auto");
      const calls = await this.#commit(answer, signal);
      turn.answer = answer.text;
      if (calls.kept.length === 0 && calls.dropped === 0) {
        if (answer.text.trim() !== "") {
          if (answer.finish === "length") this.#notice(words.CUT_TEXT, "provider.output_limit");
          if (answer.finish === "content_filter") this.#notice(words.FILTERED, "provider.rejected");
          if (this.#steered.length === 0) return;
          continue;
        }
        if (++nudges > EMPTY_NUDGES) {
          throw new ReasonixError("turn.empty_answer", `the model gave no answer ${nudges} times in a row`, {
            retry: true,
          });
        }
        this.#tell(words.EMPTY_ANSWER);
        continue;
      }
      nudges = 0;
      cuts = calls.kept.length === 0 ? cuts + 1 : 0;
      if (cuts > EMPTY_NUDGES) {
        throw new ReasonixError(
          "provider.output_limit",
          `the model's tool calls were cut at the output limit ${cuts} times in a row`,
          {
            remedy: "Raise max_output_tokens for this model, or ask for the work in smaller pieces.",
          },
        );
      }
      if (calls.kept.length > 0) await this.#run(calls.kept, turn, signal);
      if (calls.dropped > 0) this.#tell(words.cutCalls(calls.dropped));
      if (maxSteps > 0 && ++toolRounds >= maxSteps) return await this.#finalize(turn, signal);
    }
  }

  /** One model call, with its usage told. Throws the failure of a call that brought no answer. */
  async #ask(turn: Turn, signal: AbortSignal, toolChoice: "auto" | "none"): Promise<ModelAnswer> {
    const { provider, tools, transcript, emit } = this.#ports;
    const { temperature, maxOutputTokens, effort } = this.#settings;
    if (signal.aborted) throw cancelled();
    const request: ModelRequest = {
      system: transcript.messages[0]?.role === "system"
        ? transcript.messages[0].content ?? ""
        : this.#settings.opening.system,
      tools: tools.schemas,
      messages: this.#outgoing.toOutgoing(transcript.messages),
      temperature,
      maxOutputTokens,
      effort,
      toolChoice,
    };
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
    const usage = outcome.kind === "answer" ? outcome.answer.usage : outcome.usage;
    if (usage) this.#tellUsage(usage, outcome.kind === "answer" ? outcome.answer.lastUsage : usage, diagnostics);
    if (outcome.kind === "answer") return outcome.answer;
    turn.interrupted = toInterruptedTurn(outcome.error, { partial: outcome.partial, messages: transcript.messages });
    throw outcome.error;
  }

  #tellUsage(usage: Usage, last: Usage, cacheDiagnostics: ReturnType<PrefixWatch["observe"]>): void {
    const { provider, emit } = this.#ports;
    const cost = costOf(usage, provider.price);
    emit({
      kind: "usage",
      promptTokens: usage.prompt,
      completionTokens: usage.completion,
      totalTokens: usage.total,
      ...(usage.cacheHit === undefined ? {} : { cacheHitTokens: usage.cacheHit }),
      ...(usage.cacheMiss === undefined ? {} : { cacheMissTokens: usage.cacheMiss }),
      ...(usage.reasoning === undefined ? {} : { reasoningTokens: usage.reasoning }),
      requestAttempts: usage.requestAttempts,
      ...(usage.estimated ? { estimated: true } : {}),
      source: "executor",
      ...(cost ? { cost } : {}),
      contextTokens: last.prompt + last.completion,
      contextWindow: provider.contextWindow,
      cacheDiagnostics,
    });
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
    emit({ kind: "message", text: answer.text, reasoning });
    if (answer.text !== "" || answer.reasoning !== "" || kept.length > 0 || answer.providerItems) {
      transcript.append({
        role: "assistant",
        ...(answer.text === "" ? {} : { content: answer.text }),
        ...(kept.length === 0 ? {} : { tool_calls: kept }),
        ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
        ...(answer.reasoningSignature === undefined ? {} : { reasoning_signature: answer.reasoningSignature }),
        ...(answer.providerItems === undefined ? {} : { provider_items: answer.providerItems }),
        createdAt: now(),
        modelRef: `${provider.name}/${provider.model}`,
      });
    }
    return { kept, dropped: calls.length - kept.length };
  }

  async #run(calls: readonly ToolCall[], turn: Turn, signal: AbortSignal): Promise<void> {
    const { tools, gate, transcript, emit, now } = this.#ports;
    const done = await dispatchCalls(calls, { tools, gate, observers: this.#observers, signal, emit, now });
    const hint = this.#repetition(calls, done.failed === calls.length, turn);
    done.results.forEach((result, at) => {
      const last = at === done.results.length - 1;
      transcript.append(hint && last ? { ...result, content: `${result.content}\n\n${hint}` } : result);
    });
    if (this.#lease.settle(calls, done.results, done.todos) && !done.cancelled) this.#tell(words.NO_PROGRESS);
    await transcript.sync();
    if (done.cancelled) {
      turn.interrupted = toInterruptedTurn(cancelled(), { partial: false, messages: transcript.messages });
      throw cancelled();
    }
  }

  #repetition(calls: readonly ToolCall[], allFailed: boolean, turn: Turn): string | undefined {
    const signature = calls.map((call) => `${call.name} ${call.arguments}`).join("\n");
    const repeats = allFailed ? (signature === turn.batch.signature ? turn.batch.repeats + 1 : 1) : 0;
    turn.batch = { signature, repeats };
    return repeats >= SAME_FAILURES ? words.SAME_FAILURE : undefined;
  }

  /** The round limit is reached: one answer without tools, then a pause that can be resumed. */
  async #finalize(turn: Turn, signal: AbortSignal): Promise<never> {
    const { maxSteps } = this.#settings;
    this.#notice(
      `the limit of ${maxSteps} tool rounds (--max-steps) is reached; asking for a summary`,
      "turn.max_steps",
    );
    this.#tell(words.ROUND_LIMIT);
    const answer = await this.#ask(turn, signal, "none");
    await this.#commit({ ...answer, calls: [] }, signal);
    turn.answer = answer.text;
    throw new ReasonixError(
      "turn.max_steps",
      `stopped after ${maxSteps} tool rounds (--max-steps ${maxSteps}); the work is saved`,
      {
        remedy: "Continue with a higher --max-steps and --continue.",
      },
    );
  }

  #say(text: string, options: { readonly steer: boolean }): void {
    const { transcript, emit, now } = this.#ports;
    emit({ kind: "user_message", text, steer: options.steer });
    transcript.append({ role: "user", content: text, createdAt: now() });
  }

  /** A fact from the host, marked so that nobody takes it for the person's words. */
  #tell(text: string): void {
    this.#ports.transcript.append({ role: "user", content: `<host-notice>${text}</host-notice>`, host_authored: true });
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
  batch: { readonly signature: string; readonly repeats: number };
  interrupted: InterruptedTurn | undefined;
}

function asReasonixError(error: unknown): ReasonixError {
  if (error instanceof ReasonixError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new ReasonixError("internal.bug", `internal error: ${text}`, { cause: error });
}
