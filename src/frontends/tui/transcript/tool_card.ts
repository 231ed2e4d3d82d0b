/**
 * One tool call: a line that says what it is and how it stands, and below it what people want to see of it: the end of
 * a command's output, the diff of an edit. Its state is told by words and marks, never by colour alone.
 */
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { ToolView } from "../../../contract/event.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import type { ItemOf } from "../../view/mod.ts";
import { seconds } from "../amounts.ts";
import type { Look } from "../look.ts";
import { wrap } from "../wrap.ts";
import { isWholeDiff } from "./highlight.ts";

/** Lines of output, of a diff, and of either when unfolded. */
const OUTPUT_LINES = 6;
const DIFF_LINES = 40;
const UNFOLDED_LINES = 2_000;

/** Name of the call that stands for a command of the person's own. */
export const PERSON_SHELL = "!";

/** Milliseconds below which a call took no time. */
const WORTH_TELLING = 100;

/** Arguments that say what a call is about, in this order. */
const SUBJECTS = ["command", "file_path", "path", "pattern", "query", "url", "source", "capability", "tool", "name"];

/** What these calls say is shown elsewhere: the task list, the plan. */
const HAS_ITS_OWN_PLACE: ReadonlySet<string> = new Set(["todo_write", "exit_plan_mode"]);

export interface ToolCardOptions {
  /** Lines of live output at most. */
  readonly live?: number;
  readonly now?: number;
}

export function toolCard(item: ItemOf<"tool">, width: number, look: Look, options: ToolCardOptions = {}): string[] {
  const { live = OUTPUT_LINES, now = Date.now() } = options;
  const { tool } = item;
  const { theme } = look;
  const indent = item.parentCallId === undefined ? "" : "  ";
  const subject = toolSubject(tool);
  const head = `${indent}${stateMark(tool, look)} ${theme.strong(toLine(tool.name))}${subject ? ` ${subject}` : ""}`;
  const state = stateText(tool, look, now);
  const room = width - indent.length - 4;
  return [
    ...(isOpen(tool) ? [oneLine(head, state, width)] : headLines(head, state, width)),
    ...body(item, live, room, look).map((line) => `${indent}    ${line}`),
  ];
}

/** The state stands at the end of the line, or on a line of its own when there is no room. */
function headLines(head: string, state: string, width: number): string[] {
  const [first = "", ...rest] = wrap(`${head}${state ? `  ${state}` : ""}`, width);
  return rest.length === 0 ? [first] : [first, ...rest.slice(0, 2).map((line) => `    ${line.trimStart()}`)];
}

function isOpen({ runState }: ToolView): boolean {
  return runState === "pending" || runState === "running";
}

/** While it changes it keeps to one line, and what it is doing stays in sight. */
function oneLine(head: string, state: string, width: number): string {
  const room = Math.max(4, width - visibleWidth(state) - 2);
  return `${truncateToWidth(head, room, "…")}${state ? `  ${state}` : ""}`;
}

/** What a call is about, in one line. */
export function toolSubject(tool: Pick<ToolView, "name" | "args">, limit = 200): string {
  if (tool.args === "" || HAS_ITS_OWN_PLACE.has(tool.name)) return "";
  const args = parseJson(tool.args);
  if (!isRecord(args)) return toLine(tool.args, limit);
  const { questions } = args;
  if (Array.isArray(questions)) return toLine(questions.map((one) => String(one?.question ?? "")).join(" · "), limit);
  for (const key of SUBJECTS) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return toLine(value, limit);
  }
  return Object.keys(args).length === 0 ? "" : toLine(tool.args, limit);
}

function stateMark(tool: ToolView, { theme }: Look): string {
  if (tool.runState === "not_started" || tool.runState === "cut_off") return theme.warn("⊘");
  if (tool.runState === "completed") return tool.err === undefined ? theme.good("✓") : theme.bad("✗");
  return theme.accent(tool.runState === "running" ? "▸" : "·");
}

