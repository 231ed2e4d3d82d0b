/** The flags of `run` and `-p`, checked against each other before anything is loaded. */
import type { Posture, WorkPreset } from "../../contract/decision.ts";
import { ownValue } from "../../lib/own_value.ts";
import { type ParsedFlags, textOf, UsageError } from "./flags.ts";

export type RunFormat = "text" | "print" | "json" | "stream-json" | "events-jsonl" | "totals";

/** What the terminal UI and `run` are told alike. */
export interface SessionFlags {
  readonly model?: string;
  readonly effort?: string;
  readonly maxSteps: number;
  readonly dir?: string;
  readonly addDirs: readonly string[];
  readonly allowedTools: readonly string[];
  readonly copy: boolean;
  readonly preset: WorkPreset;
}

export interface RunOptions extends SessionFlags {
  readonly format: RunFormat;
  /** Undefined: the command line names none. */
  readonly posture?: Posture;
  readonly resume?: { readonly ref: string } | "latest";
  readonly takeover: boolean;
  readonly showThinking: boolean;
  readonly debug: boolean;
  readonly failOnUnverified: boolean;
  readonly metrics?: string;
  readonly trajectory?: string;
  /** For stderr; spelling that will go away. */
  readonly warnings: readonly string[];
}

const POSTURES: Readonly<Record<string, Posture>> = {
  "": "ask",
  default: "ask",
  ask: "ask",
  manual: "ask",
  auto: "auto",
  "workspace-write": "auto",
  "read-only": "read_only",
  acceptedits: "accept_edits",
  dontask: "dont_ask",
  bypasspermissions: "yolo",
  yolo: "yolo",
  "danger-full-access": "yolo",
};

const ABLATIONS = [
  "evidence",
  "planner",
  "subagent",
  "retrieval",
  "compaction",
  "upstream",
  "recall-search",
  "none",
  "all",
];

export function toSessionFlags(parsed: ParsedFlags): SessionFlags {
  const { values } = parsed;
  const text = (name: string) => textOf(parsed, name);
  const list = (name: string) => (values.get(name) as readonly string[] | undefined) ?? [];
  return {
    model: text("model"),
    effort: text("effort"),
    maxSteps: toCount(text("max-steps"), "--max-steps"),
    dir: text("dir"),
    addDirs: list("add-dir"),
    allowedTools: list("allowed-tools"),
    copy: values.has("copy"),
    preset: toPreset(values),
  };
}

export function toRunOptions(parsed: ParsedFlags): RunOptions {
  const { values } = parsed;
  const text = (name: string) => textOf(parsed, name);
  const has = (name: string) => values.has(name);
  const resume = text("resume");
  const options: RunOptions = {
    format: toFormat(parsed),
    ...toSessionFlags(parsed),
    posture: toPosture(parsed),
    resume: resume === undefined ? (has("continue") ? "latest" : undefined) : { ref: resume },
    takeover: has("takeover"),
    showThinking: has("show-thinking"),
    debug: has("debug"),
    failOnUnverified: has("fail-on-unverified"),
    metrics: text("metrics"),
    trajectory: text("trajectory"),
    warnings: warningsFor(values),
  };
  if (options.metrics !== undefined && options.metrics === options.trajectory) {
    throw new UsageError("--metrics and --trajectory name the same file; give each its own");
  }
  if (options.copy && options.resume === undefined) throw new UsageError("--copy requires --resume or --continue");
  const ablated = (text("ablate") ?? "none").split(",").map((name) => name.trim());
  const unknown = ablated.find((name) => !ABLATIONS.includes(name));
  if (unknown !== undefined) throw new UsageError(`--ablate knows ${ABLATIONS.join(", ")}; got "${unknown}"`);
  return options;
}

/** Flags that were spelled in a way that will go away. */
export function oldSpellings(values: ParsedFlags["values"]): string[] {
  return values.has("profile") ? ["--profile is the old name of --preset; use --preset"] : [];
}

/** The old names `light` and `economy` mean `balanced`. */
function toPreset(values: ParsedFlags["values"]): WorkPreset {
  return (values.get("preset") ?? values.get("profile")) === "delivery" ? "delivery" : "balanced";
}

/** What a person should know of a flag that does less than its name says. */
function warningsFor(values: ParsedFlags["values"]): string[] {
  const warnings = oldSpellings(values);
  if ((values.get("ablate") ?? "none") !== "none") warnings.push("--ablate switches nothing off yet");
  return warnings;
}

function toFormat(parsed: ParsedFlags): RunFormat {
  const { values } = parsed;
  const format = values.get("output-format");
  if (values.has("events-jsonl")) {
    if (format !== undefined) throw new UsageError("--events-jsonl cannot be combined with --output-format");
    if (values.has("json")) throw new UsageError("--events-jsonl cannot be combined with --json");
    return "events-jsonl";
  }
  if (values.has("json")) {
    if (format !== undefined) throw new UsageError("--json cannot be combined with --output-format");
    return "totals";
  }
  if (format === "json" || format === "stream-json") return format;
  return values.has("print") ? "print" : "text";
}

/** Throws for `plan`, which needs a person. */
function toPosture(parsed: ParsedFlags): Posture | undefined {
  const mode = toPermissionMode(parsed);
  if (mode === "plan") throw new UsageError("--permission-mode plan requires an interactive session");
  return mode;
}

/** Undefined: the command line names none. */
export function toPermissionMode(parsed: ParsedFlags): Posture | "plan" | undefined {
  const { values } = parsed;
  const named = values.get("permission-mode");
  const given = [["--permission-mode", named !== undefined], ["--auto", values.has("auto")], [
    "--yolo",
    values.has("yolo"),
  ]] as const;
  const [first, second] = given.filter(([, set]) => set).map(([name]) => name);
  if (second !== undefined) throw new UsageError(`${first} and ${second} both name a permission mode; give one`);
  if (values.has("auto")) return "auto";
  if (values.has("yolo")) return "yolo";
  if (typeof named !== "string") return undefined;
  const mode = named.toLowerCase();
  if (mode === "plan") return "plan";
  const posture = ownValue(POSTURES, mode);
  if (posture === undefined) {
    throw new UsageError(`--permission-mode knows ask, auto, read-only, acceptEdits, dontAsk and yolo; got "${named}"`);
  }
  return posture;
}

function toCount(text: string | undefined, flag: string): number {
  if (text === undefined) return 0;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new UsageError(`${flag} takes a whole number from 0; got "${text}"`);
  return count;
}
