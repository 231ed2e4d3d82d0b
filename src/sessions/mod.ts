export { createContextStore } from "./projection.ts";
export { openCheckpoints, type OpenedCheckpoints } from "./open_checkpoints.ts";
export { createHistory, type History, type HistoryOptions } from "./history/history.ts";
export { createSessionStore, type Sessions, type SessionStoreOptions } from "./store.ts";
export type { SessionRecord } from "./catalogue.ts";
export { SessionLocked } from "./failure.ts";
export type { InspectedSession, SessionState } from "./inspect.ts";
export {
  type SessionCommand,
  toSessionError,
  toSessionList,
  toSessionRecovery,
  toSessionShow,
  toSessionStatus,
} from "./machine_forms.ts";
export type { Holder } from "./ownership.ts";
export { recordRun, type RunRecorder } from "./journal/record_run.ts";
export { recordRequests } from "./requests/recorder.ts";
