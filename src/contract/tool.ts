/**
 * The seam between the loop and what it can do. A tool is built from a `ToolKind` with the ports it needs; it parses
 * nothing itself: arguments are checked against its schema before it is called.
 */
import type { CapabilitySource } from "./capability.ts";
import type { Compression } from "./context.ts";
import type { Jobs } from "./jobs.ts";
import type { Person } from "./decision.ts";
import type { Image, ToolExecution } from "./message.ts";
import type { WallHint, Workspace } from "./workspace.ts";

export type JsonSchema = { readonly [key: string]: unknown };

/** What a model is told about a tool. Canonical: equal schemas have equal bytes. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface TodoItem {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly activeForm?: string;
  readonly level: number;
  readonly step_id: string;
}

/** An item as the model sends it. Without a `step_id` it is new, or the old item with the same words. */
export interface TodoInput {
  readonly content: string;
  readonly status: TodoItem["status"];
  readonly activeForm?: string;
  readonly level?: number;
  readonly step_id?: string;
}

/** `problem` says which rule the list breaks and how to mend it; then nothing has changed. */
export type TodoChange =
  | { readonly changed: boolean; readonly items: readonly TodoItem[] }
  | { readonly problem: string };

/** The task list of one session. */
export interface Todos {
  readonly items: readonly TodoItem[];
  /** The same lists accepted in the same order give the same ids: a resumed session replays them. */
  replace(list: readonly TodoInput[]): TodoChange;
}

export interface ToolOutput {
  /** Whole text for the model; the loop bounds it once. */
  readonly text: string;
  /** Set for a failed call whose text already says so, such as a command with a non-zero exit. */
  readonly failed?: boolean;
  /** How to cut text over the limit: first part only, or both ends (default). Bytes; default 16 000. */
  readonly bound?: { readonly keep: "head" | "head_tail"; readonly bytes: number };
  readonly execution?: ToolExecution;
  /** For people; the model never sees it. */
  readonly display?: {
    readonly diff?: string;
    readonly added?: number;
    readonly removed?: number;
    readonly todos?: readonly TodoItem[];
  };
  /**
   * Walls that a failed command met, for those who may offer a way around them. The model reads of them in the text.
   */
  readonly walls?: readonly WallHint[];
  /** Pictures that belong to the result. What a model that sees none reads in their place, its provider writes. */
  readonly images?: readonly Image[];
  /** Later calls of the same batch are not run (a question was answered, control goes back to the person). */
  readonly barrier?: boolean;
}

export interface ToolContext {
  readonly callId: string;
  /** Aborts when the turn is stopped. A tool settles within a second of it. */
  readonly signal: AbortSignal;
  /** Live output for people; not part of the result. */
  progress(text: string): void;
}

export interface Tool {
  readonly name: string;
  /** Prose from the Markdown file beside the code. */
  readonly description: string;
  readonly schema: JsonSchema;
  /** Runs beside other read-only calls and needs no permission by default. */
  readonly readOnly: boolean;
  /** False: reached through `use_capability` only, so that the request prefix stays small. */
  readonly direct: boolean;
  /**
   * A proxy answers which tool is really meant, and with which arguments; gates and dispatch then see that one.
   * Undefined: the call is for this tool itself. `problem` is read by the model as an error. Total: `args` may not fit
   * the schema yet. The arguments answered are not checked; they are those of the tool meant.
   */
  redirect?(
    args: Record<string, unknown>,
  ): { readonly tool: string; readonly args: Record<string, unknown> } | { readonly problem: string } | undefined;
  /**
   * `args` fits `schema`. Throws `ToolError` for what the model should mend and lets `Refusal` of the workspace
   * pass. Anything else thrown is a bug.
   */
  execute(args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>;
}

/** What tools are built from. Each takes what it needs; none keeps state outside. */
export interface ToolPorts {
  readonly workspace: Workspace;
  readonly settings: ToolSettings;
  readonly results: ResultStore;
  readonly jobs: Jobs;
  /** Absent: nobody can be asked. */
  readonly person?: Person;
  readonly planMode?: PlanMode;
  /** What `use_capability` reaches beside the deferred tools of the set. */
  readonly capabilities?: readonly CapabilitySource[];
  /** Absent: the conversation cannot be folded. */
  readonly compression?: Compression;
  /** Where the task list is kept; absent: the tool keeps one of its own. */
  readonly todos?: Todos;
  /** Whether the model that speaks now looks at pictures; absent: none does. */
  vision?(): boolean;
}

/** What `exit_plan_mode` needs of the phase the conversation is in. */
export interface PlanMode {
  readonly active: boolean;
  /** The person approved the plan: its ordinary writers run without questions until the turn ends. */
  approve(): void;
  /** The person left plan mode without carrying anything out. */
  leave(): void;
}

export interface ToolSettings {
  /** Foreground cap of a command in seconds; 0 none. */
  readonly bashTimeoutSeconds: number;
  /** Variables set for every command, over the inherited environment. */
  readonly shellEnv: Readonly<Record<string, string>>;
  readonly searchEngine: "auto" | "native" | "rg";
  readonly rgPath?: string;
  readonly stalledWarningSeconds: number;
}

/** Full texts of bounded tool results, bound to one agent's own session. */
export interface ResultStore {
  /** Undefined for a reference this session does not own. */
  read(callId: string, ref: string): Promise<Uint8Array | undefined>;
}

/** Adding a tool is a folder that exports this, and a line in the list of built-ins. */
export interface ToolKind {
  readonly name: string;
  /** `tools` is the set under construction: complete by the time any tool is called, not before. */
  create(ports: ToolPorts, tools: ToolSet): Tool;
}

/** What the loop knows of tools. The list never changes within a session. */
export interface ToolSet {
  /** Direct tools in a fixed order, canonical. */
  readonly schemas: readonly ToolSchema[];
  find(name: string): Tool | undefined;
  /** Also the deferred ones. */
  readonly names: readonly string[];
  /** The known name that looks most like `name`, when one is close. */
  nearest(name: string): string | undefined;
  /**
   * One line per violation, `/path: keyword; expected …`, with the schema's fingerprint; undefined when it fits.
   * The validator is loaded with the first call. Never rejects, whatever the schema.
   */
  violations(tool: Tool, args: unknown): Promise<Violations | undefined>;
}

/** All lines together stay under 3 KiB. */
export interface Violations {
  /** First 8 hex digits of the SHA-256 of the canonical schema. */
  readonly fingerprint: string;
  readonly lines: readonly string[];
}
