/** What a frontend asks for, and what it gets. */
import type { EnvironmentReader } from "../config/mod.ts";
import type { Posture, WorkPreset } from "../contract/decision.ts";
import type { Controller } from "../controller/mod.ts";
import type { SandboxState } from "../safety/mod.ts";
import type { Project } from "./project.ts";

export interface SessionRequest {
  /** Folder to work in; the current one when absent. */
  readonly directory?: string;
  /** Reference as typed; the configured default when absent. */
  readonly model?: string;
  readonly effort?: string;
  /** Tool rounds of a turn; 0 no limit. */
  readonly maxSteps: number;
  readonly addDirs: readonly string[];
  /** Allow rules of the command line, each as typed. */
  readonly allowedTools: readonly string[];
  /** Undefined: nobody named one. */
  readonly posture?: Posture;
  /** How far turns are carried; `balanced` when absent. */
  readonly preset?: WorkPreset;
  readonly resume?: { readonly ref: string } | "latest";
  readonly copy: boolean;
  readonly takeover: boolean;
  /** Somebody can answer questions. */
  readonly interactive: boolean;
  /** Other variables than those of the process; for the demo and for tests. */
  readonly environment?: EnvironmentReader;
}

export interface Assembly {
  readonly controller: Controller;
  /** With its settings as they are in force now. */
  readonly project: Project;
  /** What stands around commands; found out at the first call, the same for the whole run. For the status line. */
  sandbox(): Promise<SandboxState>;
}
