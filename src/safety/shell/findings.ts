/** What is gathered while a line is walked. Phrases end the sentence "it has …" or stand alone. */
import type { SimpleCommand } from "./analysis.ts";

export class Findings {
  readonly commands: SimpleCommand[] = [];
  /** Why a person is needed. */
  readonly nested = new Set<string>();
  /** Why only the identical command may be allowed for good. */
  readonly dynamic = new Set<string>();
  /** What keeps the line from being read-only, beside its commands. */
  readonly acts = new Set<string>();
  readonly heredocs: string[] = [];
  readonly mayWrite = new Set<string>();
  /** Folders the line changes to; what it then writes may lie below them. */
  readonly folders = new Set<string>();
  /** Where the line goes is not known. */
  lost = false;
  /** Folders in which git reads. */
  readonly gitFolders = new Set<string>();
  complete = true;

  /** Part of the line was not understood. */
  opaque(reason: string): void {
    this.complete = false;
    this.nested.add(reason);
  }

  /** Something happens that is more than a command with plain words. */
  computes(what: string): void {
    this.dynamic.add(what);
    this.acts.add(what);
  }
}
