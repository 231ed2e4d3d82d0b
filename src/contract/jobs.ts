/**
 * Work that goes on beside the turn: commands in the background, processes a command left behind, delegated tasks. One
 * table per session; jobs survive turns and end with the session.
 */

export type JobStatus =
  | "running"
  | "done"
  | "failed"
  | "killed"
  /** It ran when an earlier run of the program ended. */
  | "interrupted";

export interface JobView {
  /** Kind and number, such as `bash-1`. */
  readonly id: string;
  /** One line for people: the command, the task. */
  readonly label: string;
  readonly status: JobStatus;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Running without new output for longer than `background_jobs.stalled_warning_seconds`. */
  readonly quiet: boolean;
}

/** How a job is heard. Bytes may end in the middle of a character; terminal sequences are taken out by the table. */
export interface JobOutput {
  write(bytes: Uint8Array): void;
}

export interface JobWork {
  /** Start of the id: `bash`, `task` … */
  readonly kind: string;
  readonly label: string;
  /** Starts the work or attaches to it. The answer must not reject. */
  run(output: JobOutput): Promise<"done" | "failed">;
  /** Ends it. Settles when nothing of it runs; `run` settles then too. */
  stop(): Promise<void>;
}

export interface JobReading extends JobView {
  /** What came since the last reading. An unfinished last line is told again by the next. */
  readonly output: string;
}

export interface Jobs {
  /** Throws `ToolError` when too many are running. */
  add(work: JobWork): JobView;
  /** Oldest first. */
  list(): readonly JobView[];
  find(id: string): JobView | undefined;
  /** Undefined for an unknown job. Moves the reading position. */
  read(id: string): JobReading | undefined;
  /**
   * Settles when all have ended, when `matches` holds for a line of one that was not read yet, or after `timeoutMs`.
   * Rejects only when `signal` aborts.
   */
  wait(
    ids: readonly string[],
    options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly matches?: (line: string) => boolean },
  ): Promise<"ended" | "matched" | "timeout">;
  /** Settles when it has ended. False when it was not running, or when another call is ending it. */
  kill(id: string): Promise<boolean>;
  /** Kills everything; later `add` is refused. At the end of the session. */
  closeAll(): Promise<void>;
}
