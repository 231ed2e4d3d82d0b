export { BUILTIN_TOOLS } from "./builtin.ts";
export { type BuiltToolSet, createToolSet, type ToolSetOptions } from "./registry.ts";
export { createJobs, type JobTableOptions } from "./shell/job_table.ts";
export { restoreTodos } from "./todo/restore.ts";
export { createTodos, type TodosOptions } from "./todo/todos.ts";
export type { EditPreview } from "./files/preview.ts";
export { previewCall } from "./files/preview_call.ts";
