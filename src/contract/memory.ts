/** What a person can do with the memory from a screen. Whatever is asked for here, the person asked for. */

/** Each answers Markdown to show, also for what cannot be done. `ref`: id or name of a fact. Never rejects but for a defect. */
export interface MemoryCommands {
  /** Active facts, archived facts, sources of instructions. */
  list(): Promise<string>;
  /** Which instructions are loaded, from where, in which order. */
  instructions(): Promise<string>;
  /** What was recalled for the last turn, and why. */
  recall(): Promise<string>;
  revisions(ref: string): Promise<string>;
  restore(ref: string, revision: number): Promise<string>;
  archived(): Promise<string>;
  /** `path` as `archived` names it. */
  recover(path: string): Promise<string>;
  subjects(): Promise<string>;
  /** Turns `pinned` on, or off where it is on. */
  pin(ref: string): Promise<string>;
  verify(ref: string): Promise<string>;
  forget(ref: string): Promise<string>;
  /** Appends to the project's instruction document. */
  note(text: string): Promise<string>;
}
