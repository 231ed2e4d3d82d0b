/** A command line of a POSIX shell, analysed. Pure; the parser is given, because it is loaded at the first command. */
import type { CommandAnalysis, Shape } from "./analysis.ts";
import { join } from "../../lib/path.ts";
import { dangerOf } from "./danger.ts";
import type { Findings } from "./findings.ts";
import { offeredPrefix } from "./prefix.ts";
import { type Parser, Walk } from "./walk.ts";

/**
 * Longer lines need a person. Linux takes no longer argument for a program, so such a line would not run as one call
 * anyway; everything shorter is looked through to its end.
 */
const LONGEST = 128 * 1024;

export function analyzeCommand(command: string, parser: Parser): CommandAnalysis {
  if (command.includes("\u0000")) return opaqueAnalysis("it holds a NUL character");
  if (command.length > LONGEST) return opaqueAnalysis("it is too long to look through");
  try {
    return toAnalysis(new Walk(parser).read(command));
  } catch (error) {
    if (error instanceof RangeError) return opaqueAnalysis("it is nested too deeply");
    throw error;
  }
}

export function toAnalysis(found: Findings): CommandAnalysis {
  const written = found.commands.filter((call) => !call.carried);
  const shape: Shape = found.nested.size > 0 ? "nested" : found.dynamic.size > 0 ? "dynamic" : "static";
  // A substitution that acts is among the acts; what is left of them is proven harmless.
  const reasons = [...found.nested].filter((reason) => reason !== "command substitution");
  const gitIsSomewhere = found.gitFolders.size > 0 && (found.lost || goesUpFromElsewhere(found));
  const readOnly = found.complete && !gitIsSomewhere && found.acts.size === 0 && reasons.length === 0 &&
    written.length > 0 &&
    written.every((call) => call.readOnly);
  const danger = dangerOf(found.commands);
  const [only, ...more] = written;
  const prefix = shape === "static" && !danger && only && more.length === 0 ? offeredPrefix(only) : undefined;
  return {
    class: readOnly ? "read_only" : shape,
    shape,
    readOnly,
    reasons: [...found.nested, ...found.dynamic],
    commands: found.commands,
    complete: found.complete,
    heredocs: found.heredocs,
    discards: danger?.discards ?? false,
    mayWrite: withFolders(found.mayWrite, found),
    gitFolders: withFolders(found.gitFolders, found),
    ...(danger === undefined ? {} : { danger: danger.text }),
    ...(prefix === undefined ? {} : { prefix }),
  };
}

/** `cd link && git -C .. status`: up from where the link leads, and not from where it stands. */
function goesUpFromElsewhere({ gitFolders, folders }: Findings): boolean {
  return folders.size > 0 && [...gitFolders].some((folder) => folder.split("/").includes(".."));
}

/** `cd .git/hooks; touch x` means a file below the folder, and so may every later word. */
function withFolders(paths: ReadonlySet<string>, { folders }: Findings): readonly string[] {
  const below = [...folders].flatMap((folder) => [...paths].map((path) => join(folder, path)));
  return [...new Set([...paths, ...below])];
}

export function opaqueAnalysis(reason: string): CommandAnalysis {
  return {
    class: "nested",
    shape: "nested",
    readOnly: false,
    reasons: [reason],
    commands: [],
    complete: false,
    heredocs: [],
    discards: false,
    mayWrite: [],
    gitFolders: [],
  };
}
