export { protectChangedFiles } from "./confinement/changed_file_guard.ts";
export { type ManagedFilesContext, reviewReason, statePaths } from "./confinement/managed_files.ts";
export { isCaseless } from "./confinement/places.ts";
export { forbidReads, type ReadBan } from "./confinement/read_ban.ts";
export { confineWrites, type WriteConfinement } from "./confinement/write_confinement.ts";
