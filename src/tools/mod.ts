/** The built-in tools, the set a session makes of them, and what tools share: background jobs and the task list. */
export { BUILTIN_TOOLS } from "./builtin.ts";
export { type BuiltToolSet, createToolSet } from "./registry.ts";
export { createJobs } from "./shell/job_table.ts";
export { restoreTodos } from "./todo/restore.ts";
export { createTodos } from "./todo/todos.ts";
export { previewCall } from "./files/preview_call.ts";
