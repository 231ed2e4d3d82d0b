/**
 * Those who look over the loop's shoulder: hooks, memory recall, checkpoints. They are asked one after the other, in
 * the order they are listed, at fixed points of a turn. One that fails costs a notice, but for `callBegins`: a check
 * that cannot answer has answered no.
 */
import type { TurnOutcome } from "./event.ts";
import type { RefusalCode } from "./errors.ts";
import type { Image } from "./message.ts";
import type { ToolOutput } from "./tool.ts";

export interface TurnStart {
  /** As the transcript was told. */
  readonly id: string;
  /** The person's words, as typed. */
  readonly text: string;
  /** No turn came before this one in the conversation. */
  readonly first: boolean;
}

/** What the host puts around the person's words. The stored message keeps the words themselves apart. */
export interface TurnContribution {
  /** Blocks that stand before the words. */
  readonly before?: readonly string[];
  /** Low-authority text behind them. */
  readonly after?: readonly string[];
  /** Pictures that go with the words. */
  readonly images?: readonly Image[];
  /** The turn does not begin, for this reason. */
  readonly refusal?: string;
}

export interface ObservedCall {
  readonly callId: string;
  /** The tool that is really meant, behind any proxy. */
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly readOnly: boolean;
  /** This very call only reads, whatever else the tool could do. Absent: as `readOnly`. */
  readonly reads?: boolean;
}

export interface CallRefusal {
  readonly code: RefusalCode;
  readonly message: string;
}

export interface ObservedAnswer {
  readonly text: string;
  readonly reasoning: string;
}

export interface EndedRequest {
  /** Of the conversation it carries. 16 hex digits; not for security. */
  readonly digest: string;
  readonly messages: number;
}

export interface FoldStart {
  /** `manual`: the person or the model asked for it. */
  readonly trigger: "auto" | "manual";
}

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly answer: string;
  readonly failure?: { readonly code: string; readonly message: string };
}

export interface LoopObserver {
  /** For notices. */
  readonly name: string;
  /** Before the person's message is stored. */
  turnBegins?(turn: TurnStart, signal: AbortSignal): Promise<TurnContribution | undefined>;
  /** A request was answered, or has failed. */
  requestEnded?(request: EndedRequest): void;
  /** After the gate said yes, before the call runs. */
  callBegins?(call: ObservedCall, signal: AbortSignal): Promise<CallRefusal | undefined>;
  /**
   * `output` is what the tool answered, whole; a thrown failure comes as `failed` text. Words that come back stand
   * behind the result, for the model.
   */
  callEnded?(call: ObservedCall, output: ToolOutput, signal: AbortSignal): Promise<string | undefined | void>;
  /**
   * After a model call has brought its answer, before the answer is told. `reasoning` given back is shown in place of
   * the model's; what is stored and sent again stays as it was received.
   */
  answerEnded?(answer: ObservedAnswer, signal: AbortSignal): Promise<{ readonly reasoning?: string } | undefined>;
  /**
   * The model has answered without further calls. What is left to do, in words for the model, keeps the turn going; the
   * observer sees to it that this has an end.
   */
  turnMayEnd?(signal: AbortSignal): Promise<string | undefined>;
  /** Before the conversation is folded; `guidance` goes to the summary. */
  foldBegins?(fold: FoldStart, signal: AbortSignal): Promise<{ readonly guidance?: string } | undefined>;
  /** After the last message of the turn is stored. */
  turnEnded?(end: TurnEnd): Promise<void>;
}
