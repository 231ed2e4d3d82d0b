/** Rules of file tools against a path. */
import type { Matcher } from "./rule.ts";
import type { Match } from "./match_command.ts";
import { fits } from "./wildcard.ts";

/** Names of the file a path text means. Absent parts: it lies outside the workspace. */
export interface PathForms {
  /** Cleaned by text alone, from the workspace root. */
  readonly relative?: string;
  /** Cleaned by text alone. */
  readonly absolute: string;
  /** Links resolved. */
  readonly real: string;
  /** Links resolved, from the workspace root. */
  readonly realRelative?: string;
}

/** For deny and ask rules: any name of the file will do. */
export function findPathMatch(
  matcher: Matcher,
  text: string,
  options: { readonly forms?: PathForms; readonly foldCase?: boolean } = {},
): Match {
  const { forms, foldCase = false } = options;
  const names = [text, forms?.relative, forms?.absolute, forms?.real, forms?.realRelative];
  return names.some((name) => name !== undefined && matchesText(matcher, name, foldCase)) ? "yes" : "no";
}

/**
 * For allow rules: the text as given must fit, and so must the place it leads to; neither `docs/../secret` nor a link
 * below `docs` is in `docs`.
 */
export function allowsPath(matcher: Matcher, text: string, forms: PathForms | undefined): boolean {
  if (!matchesText(matcher, text, false)) return false;
  if (!forms) return !/(^|[\\/])\.\.([\\/]|$)/.test(text);
  const either = (...names: (string | undefined)[]) =>
    names.some((name) => name !== undefined && matchesText(matcher, name, false));
  // A literal rule names this very text; where it leads is still checked, by the walls around the files.
  const clean = text === matcherText(matcher) || either(forms.relative, forms.absolute);
  if (!clean) return false;
  const moved = forms.relative !== undefined && forms.relative !== forms.realRelative;
  return !moved || either(forms.realRelative, forms.real);
}

function matchesText(matcher: Matcher, text: string, foldCase: boolean): boolean {
  const fold = (one: string) => foldCase ? one.toLowerCase() : one;
  switch (matcher.kind) {
    case "any":
      return true;
    case "literal":
    case "exact":
    case "prefix":
      return fold(text) === fold(matcher.text);
    case "glob":
      return fits(fold(matcher.pattern), fold(text));
  }
}

function matcherText(matcher: Matcher): string | undefined {
  return matcher.kind === "literal" || matcher.kind === "exact" ? matcher.text : undefined;
}
