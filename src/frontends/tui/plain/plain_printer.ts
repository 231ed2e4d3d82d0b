/**
 * Events as linear text: one statement a line, in order, nothing drawn twice, no colours, boxes or animation. For
 * screen readers, and for terminals that can do no more.
 */
import type { InboxPause } from "../../../contract/inbox.ts";
import type { Event, ToolView } from "../../../contract/event.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import type { Translate } from "../../view/mod.ts";
import { seconds } from "../amounts.ts";
import { toolSubject } from "../transcript/tool_card.ts";

export class PlainPrinter {
  readonly #write: (text: string) => void;
  readonly #t: Translate;
  readonly #showReasoning: boolean;
  #line = "";
  readonly #held: string[] = [];
  #thinking = false;
  #paused: InboxPause | undefined;

  constructor(write: (text: string) => void, t: Translate, options: { readonly showReasoning: boolean }) {
    this.#write = write;
    this.#t = t;
    this.#showReasoning = options.showReasoning;
  }

  readonly print = (event: Event): void => {
    // The words of a child run go to the one who started it.
    if (event.parentCallId !== undefined && !event.kind.startsWith("tool_") && event.kind !== "notice") return;
    switch (event.kind) {
      case "text":
        this.#thinking = false;
        return this.#stream(event.text);
      case "reasoning":
        if (this.#showReasoning) return this.#stream(event.text);
        if (!this.#thinking) this.line(this.#t("plain.thinking"));
        this.#thinking = true;
        return;
      case "message":
        return this.#endStream();
      case "stream_attempt":
        if (event.action === "discard") this.line(this.#t("answer.void"));
        return;
      case "retrying":
        return this.line(this.#t("retry", {
          seconds: seconds(event.delayMs),
          attempt: event.attempt + 1,
          max: event.max + 1,
          reason: event.httpStatus === undefined ? event.cause.replaceAll("_", " ") : `HTTP ${event.httpStatus}`,
        }));
      case "tool_started":
        this.#thinking = false;
        return this.line(this.#t("plain.tool", { tool: toLine(event.tool.name), subject: toolSubject(event.tool) }));
      case "tool_result":
        return this.#result(event.tool);
      case "notice":
      case "rewound":
        return this.#aside(event.text);
      case "job_ended":
        return this.#aside(this.#t("job.ended", { job: toLine(event.job), status: toLine(event.status) }));
      case "posture_changed":
        return this.line(this.#t(`posture.${event.posture}`));
      case "mode_changed":
        return this.line(this.#t(`mode.${event.mode}`));
      case "preset_changed":
        return this.line(this.#t(`preset.${event.preset}`));
      case "model_changed":
        return this.line(this.#t("command.done_model", { model: toLine(event.model) }));
      case "session_opened":
        return this.line(
          this.#t(event.resumed ? "session.resumed" : "session.new", {
            id: event.sessionId,
            model: toLine(event.model),
          }),
        );
      case "turn_done":
        this.#endStream();
        if (event.outcome === "completed") return this.line(this.#t("plain.end"));
        if (event.outcome === "cancelled") return this.line(this.#t("turn.stopped"));
        this.line(event.failure?.message ?? this.#t("turn.failed"));
        if (event.failure?.remedy) this.line(event.failure.remedy);
        return;
      case "inbox_changed":
        return this.#inbox(event);
      // Questions are asked by the one who reads the answers.
      case "approval_request":
      case "approval_settled":
      case "ask_request":
      case "ask_settled":
      case "plan_request":
      case "plan_settled":
      case "turn_status":
      case "user_message":
      case "turn_started":
      case "turn_phase":
      case "tool_dispatch":
      case "tool_progress":
      case "usage":
      case "balance":
        return;
    }
  };

  /** Told when it stops going out by itself; a message that is queued is told by whoever typed it. */
  #inbox({ items, paused }: Extract<Event, { kind: "inbox_changed" }>): void {
    if (paused !== undefined && paused !== this.#paused) {
      this.line(this.#t("queue.paused", { count: items.length, why: this.#t(`queue.why_${paused}`) }));
    }
    this.#paused = paused;
  }

  /** One statement, on lines of its own. */
  line(text: string): void {
    this.#endStream();
    this.#write(toStatement(text));
  }

  /** What has nothing to do with the answer under way waits for the end of its line, so that no word is torn. */
  #aside(text: string): void {
    if (this.#line === "") this.line(text);
    else this.#held.push(text);
  }

  #result(tool: ToolView): void {
    const name = toLine(tool.name);
    if (tool.runState === "cut_off") return this.line(`${name}: ${this.#t("tool.cut_off")}`);
    if (tool.runState === "not_started") {
      return this.line(this.#t("plain.tool_refused", { tool: name, reason: toLine(tool.err ?? "", 500) }));
    }
    if (tool.err !== undefined) {
      return this.line(this.#t("plain.tool_failed", { tool: name, reason: toLine(tool.err, 500) }));
    }
    if (tool.diff) this.line(tool.diff);
    this.line(this.#t("plain.tool_done", { tool: name, seconds: seconds(tool.durationMs ?? 0) }));
    for (const { content, status } of tool.todos ?? []) this.line(`${status.replace("_", " ")}: ${content}`);
  }

  /** Whole lines only: half a sentence read aloud twice helps nobody. */
  #stream(text: string): void {
    this.#line += text;
    const end = this.#line.lastIndexOf("\n");
    if (end < 0) return;
    this.#write(toTerminal(this.#line.slice(0, end + 1)));
    this.#line = this.#line.slice(end + 1);
    this.#release();
  }

  #endStream(): void {
    const rest = this.#line;
    this.#line = "";
    if (rest !== "") this.#write(`${toTerminal(rest)}\n`);
    this.#release();
  }

  #release(): void {
    for (const text of this.#held.splice(0)) this.#write(toStatement(text));
  }
}

function toStatement(text: string): string {
  return `${toTerminal(text).trimEnd()}\n`;
}
