/** What the host itself knows of the present: it stands beside a summary, which may have forgotten it. */
import type { Jobs } from "../contract/jobs.ts";
import type { Todos } from "../contract/tool.ts";

const MARKS = { completed: "[x]", in_progress: "[>]", pending: "[ ]" } as const;

export function foldFacts(todos: Todos, jobs: Jobs): readonly string[] {
  const list = todos.items.map(({ level, status, step_id, content }) =>
    `${"  ".repeat(level)}${MARKS[status]} ${step_id} ${content.replace(/\s+/g, " ")}`
  );
  const running = jobs.list().filter((job) => job.status === "running").map(({ id, label }) =>
    `${id}: ${label.replace(/\s+/g, " ").slice(0, 200)}`
  );
  return [
    ...(list.length === 0 ? [] : [`Task list (todo_write):\n${list.join("\n")}`]),
    ...(running.length === 0 ? [] : [`Running in the background:\n${running.join("\n")}`]),
  ];
}
