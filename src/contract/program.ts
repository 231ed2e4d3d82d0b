/**
 * Programs the host runs on the person's behalf, such as hooks: text in, both output streams apart, ended with
 * everything they started. The model's own commands never come this way; they go through `Processes` and its walls.
 */

/** `auto` is the workspace's shell. */
export type ProgramShell = "auto" | "bash" | "powershell" | "cmd";

export interface ProgramSpec {
  /** `argv`: a program without a shell; a bare name is looked up outside the workspace. */
  readonly command: { readonly shell: string; readonly by: ProgramShell } | { readonly argv: readonly string[] };
  /** Absolute. */
  readonly cwd: string;
  /** Set over the inherited environment, from which provider keys are taken out. */
  readonly env: Readonly<Record<string, string>>;
  /** A program that does not read it is not an error. */
  readonly stdin: string;
  readonly limitMs: number;
  /** Kept of each stream; the rest is read and dropped. */
  readonly maxBytes: number;
}

export type ProgramEnd =
  /** A program that a signal ended has 128 and the signal's number as its code, as shells do. */
  | { readonly how: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** It and what it started were ended. */
  | { readonly how: "timeout"; readonly stdout: string; readonly stderr: string }
  | { readonly how: "not_started"; readonly reason: string };

export interface Programs {
  /** Rejects only with the signal's reason; by then the program and what it started are gone. */
  run(spec: ProgramSpec, signal?: AbortSignal): Promise<ProgramEnd>;
}
