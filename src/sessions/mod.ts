export { createSessionStore, type Sessions, type SessionStoreOptions } from "./store.ts";
export type { SessionRecord } from "./catalogue.ts";
export { describeHolder, SessionLocked } from "./failure.ts";
export { type Holder, holderOf } from "./ownership.ts";
export { SessionAmbiguous } from "./resolve.ts";
