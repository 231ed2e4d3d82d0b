/** What one run amounts to, folded from its events: the source of the JSON result, the metrics and the exit code. */
import type { Event } from "../../../contract/event.ts";

export interface Denial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly code: string;
  readonly remedy?: string;
}

export interface SourceTotals {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  cost: number;
}

export class RunTotals {
  readonly startedAt: number;
  rounds = 0;
  steps = 0;
  prompt = 0;
  completion = 0;
  cacheHit = 0;
  cacheMiss = 0;
  cacheWrite = 0;
  estimated = false;
  retries = 0;
  compactions = 0;
  toolCalls = 0;
  toolFailures = 0;
  toolMs = 0;
  providerMs = 0;
  /** By currency. */
  readonly costs = new Map<string, number>();
  /** False once an answer came whose price is not known. */
  costComplete = true;
  readonly callsByName = new Map<string, number>();
  readonly failuresByName = new Map<string, number>();
  readonly bySource = new Map<string, SourceTotals>();
  readonly denials: Denial[] = [];
  /** Refused calls that would have changed something, and that nothing later succeeded in place of. */
  openRefusals = 0;
  /** Those of them that were refused for want of trust in the folder. */
  openUntrusted = 0;
  /** Under `--preset delivery`: changes stand that nothing was run after, or whose check failed. */
  unchecked = false;
  #askedAt: number | undefined;

  constructor(now: number) {
    this.startedAt = now;
  }

  add(event: Event, now: number): void {
    switch (event.kind) {
      case "turn_phase":
        this.#askedAt = now;
        break;
      case "retrying":
        this.retries++;
        break;
      case "notice":
        this.unchecked ||= event.code === "delivery.unchecked";
        break;
      case "compaction_done":
        if (event.outcome === "applied") this.compactions++;
        break;
      case "usage": {
        this.rounds++;
        if (this.#askedAt !== undefined) this.providerMs += now - this.#askedAt;
        this.#askedAt = undefined;
        this.prompt += event.promptTokens;
        this.completion += event.completionTokens;
        this.cacheHit += event.cacheHitTokens ?? 0;
        this.cacheMiss += event.cacheMissTokens ?? event.promptTokens - (event.cacheHitTokens ?? 0);
        this.cacheWrite += event.cacheWriteTokens ?? 0;
        this.estimated ||= event.estimated === true;
        if (event.cost) {
          this.costs.set(event.cost.currency, (this.costs.get(event.cost.currency) ?? 0) + event.cost.amount);
        } else this.costComplete = false;
        const source = this.bySource.get(event.source) ?? { calls: 0, prompt_tokens: 0, completion_tokens: 0, cost: 0 };
        source.calls++;
        source.prompt_tokens += event.promptTokens;
        source.completion_tokens += event.completionTokens;
        source.cost += event.cost?.amount ?? 0;
        this.bySource.set(event.source, source);
        break;
      }
      case "tool_result":
        this.#addResult(event.tool);
        break;
      case "turn_done":
        this.steps += event.rounds;
        break;
    }
  }

  #addResult(tool: Extract<Event, { kind: "tool_result" }>["tool"]): void {
    this.toolCalls++;
    this.toolMs += tool.durationMs ?? 0;
    this.callsByName.set(tool.name, (this.callsByName.get(tool.name) ?? 0) + 1);
    if (tool.err !== undefined) {
      this.toolFailures++;
      this.failuresByName.set(tool.name, (this.failuresByName.get(tool.name) ?? 0) + 1);
    }
    if (tool.refusalCode !== undefined) {
      this.denials.push({
        tool_name: tool.name,
        tool_use_id: tool.id,
        code: tool.refusalCode,
        ...(tool.remedy ? { remedy: tool.remedy } : {}),
      });
      if (tool.readOnly) return;
      this.openRefusals++;
      if (tool.refusalCode === "permission.untrusted_folder") this.openUntrusted++;
    } else if (!tool.readOnly && tool.err === undefined) {
      this.openRefusals = 0;
      this.openUntrusted = 0;
    }
  }

  /** The single amount that can be shown: one currency, every answer priced. */
  get cost(): { readonly amount: number; readonly currency: string } | undefined {
    if (!this.costComplete || this.costs.size !== 1) return undefined;
    const [[currency, amount]] = [...this.costs] as [[string, number]];
    return { amount, currency };
  }
}
