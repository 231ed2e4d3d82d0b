export { createLocalFiles, type LocalFilesOptions } from "./local_files.ts";
export { createLocalProcesses, type LocalProcessesOptions } from "./processes.ts";
export { createPrograms, type ProgramsOptions } from "./programs.ts";
export { createSessionTemp, type SessionTemp } from "./session_temp.ts";
export type { ShellPreference } from "./shell_choice.ts";
export { recoverWrites } from "./write_log.ts";
