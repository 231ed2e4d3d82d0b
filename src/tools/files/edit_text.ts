/** Edits on text in memory: one after the other, all or nothing. Knows no files. */
import { ToolError } from "../../contract/errors.ts";
import { findMatches, type Match, type Matches, type MatchKind } from "./find_match.ts";
import { fitReplacement } from "./fit_replacement.ts";
import { describeMiss } from "./near_miss.ts";
import { lineNumber, receipt } from "./receipt.ts";

/** So many places are named when there are too many. */
const NAMED_MATCHES = 20;

export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

export interface EditedText {
  readonly text: string;
  /** One for each edit: how it matched, how often, and what it did, for the model. */
  readonly steps: readonly EditStep[];
}

export interface EditStep {
  readonly kind: MatchKind;
  readonly occurrences: number;
  readonly receipt: string;
}

/** Throws `ToolError` for the first edit that cannot be made; `numbered`: the message says which. */
export function editText(
  text: string,
  edits: readonly Edit[],
  options: { readonly numbered?: boolean } = {},
): EditedText {
  let now = text;
  const steps: EditStep[] = [];
  for (const [i, edit] of edits.entries()) {
    try {
      const { text: next, kind, matches } = editOnce(now, edit);
      steps.push({
        kind,
        occurrences: matches.length,
        receipt: receipt({ before: now, after: next.text, at: matches[0]!, length: next.firstLength }, {
          index: i + 1,
          total: edits.length,
          occurrences: matches.length,
        }),
      });
      now = next.text;
    } catch (error) {
      if (!(error instanceof ToolError) || !options.numbered) throw error;
      throw new ToolError(`edit ${i + 1}: ${error.message}`, { cause: error });
    }
  }
  return { text: now, steps };
}

interface Step {
  readonly text: { readonly text: string; readonly firstLength: number };
  readonly kind: MatchKind;
  readonly matches: readonly Match[];
}

function editOnce(text: string, edit: Edit): Step {
  if (edit.old === "") throw new ToolError("old_string is required");
  if (edit.old === edit.new) throw new ToolError("old_string and new_string are identical: there is nothing to change");
  const matches = findMatches(text, edit.old);
  if (matches.found.length === 0) throw new ToolError(describeMiss(text, edit.old));
  const chosen = edit.all ? apart(matches.found) : [theOnly(text, { matches, edit })];
  return { text: replace(text, chosen, { matches, edit }), kind: matches.kind, matches: chosen };
}

function replace(
  text: string,
  chosen: readonly Match[],
  how: { readonly matches: Matches; readonly edit: Edit },
): { readonly text: string; readonly firstLength: number } {
  const parts: string[] = [];
  let at = 0;
  for (const match of chosen) {
    const fitted = fitReplacement({ text, ...match }, how.matches.kind, how.edit.old, how.edit.new);
    if (fitted.kind === "ambiguous") {
      throw new ToolError(
        `line ${lineNumber(text, match.start)} of the file has ${spell(fitted.inFile)} where old_string has ` +
          `${spell(fitted.inOld)}, and new_string adds more of it; nothing was changed. The real text is:\n` +
          `${text.slice(match.start, match.end)}\nCopy its characters into old_string and new_string.`,
      );
    }
    parts.push(text.slice(at, match.start), fitted.text);
    at = match.end;
  }
  const firstLength = parts[1]!.length;
  parts.push(text.slice(at));
  return { text: parts.join(""), firstLength };
}

function theOnly(text: string, how: { readonly matches: Matches; readonly edit: Edit }): Match {
  const { found } = how.matches;
  const [first, second] = found;
  if (second === undefined || isSameEitherWay(text, how)) return first!;
  const lines = new Set(found.slice(0, NAMED_MATCHES).map((match) => lineNumber(text, match.start)));
  const shown = [...lines].join(", ") + (found.length > NAMED_MATCHES ? ", …" : "");
  throw new ToolError(
    `old_string occurs ${found.length} times, in ${
      lines.size === 1 ? "line" : "lines"
    } ${shown}; it must occur exactly ` +
      `once. Add surrounding lines that only one place has, or use multi_edit with replace_all to change every one.`,
  );
}

/** Matches that lie over each other, as of two line ends among three, and of which each gives the same result. */
function isSameEitherWay(text: string, how: { readonly matches: Matches; readonly edit: Edit }): boolean {
  const { found } = how.matches;
  const overlap = found.length <= 4 && found.every((match, i) => i === 0 || match.start < found[i - 1]!.end);
  if (!overlap) return false;
  const results = found.map((match) => replace(text, [match], how).text);
  return results.every((result) => result === results[0]);
}

/** Left to right, none reaching into the one before. */
function apart(found: readonly Match[]): Match[] {
  const out: Match[] = [];
  for (const match of found) if (match.start >= (out.at(-1)?.end ?? 0)) out.push(match);
  return out;
}

function spell(text: string): string {
  const points = [...text].map((character) =>
    `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
  );
  return `${text} (${points.join(" ")})`;
}
