/** What stands between the conversation and the composer while there is work: the task list and the queue. */
import type { TodoItem } from "../../../contract/tool.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { ViewState } from "../../view/mod.ts";
import type { Look } from "../look.ts";

const MARKS = { pending: "☐", in_progress: "▸", completed: "☑" } as const;

/** At most `rows` lines; the step in progress is always among them. Empty when all is done. */
export function todoPanel(todos: readonly TodoItem[], rows: number, { theme, t }: Look): string[] {
  if (rows < 2 || todos.every(({ status }) => status === "completed")) return [];
  const done = todos.filter(({ status }) => status === "completed").length;
  const room = rows - 1;
  const active = Math.max(0, todos.findIndex(({ status }) => status === "in_progress"));
  const fits = todos.length <= room;
  const shown = fits ? room : Math.max(1, room - 1);
  const first = fits ? 0 : Math.max(0, Math.min(active - Math.floor((shown - 1) / 2), todos.length - shown));
  const lines = todos.slice(first, first + shown).map(({ content, status, activeForm, level }) => {
    const text = `${"  ".repeat(level)}${MARKS[status]} ${
      toLine(status === "in_progress" ? activeForm ?? content : content)
    }`;
    return `  ${status === "completed" ? theme.dim(text) : status === "in_progress" ? theme.strong(text) : text}`;
  });
  const hidden = todos.length - lines.length;
  return [
    theme.accent(t("todo.title", { done, all: todos.length })),
    ...lines,
    ...(hidden > 0 ? [theme.dim(`  ${t("todo.more", { count: hidden })}`)] : []),
  ];
}

/** At most `options.rows` lines; the message that is being changed is among them. */
export function queuePanel(
  { inbox: { items, paused }, turnId }: ViewState,
  { editing, rows }: { readonly editing: number | undefined; readonly rows: number },
  { theme, t }: Look,
): string[] {
  if (items.length === 0 || rows < 1) return [];
  const count = items.length;
  const title = paused
    ? t("queue.title_paused", { count, why: t(`queue.why_${paused}`) })
    : t(turnId === undefined ? "queue.title_waiting" : "queue.title", { count });
  const room = Math.min(3, rows - 1);
  const first = Math.max(0, Math.min((editing ?? 1) - 1, count - room));
  const lines = items.slice(first, first + room).map(({ preview, state, failure }, at) => {
    const mark = { waiting: "↳", guidance: "→", failed: "✗" }[state];
    const why = failure === undefined ? "" : ` (${toLine(failure, 60)})`;
    const line = `  ${mark} ${toLine(preview, 160)}${why}`;
    return first + at + 1 === editing ? theme.chosen(line) : theme.dim(line);
  });
  return [theme.dim(title), ...lines];
}
