/** A loop over a long conversation in memory, with a model that counts its tokens and a summariser that may forget. */
import type { ContextState, ContextStore } from "../../src/contract/context.ts";
import type { Gate } from "../../src/contract/decision.ts";
import type { EventBody } from "../../src/contract/event.ts";
import type { Message } from "../../src/contract/message.ts";
import type { ModelRequest } from "../../src/contract/provider.ts";
import type { ToolOutput, ToolSet } from "../../src/contract/tool.ts";
import { type AgentSettings, CONTEXT_DEFAULTS, type ContextSettings, createAgent } from "../../src/agent/mod.ts";
import { MemoryTranscript } from "./memory_transcript.ts";
import { type ScriptedAnswer, ScriptedProvider, type ScriptStep } from "./scripted_provider.ts";

export interface BedOptions {
  readonly contextWindow?: number;
  readonly context?: Partial<ContextSettings>;
  readonly settings?: Partial<AgentSettings>;
  readonly stored?: readonly Message[];
  readonly store?: ContextStore;
  readonly summarize?: (request: ModelRequest) => ScriptedAnswer;
  readonly system?: string;
  /** Next step when the list is at its end. */
  readonly script?: () => ScriptStep | undefined;
  readonly facts?: () => readonly string[];
  /** What a call of the tool `work` answers. */
  readonly work?: (args: Record<string, unknown>) => ToolOutput;
}

export const OPEN_GATE: Gate = {
  posture: "auto",
  check: () => Promise.resolve({ allowed: true, why: { by: "fallback", text: "test" } }),
};

/** A model answers `script`; its tool `work` answers with text of the asked size. */
export function bed(script: readonly ScriptStep[], options: BedOptions = {}) {
  const transcript = new MemoryTranscript(options.stored);
  const provider = new ScriptedProvider(script, {
    countTokens: true,
    ...(options.script ? { next: options.script } : {}),
    summarize: options.summarize ?? (() => ({ text: "## Goal\nas summarised" })),
    ...(options.contextWindow === undefined ? {} : { contextWindow: options.contextWindow }),
  });
  const events: EventBody[] = [];
  const agent = createAgent({
    provider,
    tools: workTools(options.work ?? workOf),
    gate: OPEN_GATE,
    transcript,
    ...(options.store ? { contextStore: options.store } : {}),
    ...(options.facts ? { foldFacts: options.facts } : {}),
    emit: (event) => {
      events.push(event);
      provider.watch(event);
    },
    now: () => 7,
  }, {
    opening: { system: options.system ?? "You are a test.", sessionContext: "<session-context/>" },
    maxSteps: 0,
    ...options.settings,
    context: { ...CONTEXT_DEFAULTS, ...options.context },
  });
  return {
    agent,
    provider,
    transcript,
    events,
    run: (text: string, signal = new AbortController().signal) => agent.runTurn(text, signal),
    compact: (focus?: string, signal = new AbortController().signal) =>
      agent.fold({ trigger: "manual", wish: { kind: "most" }, ...(focus === undefined ? {} : { focus }) }, signal),
    ofKind: <K extends EventBody["kind"]>(kind: K) =>
      events.filter((event): event is Extract<EventBody, { kind: K }> => event.kind === kind),
  };
}

/** `rounds` calls with results of `chars` each, then an answer. */
export function longWork(rounds: number, chars = 12_000): ScriptStep[] {
  return [
    ...Array.from({ length: rounds }, (_, at) => ({ calls: [{ name: "work", args: { step: at, chars } }] })),
    { text: "done" },
  ];
}

function workOf(args: Record<string, unknown>): ToolOutput {
  const line = `result of step ${args.step}: all is well. `;
  return { text: line.repeat(Math.ceil(Number(args.chars ?? 40) / line.length)).slice(0, Number(args.chars ?? 40)) };
}

function workTools(work: (args: Record<string, unknown>) => ToolOutput): ToolSet {
  const tool = {
    name: "work",
    description: "works",
    schema: { type: "object" },
    readOnly: true,
    direct: true,
    execute: (args: Record<string, unknown>) => Promise.resolve(work(args)),
  };
  return {
    schemas: [{ name: tool.name, description: tool.description, parameters: tool.schema }],
    names: [tool.name],
    find: (name) => name === tool.name ? tool : undefined,
    nearest: () => undefined,
    violations: () => Promise.resolve(undefined),
  };
}

/** Texts of a request, one for each message. */
export function said(request: ModelRequest): string[] {
  return request.messages.map((message) => message.content ?? "");
}

/** A store in memory that keeps what a file would: plain JSON. */
export class MemoryStore implements ContextStore {
  saved: string | undefined;
  saves = 0;

  load(): Promise<ContextState | undefined> {
    return Promise.resolve(this.saved === undefined ? undefined : JSON.parse(this.saved));
  }

  save(state: ContextState): Promise<void> {
    this.saves++;
    this.saved = JSON.stringify(state);
    return Promise.resolve();
  }
}
