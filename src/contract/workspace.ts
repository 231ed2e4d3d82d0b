/**
 * The one door between tools and the machine: files and processes. Safety is a stack of wrappers around an
 * implementation (confinement, forbidden reads, changed-file protection, sandbox …), composed in assembly; a remote
 * workspace is another implementation. Tools never see which walls stand around them.
 *
 * Paths given to a port may be relative to `root` or absolute. Paths coming out are absolute.
 */
import type { RefusalCode } from "./errors.ts";

/** Identity of a file's content: SHA-256, lower-case hex. Equal bytes are equal versions, whatever the time stamp. */
export type Version = string;

export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  /** Bytes. */
  readonly size: number;
  /** Unix time in milliseconds. */
  readonly modifiedMs: number;
  /** Permission bits; undefined where the platform has none. */
  readonly mode?: number;
  /**
   * Equal for two spellings of one file or folder (letter case, short names, links), different otherwise. Undefined
   * where the platform cannot tell.
   */
  readonly identity?: string;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

export interface ReadOptions {
  /** `too_large` when the file holds more. */
  readonly maxBytes?: number;
  /**
   * The content is put before the model. Only such a read counts as "the agent has seen this version"; looking at a
   * file to search it or to show a person a preview does not.
   */
  readonly shown?: boolean;
}

export interface ReadFile {
  /** Where the bytes were read: links resolved. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly version: Version;
}

/** Why a file operation did not happen. Missing and forbidden are told apart nowhere. */
export type FileFailure =
  | "not_found"
  | "not_a_file"
  | "not_a_directory"
  | "exists"
  | "denied"
  | "too_large"
  | "changed"
  | "bad_path"
  | "no_space"
  | "failed";

export class FileError extends Error {
  override readonly name: string = "FileError";
  readonly failure: FileFailure;
  readonly path: string;
  constructor(failure: FileFailure, path: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
    this.path = path;
  }
}

export interface WriteOptions {
  /**
   * Why the write happens. `whole`: the caller replaces the file without having looked at what it holds now.
   * `splice`: the new content was made from `basedOn`.
   */
  readonly kind: "whole" | "splice";
  /** Refused as `changed` when the file holds something else now. */
  readonly basedOn?: Version;
  /**
   * The path has no links left, because a wall has resolved and judged it: refused as `changed` when a link stands
   * there now.
   */
  readonly resolved?: boolean;
}

export interface Files {
  /** Absolute form by text alone: no disk, links not resolved. Throws `FileError("bad_path")` for NUL, empty or too long. */
  absolute(path: string): string;
  /** Undefined when missing or hidden. Follows links. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Whole content of a regular file. Pipes, devices and directories are `not_a_file`, told without opening them. */
  read(path: string, options?: ReadOptions): Promise<ReadFile>;
  /** First bytes of a regular file, without reading the rest. */
  readHead(path: string, bytes: number): Promise<Uint8Array>;
  /** Sorted by name; a hidden directory is empty. */
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /** True when reading `path` is forbidden, also through links. Search tools ask before they open. */
  hidden(path: string): Promise<boolean>;
  /**
   * Atomic: temporary file in the same folder, flush, rename. Parents are made; mode, owner and the target of a
   * link are kept. Answers the new version.
   */
  write(path: string, bytes: Uint8Array, options: WriteOptions): Promise<Version>;
  /** The destination must not exist; parents are made. A link is moved itself. `resolved`: as for a write, both parents. */
  move(from: string, to: string, options?: { readonly resolved?: boolean }): Promise<void>;
  /** A file, a link itself, or an empty directory. */
  remove(path: string): Promise<void>;
  /** Resolved form of the deepest existing ancestor plus the rest. */
  real(path: string): Promise<string>;
}

export interface CommandSpec {
  /** A command line for the workspace's shell, or a program with arguments. */
  readonly command: { readonly shell: string } | { readonly argv: readonly string[] };
  readonly cwd?: string;
  /** Set over the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called with pieces of stdout and stderr as they come, interleaved. */
  onOutput?(bytes: Uint8Array): void;
  /** A call that only reads: run with the same walls, but never in need of an approval. */
  readonly readOnly?: boolean;
  /** Set by walls around the port, never by tools: what the command is started within. */
  readonly within?: Wall;
}

/** A program that confines what it starts, such as an OS sandbox. */
export interface Wall {
  /** Program and arguments; the command follows as further arguments. */
  readonly argv: readonly string[];
  /** True when every process inside ends with the wall's own (a process namespace of its own). */
  readonly ownsTree: boolean;
  /** The same wall for many commands, one after another; absent where each needs a start of its own. */
  readonly standing?: StandingWall;
}

/** A wall around a keeper that starts the commands. */
export interface StandingWall {
  readonly argv: readonly string[];
  /** Path, inside, of a bash that can be run and not read. */
  readonly keeper: string;
}

export interface ExitStatus {
  /** Undefined when a signal ended it. */
  readonly code?: number;
  readonly signal?: string;
  /** Exit codes of the last pipeline's stages, where the shell told and more than one stage ran. */
  readonly pipeStatus?: readonly number[];
  /** The command never ran: what the wall it should have started within said. */
  readonly wallFailure?: string;
  /** What the walls know of a command that met one: which rule, and the setting that widens it. */
  readonly wallHints?: readonly WallHint[];
}

export interface WallHint {
  readonly code?: RefusalCode;
  /** One or two sentences, for the model and for people. */
  readonly text: string;
}

export interface RunningCommand {
  readonly pid: number;
  /**
   * Settles when the direct child has ended and its pipes were drained for at most one second. Never rejects.
   * `survivors`: processes of its tree that still run. Their output keeps coming to `onOutput`.
   */
  readonly ended: Promise<ExitStatus & { readonly survivors: readonly number[] }>;
  /** Settles when nothing of the tree lives, survivors included. Never rejects. Watches only while asked. */
  gone(): Promise<void>;
  /** Ends the whole tree, also what left the process group. Settles when nothing of it lives, within 3 s. */
  kill(): Promise<void>;
}

export interface ShellInfo {
  /** `bash`, `sh`, `pwsh` … */
  readonly name: string;
  readonly path: string;
}

/** A program that is talked to for as long as it runs, such as an MCP server. */
export interface ProgramToOpen {
  /** Program and arguments, without a shell; a bare name is looked up outside the workspace. */
  readonly argv: readonly string[];
  readonly cwd?: string;
  /** Set over the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Set by walls around the port: what the program is started within. */
  readonly within?: Wall | undefined;
}

export interface OpenProgram {
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** The end of the program itself. Never rejects. */
  readonly ended: Promise<Pick<ExitStatus, "code" | "signal">>;
  /**
   * Closes its input, gives it a moment, then ends the whole tree, also what left the process group. Settles when
   * nothing of it lives, within about 1.5 s. Idempotent.
   */
  close(): Promise<void>;
}

export interface Processes {
  readonly shell: ShellInfo;
  start(spec: CommandSpec): Promise<RunningCommand>;
  /** A command is about to be started: what stands ready may wake. */
  expect(): void;
  /** Starts a program with all its streams open. Throws `FileError` when it cannot be started. */
  open(program: ProgramToOpen): Promise<OpenProgram>;
  /** Absolute path of a program, or undefined. Never a file inside the workspace. */
  which(program: string): Promise<string | undefined>;
  /** Ends what stands ready for further commands. The commands have ended before. */
  close(): Promise<void>;
}

export interface Workspace {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly files: Files;
  readonly processes: Processes;
}
