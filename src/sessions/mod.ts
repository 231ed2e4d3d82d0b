/** Conversations as they are stored, and everything that stands beside them. */
export { createContextStore } from "./projection.ts";
export { openCheckpoints, type OpenedCheckpoints } from "./open_checkpoints.ts";
export { createSessionStore, type Sessions } from "./store.ts";
export type { SessionRecord } from "./catalogue.ts";
export { recordRun, type RunRecorder } from "./journal/record_run.ts";
export { recordRequests } from "./requests/recorder.ts";
