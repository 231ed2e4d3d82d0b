/**
 * One summary from the conversation's own model: no tools, a time limit, and a second try only for a text that was cut
 * at the output limit. Whatever goes wrong is a value with a code.
 */
import { type ErrorCode, isAbort, ReasonixError } from "../../contract/errors.ts";
import type { ModelRequest, Provider } from "../../contract/provider.ts";
import { addUsage, type Usage } from "../../contract/usage.ts";
import { startQuietTimer } from "../../lib/quiet_timer.ts";
import { untilAborted } from "../../lib/waiting.ts";
import { cancelled } from "../model_call.ts";
import { cleanSummary } from "./digest.ts";
import SYSTEM from "./summary.md" with { type: "text" };

/** Milliseconds. */
const LIMIT = 90_000;

export interface SummaryOptions {
  readonly provider: Provider;
  /** Tokens. */
  readonly cap: number;
  readonly signal: AbortSignal;
  /** Characters so far. */
  progress(chars: number): void;
  /** Milliseconds; for tests. */
  readonly limitMs?: number;
}

export interface SummarySpend {
  readonly calls: number;
  /** Absent where no endpoint told. */
  readonly usage?: Usage;
  /** Output cap of the last call. */
  readonly cap: number;
}

export type Summary =
  | ({ readonly kind: "text"; readonly text: string } & SummarySpend)
  | ({
    readonly kind: "failure";
    readonly status: "blocked" | "failed";
    readonly code: ErrorCode;
    readonly reason: string;
  } & SummarySpend);

/** Tokens of a summary request beside the transcript, at one token for four characters. */
export const SUMMARY_OVERHEAD = Math.ceil(SYSTEM.length / 4) + 400;

/** Rejects with `turn.cancelled` when `signal` aborts, and for a defect. */
export async function summarize(text: string, options: SummaryOptions): Promise<Summary> {
  let spend: SummarySpend = { calls: 0, cap: options.cap };
  for (const cap of [options.cap, options.cap * 2]) {
    const result = await once(text, { ...options, cap });
    const usage = spend.usage && result.usage ? addUsage(spend.usage, result.usage) : result.usage ?? spend.usage;
    spend = { calls: spend.calls + 1, cap, ...(usage ? { usage } : {}) };
    if (result.kind === "cut") continue;
    if (result.kind === "error") {
      const { code, message } = result.error;
      if (code === "turn.cancelled") throw result.error;
      const status = code === "provider.output_limit" ? "blocked" : "failed";
      return { kind: "failure", status, code, reason: message, ...spend };
    }
    const summary = cleanSummary(result.text);
    if (summary === "") {
      return {
        kind: "failure",
        status: "failed",
        code: "provider.empty",
        reason: "the summary came back blank",
        ...spend,
      };
    }
    return { kind: "text", text: summary, ...spend };
  }
  const reason = `the summary was cut at the output limit twice, the second time at ${spend.cap} tokens`;
  return { kind: "failure", status: "blocked", code: "provider.output_limit", reason, ...spend };
}

type Attempt =
  & { readonly usage?: Usage }
  & (
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "cut" }
    | { readonly kind: "error"; readonly error: ReasonixError }
  );

async function once(text: string, options: SummaryOptions): Promise<Attempt> {
  const { provider, signal, cap } = options;
  const request: ModelRequest = {
    system: SYSTEM,
    tools: [],
    messages: [{ role: "user", content: text, host_authored: true }],
    maxOutputTokens: cap,
    source: "compaction",
  };
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  if (signal.aborted) stop.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  const limitMs = options.limitMs ?? LIMIT;
  const release = startQuietTimer(limitMs, onAbort);
  try {
    const reading = read(provider, request, { signal: stop.signal, progress: options.progress });
    // A provider that does not settle when it is stopped is left behind.
    const answer = await untilAborted(reading, stop.signal).catch((error) => {
      if (!stop.signal.aborted) throw error;
    });
    if (answer && !(answer.kind === "error" && answer.error.code === "turn.cancelled")) return answer;
    if (signal.aborted) return { kind: "error", error: cancelled() };
    const seconds = Math.round(limitMs / 1000);
    return { kind: "error", error: new ReasonixError("provider.stalled", `no summary came within ${seconds} s`) };
  } finally {
    release();
    signal.removeEventListener("abort", onAbort);
  }
}

interface Reading {
  readonly signal: AbortSignal;
  progress(chars: number): void;
}

async function read(provider: Provider, request: ModelRequest, { signal, progress }: Reading): Promise<Attempt> {
  let chars = 0;
  try {
    for await (const chunk of provider.stream(request, signal)) {
      if (chunk.type === "text") progress(chars += chunk.text.length);
      if (chunk.type === "attempt" && chunk.action === "discard") chars = 0;
      if (chunk.type === "error") {
        return { kind: "error", error: chunk.error, ...(chunk.usage ? { usage: chunk.usage } : {}) };
      }
      if (chunk.type !== "done") continue;
      const { answer: { finish, text, usage } } = chunk;
      if (finish === "length") return { kind: "cut", usage };
      if (finish === "stop") return { kind: "text", text, usage };
      const why = finish === "content_filter" ? "was withheld by a content filter" : "was a call of a tool";
      return { kind: "error", error: new ReasonixError("provider.rejected", `the summary ${why}`), usage };
    }
  } catch (error) {
    if (isAbort(error, signal)) return { kind: "error", error: cancelled() };
    throw error;
  }
  const reason = `provider "${provider.name}" ended its stream without an answer or an error`;
  return { kind: "error", error: new ReasonixError("internal.bug", reason) };
}
