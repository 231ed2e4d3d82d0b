/**
 * What reading the files can bring up. A finding is a fact about a key; `report.ts` turns it into a sentence with a
 * line number. Notices let the run go on, problems do not.
 */
import type { ReasonixError } from "../contract/errors.ts";
import { showPath } from "../lib/shown_path.ts";

/** Where in a document: keys of tables and indexes of arrays. */
export type KeyPath = readonly (string | number)[];

export type Finding =
  | { readonly kind: "type"; readonly path: KeyPath; readonly expected: string; readonly found: string }
  /** An entry lacks a key it cannot do without. */
  | { readonly kind: "missing"; readonly path: KeyPath; readonly key: string }
  | { readonly kind: "unknown"; readonly path: KeyPath; readonly near?: string; readonly unsafe: boolean }
  | { readonly kind: "adjusted"; readonly path: KeyPath; readonly text: string }
  | { readonly kind: "retired"; readonly path: KeyPath; readonly text: string }
  /** A key that is set and that nothing acts on. */
  | { readonly kind: "not_yet"; readonly path: KeyPath; readonly guard: boolean }
  /** A key that a project file cannot set. */
  | { readonly kind: "user_only"; readonly path: KeyPath }
  /** The same identity twice in one file. */
  | { readonly kind: "duplicate"; readonly path: KeyPath; readonly name: string };

export type NoticeCode =
  | "config.unknown_key"
  | "config.adjusted"
  | "config.retired"
  | "config.not_yet"
  | "config.user_only"
  | "config.untrusted"
  | "config.shadowed_provider"
  | "config.default_model"
  | "config.mcp_json"
  | "config.project_env"
  | "config.migrated";

export interface ConfigNotice {
  readonly level: "info" | "warning";
  readonly code: NoticeCode;
  /** One line for people, with file and line where there is one. */
  readonly text: string;
  readonly place?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** What stops a run. Always a `config.*` code. */
export type ConfigProblem = ReasonixError;

/** `agent.compact_ratio`, `providers[0].name`. Keys that are not bare are quoted. */
export function keyText(path: KeyPath): string {
  let out = "";
  for (const part of path) {
    if (typeof part === "number") out += `[${part}]`;
    else {
      const key = /^[A-Za-z0-9_-]+$/.test(part) ? part : `"${showPath(part)}"`;
      out += out === "" ? key : `.${key}`;
    }
  }
  return out;
}
