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
    const settled = (answer: string) => this.#emit({ kind: "approval_settled", id: approval.id, answer });
    return this.#open(this.#approvals, approval.id, {
      signal,
      tell: () => this.#emit({ kind: "approval_request", approval }),
      settled: (answer) => settled(answer),
      parked: () => settled("parked"),
    });
  }

  ask(ask: AskRequest, signal: AbortSignal): Promise<AskAnswer> {
    const settled = (answer: string) => this.#emit({ kind: "ask_settled", id: ask.id, answer });
    return this.#open(this.#asks, ask.id, {
      signal,
      tell: () => this.#emit({ kind: "ask_request", ask }),
      settled: (answer) =>
        settled(answer === "dismissed" ? answer : answer.choices.map((chosen) => chosen.join(", ")).join("; ")),
      parked: () => settled("parked"),
    });
  }

  decidePlan(plan: PlanRequest, signal: AbortSignal): Promise<PlanDecision> {
    const settled = (decision: string) => this.#emit({ kind: "plan_settled", id: plan.id, decision });
    return this.#open(this.#plans, plan.id, {
      signal,
      tell: () => this.#emit({ kind: "plan_request", plan }),
      settled: (decision) => settled(decision.kind),
      parked: () => settled("parked"),
    });
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

  #open<A>(open: Map<string, (answer: A) => void>, id: string, how: Opening<A>): Promise<A> {
    const { signal } = how;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<A>();
    const stop = () => {
      open.delete(id);
      how.parked();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    open.set(id, (answer) => {
      signal.removeEventListener("abort", stop);
      open.delete(id);
      how.settled(answer);
      resolve(answer);
    });
    how.tell();
    return promise;
  }
}

interface Opening<A> {
  readonly signal: AbortSignal;
  tell(): void;
  settled(answer: A): void;
  parked(): void;
}

function answerOpen<A>(open: Map<string, (answer: A) => void>, id: string, answer: A): boolean {
  const settle = open.get(id);
  settle?.(answer);
  return settle !== undefined;
}