function stateText(tool: ToolView, { theme, t }: Look, now: number): string {
  if (tool.partial) return theme.dim(t("tool.preparing"));
  if (tool.runState === "pending") return theme.dim(t("tool.pending"));
  if (tool.runState === "running") {
    return theme.dim(t("tool.running", { seconds: seconds(now - (tool.startedAt ?? now)) }));
  }
  if (tool.runState === "cut_off") return theme.warn(t("tool.cut_off"));
  if (tool.runState === "not_started") {
    const reason = toLine((tool.err ?? "").replace(/^(?:error|blocked): (?:not run: )?/, ""), 300);
    return theme.warn(reason === "" ? t("tool.not_started") : t("tool.refused", { reason }));
  }
  const time = (tool.durationMs ?? 0) < WORTH_TELLING ? "" : theme.dim(seconds(tool.durationMs!));
  if (tool.err === undefined) return time;
  const failed = tool.exitCode === undefined ? t("tool.failed") : t("tool.exit", { code: tool.exitCode });
  return `${theme.bad(failed)} ${time}`.trimEnd();
}

function body({ tool, progress }: ItemOf<"tool">, live: number, width: number, look: Look): string[] {
  const { theme, t } = look;
  const limit = look.unfoldOutput ? UNFOLDED_LINES : OUTPUT_LINES;
  if (tool.diff) {
    return look.foldDiffs ? [theme.dim(t("diff.folded", counts(tool)))] : diffLines(tool.diff, width, look);
  }
  if (tool.todos) {
    const done = tool.todos.filter(({ status }) => status === "completed").length;
    return [theme.dim(t("todo.count", { done, all: tool.todos.length }))];
  }
  if (tool.runState === "running") return tail(progress, Math.min(live, limit), width, look).slice(-live);
  if (tool.runState !== "completed") return [];
  // The head of the card says the exit code already.
  const output = (tool.output ?? "").replace(/^error: exit status \d+(?:\n|$)/, "");
  if (tool.err !== undefined && tool.exitCode === undefined) {
    return tail(tool.err.replace(/^(?:error|blocked): /, ""), limit, width, look).map(theme.bad);
  }
  if (look.diffOutput && tool.err === undefined && tool.name === "bash" && isWholeDiff(output)) {
    return look.foldDiffs
      ? [theme.dim(t("diff.folded", counts({ ...tool, diff: output })))]
      : diffLines(output, width, look);
  }
  if (tool.name === "bash" || tool.name === PERSON_SHELL || tool.err !== undefined || look.unfoldOutput) {
    return tail(output, limit, width, look, tool.truncated);
  }
  return [];
}

function counts({ diff = "", added, removed }: ToolView): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n");
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: added ?? count("+"), removed: removed ?? count("-") };
}

/** The end of some output: that is where errors and totals stand. */
function tail(text: string, limit: number, width: number, { theme, t }: Look, cut = false): string[] {
  const lines = toTerminal(text).trimEnd().split("\n").filter((line) => line.trim() !== "");
  const shown = lines.slice(-limit).map((line) =>
    theme.dim(truncateToWidth(line.replaceAll("\t", "  "), Math.max(10, width), "…"))
  );
  if (lines.length <= limit) return shown;
  // Of an output that was cut only a part is here to be counted.
  return [theme.dim(cut ? t("output.much_above") : t("output.above", { lines: lines.length - limit })), ...shown];
}

export function diffLines(diff: string, width: number, look: Look, limit?: number): string[] {
  const { theme, t } = look;
  const most = limit ?? (look.unfoldOutput ? UNFOLDED_LINES : DIFF_LINES);
  const lines = toTerminal(diff).trimEnd().split("\n");
  const shown = lines.slice(0, most).flatMap((line) => {
    const style = line.startsWith("+") ? theme.added : line.startsWith("-") ? theme.removed : theme.dim;
    return wrap(line.replaceAll("\t", "  "), width).map((part) => style(part));
  });
  return lines.length > most ? [...shown, theme.dim(t("output.more", { lines: lines.length - most }))] : shown;
}
