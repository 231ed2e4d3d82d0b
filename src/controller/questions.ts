/**
 * Questions to the person: out as an event with an id, back as an intent with that id. The first answer wins, whichever
 * frontend it comes from; a stopped turn closes what it had asked.
 */
import type {
  ApprovalAnswer,
  ApprovalRequest,
  AskAnswer,
  AskRequest,
  Person,
  PlanDecision,
  PlanRequest,
} from "../contract/decision.ts";
import type { EventBody } from "../contract/event.ts";

export class Questions implements Person {
  readonly #emit: (body: EventBody) => void;
  readonly #approvals = new Map<string, (answer: ApprovalAnswer) => void>();
  readonly #asks = new Map<string, (answer: AskAnswer) => void>();
  readonly #plans = new Map<string, (decision: PlanDecision) => void>();

  constructor(emit: (body: EventBody) => void) {
    this.#emit = emit;
  }

  request(approval: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { id } = approval;
    return this.#open(this.#approvals, {
      id,
      asked: { kind: "approval_request", approval },
      settled: (answer) => ({ kind: "approval_settled", id, answer }),
      word: (answer) => answer,
    }, signal);
  }

  ask(ask: AskRequest, signal: AbortSignal): Promise<AskAnswer> {
    const { id } = ask;
    return this.#open(this.#asks, {
      id,
      asked: { kind: "ask_request", ask },
      settled: (answer) => ({ kind: "ask_settled", id, answer }),
      word: (answer) => answer === "dismissed" ? answer : answer.choices.map((chosen) => chosen.join(", ")).join("; "),
    }, signal);
  }

  decidePlan(plan: PlanRequest, signal: AbortSignal): Promise<PlanDecision> {
    const { id } = plan;
    return this.#open(this.#plans, {
      id,
      asked: { kind: "plan_request", plan },
      settled: (decision) => ({ kind: "plan_settled", id, decision }),
      word: ({ kind }) => kind,
    }, signal);
  }

  /** False when nobody asks this (any more). */
  settle(id: string, answer: ApprovalAnswer): boolean {
    return answerOpen(this.#approvals, id, answer);
  }

  settleAsk(id: string, answer: AskAnswer): boolean {
    return answerOpen(this.#asks, id, answer);
  }

  settlePlan(id: string, decision: PlanDecision): boolean {
    return answerOpen(this.#plans, id, decision);
  }

  #open<A>(open: Map<string, (answer: A) => void>, question: Question<A>, signal: AbortSignal): Promise<A> {
    const { id, asked, settled, word } = question;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    const stop = () => {
      open.delete(id);
      this.#emit(settled("parked"));
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    open.set(id, (answer) => {
      signal.removeEventListener("abort", stop);
      open.delete(id);
      this.#emit(settled(word(answer)));
      resolve(answer);
    });
    this.#emit(asked);
    return promise;
  }
}

interface Question<A> {
  readonly id: string;
  readonly asked: EventBody;
  /** `answer`: a word for it, or `parked` when a stopped turn closed the question. */
  settled(answer: string): EventBody;
  word(answer: A): string;
}

function answerOpen<A>(open: Map<string, (answer: A) => void>, id: string, answer: A): boolean {
  const settle = open.get(id);
  settle?.(answer);
  return settle !== undefined;
}
