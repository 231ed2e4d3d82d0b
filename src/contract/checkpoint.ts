/**
 * Going back: what files held before a turn changed them, and what a conversation was before a turn was said.
 * Independent of version control; nothing but what the agent itself touched is ever restored.
 */

/** One change to the files, as the workspace port is about to make it. Absolute paths, links resolved but for the last name. */
export type FileChange =
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "move"; readonly from: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string };

export interface FileSnapshots {
  /**
   * Saves what the change is about to take away, once for each path and turn. Throws `FileError` when it could not be
   * saved: then the change must not happen. The answer is called when the change has happened or failed; never rejects.
   */
  before(change: FileChange): Promise<() => Promise<void>>;
}

/** Why going back to a turn may not bring everything back. */
export type GapReason =
  | "bash_side_effect"
  | "hook_write"
  | "mcp_external"
  | "outside_workspace"
  | "symlink"
  | "hardlink"
  | "unreadable"
  | "oversized"
  | "background_writer_cross_turn"
  | "legacy_unverified"
  | "capture_failed"
  | "expired_file_payload"
  | "workspace_claim_yielded";

export interface CoverageGap {
  readonly reason: GapReason;
  /** The file it is about, or what ran. */
  readonly subject?: string;
}

/** `none`: nothing was saved though something may have changed. */
export type Coverage = "complete" | "partial" | "none" | "legacy";

export type ConflictKind =
  | "manual_edit"
  | "external_change"
  | "deleted_and_recreated"
  | "type_change"
  | "mode_change"
  | "missing_payload"
  | "path_unsafe"
  | "active_writer"
  | "stale_plan"
  | "boundary_invalid"
  | "legacy_unverified"
  | "expired_payload";

export interface RewindConflict {
  readonly kind: ConflictKind;
  /** Absent: it is about the whole plan. */
  readonly path?: string;
  /** One sentence for people. */
  readonly text: string;
  /** The person may decide that the saved state is put in its place all the same. */
  readonly canForce: boolean;
}

export interface RewindChange {
  readonly path: string;
  /** `mode`: only its permission bits change. Folders go only when nothing is left in them. */
  readonly action: "restore" | "create" | "remove" | "mode" | "create_folder" | "remove_folder";
}

/** The person's message that a turn began with. */
export interface TurnBoundary {
  /** Its place among `Transcript.messages`. */
  readonly message: number;
  /** When it was said. Unix time in milliseconds. */
  readonly at: number;
}

export interface TurnCheckpoint extends TurnBoundary {
  /** The person's words, as one short line. */
  readonly prompt: string;
  /** Files whose state before the turn was saved. */
  readonly files: number;
  readonly coverage: Coverage;
}

export interface CodePlan {
  readonly changes: readonly RewindChange[];
  readonly conflicts: readonly RewindConflict[];
  readonly gaps: readonly CoverageGap[];
}

export interface CommitOptions {
  /** Also files that conflict, where that is possible. Their present state is saved first, so it can be undone. */
  readonly force?: boolean;
  /** Done between the files and the word that all is done, such as cutting the conversation. Throws: all is taken back. */
  finish?(id: string): void;
}

export type CommitReport =
  | { readonly outcome: "committed"; readonly id: string; readonly changes: readonly RewindChange[] }
  /** Nothing was changed: the files are not as planned any more. */
  | { readonly outcome: "stale"; readonly conflicts: readonly RewindConflict[] }
  /** Nothing is changed: what had been done was taken back. `left`: files for which that failed too. */
  | { readonly outcome: "aborted"; readonly text: string; readonly left: readonly string[] };

export interface UndoView {
  readonly id: string;
  /** The conversation was cut as well. */
  readonly conversation: boolean;
  readonly files: number;
}

/** The saved states of one conversation. Used between turns only. */
export interface Checkpoints {
  /** For each of the boundaries, in their order. */
  describe(boundaries: readonly TurnBoundary[]): Promise<readonly Pick<TurnCheckpoint, "files" | "coverage">[]>;
  /**
   * What it takes to bring the files back to where they were before that turn; only `path`, where given. `undefined`:
   * the files stay as they are.
   */
  plan(to: TurnBoundary | undefined, options?: { readonly path?: string }): Promise<CodePlan>;
  /** Carries out a plan of this object. */
  commit(plan: CodePlan, options?: CommitOptions): Promise<CommitReport>;
  /** The going back that may still be taken back; later work ends that. */
  undoable(): Promise<UndoView | undefined>;
  planUndo(): Promise<CodePlan | undefined>;
  /** Another conversation begins with what this one has saved. */
  copyTo(transcriptPath: string): Promise<void>;
}
