/** A command line, analysed. Pure; the parser is given, because it is loaded at the first command and not before. */
import type { CommandAnalysis, Shape, SimpleCommand } from "./analysis.ts";
import { dangerOf } from "./danger.ts";
import { offeredPrefix } from "./prefix.ts";
import { type Parser, Walk } from "./walk.ts";

/**
 * Longer lines need a person: Linux passes no longer argument to a program, so such a line could not run as written.
 * Bytes are not counted exactly; a line this long is never ordinary work.
 */
const LONGEST = 128 * 1024;

export function analyzeCommand(command: string, parser: Parser): CommandAnalysis {
  if (command.includes("\u0000")) return opaque("it holds a NUL character");
  if (command.length > LONGEST) return opaque("it is too long to be looked through");
  const walk = new Walk(parser);
  try {
    walk.text(command);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return opaque("it is nested too deeply");
  }
  const found = walk.close();
  const shape: Shape = found.nested.size > 0 ? "nested" : found.dynamic.size > 0 ? "dynamic" : "static";
  const written = found.commands.filter((call) => !call.carried);
  const reasons = [...found.nested, ...(found.nested.size > 0 ? [] : found.dynamic)];
  const provenOnly = [...found.nested].every((reason) => reason === "command substitution") && onlyProven(written);
  const readOnly = found.complete && found.acts.size === 0 && (found.nested.size === 0 || provenOnly) &&
    written.every((call) => call.readOnly);
  const danger = dangerOf(found.commands);
  return {
    class: readOnly ? "read_only" : shape,
    shape,
    readOnly,
    reasons,
    commands: found.commands,
    complete: found.complete,
    heredocs: found.heredocs,
    ...(danger === undefined ? {} : { danger }),
    ...(shape === "static" && danger === undefined ? prefixOf(written) : {}),
    mayWrite: [...found.mayWrite],
  };
}

/** True when every substitution of the line stands quoted in a reader and is one of the proven forms. */
function onlyProven(commands: readonly SimpleCommand[]): boolean {
  return commands.every((call) => call.layers[0]!.words.every((word) => word.computed !== "yes"));
}

function prefixOf(commands: readonly SimpleCommand[]): { readonly prefix?: string } {
  const prefix = commands.length === 1 ? offeredPrefix(commands[0]!) : undefined;
  return prefix === undefined ? {} : { prefix };
}

function opaque(reason: string): CommandAnalysis {
  return {
    class: "nested",
    shape: "nested",
    readOnly: false,
    reasons: [reason],
    commands: [],
    complete: false,
    heredocs: [],
    mayWrite: [],
  };
}
