/** The local workspace: files, commands and programs of this machine, without any wall. */
export { createLocalFiles } from "./local_files.ts";
export { createLocalProcesses } from "./processes.ts";
export { createPrograms } from "./programs.ts";
export { createSessionTemp, type SessionTemp } from "./session_temp.ts";
export type { ShellPreference } from "./shell_choice.ts";
export { recoverWrites } from "./write_log.ts";
