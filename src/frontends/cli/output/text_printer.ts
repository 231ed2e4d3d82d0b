/**
 * The human form of a run: the answer as it streams, one line per tool call, diffs of edits, a receipt per request.
 * Everything a model, a tool or a file says passes `toTerminal` first.
 */
import type { Event, ToolView } from "../../../contract/event.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import type { Output, Streams } from "./output.ts";

export interface TextPrinterOptions {
  readonly showThinking: boolean;
  readonly receipts: boolean;
}

const DIFF_LINES = 40;
const OUTPUT_LINES = 8;

export class TextPrinter {
  readonly #out: Output;
  readonly #paint: (style: Style, text: string) => string;
  readonly #options: TextPrinterOptions;
  #midLine = false;
  #thinking = false;

  constructor(streams: Streams, options: TextPrinterOptions) {
    this.#out = streams.out;
    this.#paint = streams.colour ? (style, text) => `\u001b[${STYLES[style]}m${text}\u001b[0m` : (_style, text) => text;
    this.#options = options;
  }

  /** Notices that came in the middle of a line of the answer; told when the line is over, so that no word is torn. */
  readonly #held: Event[] = [];

  readonly print = (event: Event): void => {
    if (event.kind === "notice" && this.#midLine) {
      this.#held.push(event);
      return;
    }
    if (event.kind !== "text" && event.kind !== "reasoning") this.#release();
    this.#show(event);
  };

  #release(): void {
    if (this.#held.length === 0) return;
    this.#endLine();
    for (const event of this.#held.splice(0)) this.#show(event);
  }

  #show(event: Event): void {
    switch (event.kind) {
      case "text":
        this.#thinking = false;
        this.#stream(toTerminal(event.text));
        break;
      case "reasoning":
        this.#reasoning(event.text);
        break;
      case "stream_attempt":
        if (event.action === "discard") {
          this.#line("warn", `! the answer broke off (${event.reason ?? "connection"}); what was shown of it is void`);
        }
        break;
      case "retrying":
        this.#line(
          "warn",
          `! waiting ${(event.delayMs / 1000).toFixed(1)} s before try ${event.attempt + 1} of ${event.max + 1}: ${
            event.httpStatus ? `HTTP ${event.httpStatus}` : event.cause.replaceAll("_", " ")
          }`,
        );
        break;
      case "tool_dispatch":
        if (!event.tool.partial) this.#line("dim", `  -> ${event.tool.name} ${toLine(event.tool.args)}`);
        break;
      case "tool_result":
        this.#result(event.tool);
        break;
      case "compaction_started":
        this.#line("dim", "  … folding the older part of the conversation into a summary");
        break;
      case "compaction_done":
        if (event.outcome === "applied") this.#line("dim", `  · ${toLine(event.text)}`);
        break;
      case "notice":
        this.#line(
          event.level === "info" ? "dim" : "warn",
          `${event.level === "info" ? "·" : "!"} ${toLine(event.text, 500)}`,
        );
        break;
      case "usage":
        if (this.#options.receipts) this.#line("dim", `  ${receipt(event)}`);
        break;
      case "turn_done":
        this.#endLine();
        break;
    }
  }

  #result(tool: ToolView): void {
    if (tool.err !== undefined) {
      const [reason = "", ...rest] = tool.err.replace(/^(error|blocked): /, "").split("\n");
      const named = reason.startsWith(`${tool.name} `) ? reason : `${tool.name} ${reason}`;
      this.#line("warn", `  ⊘ ${toLine(named, 500)}`);
      this.#excerpt(rest.join("\n"), OUTPUT_LINES);
      return;
    }
    if (tool.diff) this.#diff(tool.diff);
    else if (tool.name === "bash") this.#excerpt(tool.output ?? "", OUTPUT_LINES);
    for (const todo of tool.todos ?? []) this.#line("dim", `     ${TODO_MARKS[todo.status]} ${toLine(todo.content)}`);
  }

  #diff(diff: string): void {
    const lines = toTerminal(diff).trimEnd().split("\n");
    for (const line of lines.slice(0, DIFF_LINES)) {
      this.#line(line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "dim", `     ${line}`);
    }
    if (lines.length > DIFF_LINES) this.#line("dim", `     … ${lines.length - DIFF_LINES} more lines`);
  }

  /** The end of some output: that is where errors and totals stand. */
  #excerpt(text: string, limit: number): void {
    const lines = toTerminal(text).trimEnd().split("\n").filter((line) => line.trim() !== "");
    if (lines.length > limit) this.#line("dim", `     … ${lines.length - limit} lines above`);
    for (const line of lines.slice(-limit)) this.#line("dim", `     ${toLine(line, 160)}`);
  }

  #reasoning(text: string): void {
    if (this.#options.showThinking) return this.#stream(this.#paint("dim", toTerminal(text)));
    if (this.#thinking) return;
    this.#line("dim", "  (thinking)");
    this.#thinking = true;
  }

  #stream(text: string): void {
    if (text === "") return;
    this.#out.write(text);
    this.#midLine = !text.endsWith("\n");
  }

  #line(style: Style, text: string): void {
    this.#endLine();
    this.#thinking = false;
    this.#out.line(this.#paint(style, text));
  }

  #endLine(): void {
    if (this.#midLine) this.#out.write("\n");
    this.#midLine = false;
  }
}

type Style = "dim" | "warn" | "added" | "removed";
const STYLES: Record<Style, string> = { dim: "2", warn: "33", added: "32", removed: "31" };
const TODO_MARKS = { pending: "☐", in_progress: "▸", completed: "☑" };

function receipt(event: Extract<Event, { kind: "usage" }>): string {
  const hit = event.cacheHitTokens;
  const cached = hit === undefined
    ? "nothing told of the cache"
    : `${hit} cached / ${event.cacheMissTokens ?? event.promptTokens - hit} new`;
  const cost = event.cost ? ` · ${event.cost.amount.toPrecision(3)} ${event.cost.currency}` : "";
  return `${event.totalTokens} tokens${
    event.estimated ? " (estimated)" : ""
  } · in ${event.promptTokens} (${cached}) · out ${event.completionTokens}${cost}`;
}
