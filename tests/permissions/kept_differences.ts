/**
 * Where our answer differs on purpose from what a recorded case of another source expects. Reviewed by hand: a row may go
 * only with the reason, and the tests fail when a row is no longer needed.
 */
export interface Difference {
  /** Id of the record. */
  readonly id: string;
  readonly ours: "allow" | "ask" | "read" | "act";
  readonly reason: string;
}

const READER_IN_CHAIN = "the other part only reads, and what only reads runs without a rule";
const STRING_FOR_SHELL = "a line inside `bash -c` needs a person, whatever it holds";
const GIT_READS = "git's readers run, unless the repository's own settings make git start programs";

export const POLICY_DIFFERENCES: readonly Difference[] = [
  { id: "policy-017", ours: "ask", reason: "a command substitution needs a person, even of allowed commands" },
  { id: "policy-021", ours: "allow", reason: READER_IN_CHAIN },
  { id: "policy-022", ours: "allow", reason: READER_IN_CHAIN },
  { id: "policy-024", ours: "allow", reason: READER_IN_CHAIN },
  { id: "policy-073", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-075", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-076", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-077", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-079", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-080", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-081", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-082", ours: "act", reason: STRING_FOR_SHELL },
  { id: "policy-084", ours: "read", reason: GIT_READS },
  { id: "policy-085", ours: "read", reason: GIT_READS },
  { id: "policy-086", ours: "read", reason: GIT_READS },
];

/** Rows of the payload list: none differs. */
export const PAYLOAD_DIFFERENCES: readonly Difference[] = [];

/** Texts that bash refuses by default and the parser takes, as extended patterns: dynamic, so no rule covers them. */
export const TAKEN_THOUGH_REFUSED: readonly string[] = ["shopt -s extglob; cd bar2; ln -s ../bar1/foo!(*.cc) ."];

/**
 * Programs of the GTFOBins list that count as readers when they do what they are for. Reading any file of the machine is
 * reading; secrets are guarded by `forbid_read` and the sandbox, not by a question per `head`.
 */
export const READING_PROGRAMS: readonly string[] = [
  "cmp",
  "column",
  "cut",
  "diff",
  "egrep",
  "expand",
  "head",
  "look",
  "rev",
  "strings",
  "tac",
  "unexpand",
  "zgrep",
];
