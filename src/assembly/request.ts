/** What a frontend asks for, and what it gets. */
import type { Controller } from "../controller/mod.ts";
import type { Posture } from "../contract/decision.ts";
import type { ReasonixPaths } from "../config/mod.ts";

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
  readonly resume?: { readonly ref: string } | "latest";
  readonly copy: boolean;
  readonly takeover: boolean;
  /** Somebody can answer questions. */
  readonly interactive: boolean;
  /** Plays the built-in offline model; no config is read. */
  readonly demo?: boolean;
  /** Other places than the environment names; for tests and the demo. */
  readonly paths?: ReasonixPaths;
}

export interface Assembly {
  readonly controller: Controller;
  /** `provider/model`. */
  readonly modelRef: string;
  readonly posture: Posture;
  readonly workspaceRoot: string;
  /** What the person should know before the first turn; one line each. */
  readonly notices: readonly string[];
}
