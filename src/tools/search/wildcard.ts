/**
 * File name patterns: `*` and `?` within a folder, `[…]` classes, `**` across folders, `\` for a literal next
 * character, no braces. Matched without regular expressions, in time proportional to pattern × path: patterns come from
 * models and from the ignore files of any repository.
 *
 * The same patterns serve the search tools (`dialect: "path"`, by code points, hidden names only where a dot is
 * written) and ignore files (`dialect: "git"`, by bytes, as git's wildmatch with WM_PATHNAME).
 */
import { toBytes } from "../../lib/bytes.ts";
import { ownValue } from "../../lib/own_value.ts";

export interface WildcardOptions {
  readonly dialect: "path" | "git";
}

export class PatternError extends Error {
  override readonly name = "PatternError";
}

type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "one" }
  | { readonly kind: "many" }
  | { readonly kind: "class"; readonly negated: boolean; has(point: number): boolean };

type Segment =
  | { readonly kind: "deep" }
  | {
    readonly kind: "name";
    readonly tokens: readonly Token[];
    /** Set when the whole segment is plain text. */
    readonly literal?: string;
    /** Set for `*` followed by plain text. */
    readonly suffix?: string;
    /** The pattern itself starts with a dot, so it means hidden names. */
    readonly dotted: boolean;
  };

const POSIX: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

export class Wildcard {
  readonly #segments: readonly Segment[];
  readonly #git: boolean;

  /** Throws `PatternError` naming what is wrong and where. */
  constructor(pattern: string, options: WildcardOptions) {
    this.#git = options.dialect === "git";
    this.#segments = parse(this.#git ? byteText(pattern) : pattern, this.#git);
  }

  /** `path` is relative, with `/` between names and none at its ends. */
  matches(path: string): boolean {
    return this.matchesNames(path.split("/"));
  }

  /** The names of a relative path; in the git dialect they are byte text. */
  matchesNames(names: readonly string[]): boolean {
    return matchSegments(this.#segments, names, this.#git);
  }

  /** Could anything below this folder match? Never a false no. */
  mayMatchBelow(folder: readonly string[]): boolean {
    for (let i = 0; i < folder.length; i++) {
      const segment = this.#segments[i];
      if (segment === undefined) return false;
      if (segment.kind === "deep") {
        return this.#git || folder.slice(i).every((name) => !name.startsWith(".")) ||
          this.#segments.slice(i + 1).some((later) => later.kind === "name" && later.dotted);
      }
      if (!matchName(segment, folder[i]!, this.#git)) return false;
    }
    return this.#segments.length > folder.length;
  }
}

/** UTF-8 bytes as one character each; ASCII text is its own byte text. */
export function byteText(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  let out = "";
  for (const byte of toBytes(text)) out += String.fromCharCode(byte);
  return out;
}

function parse(pattern: string, git: boolean): Segment[] {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let text = "";
  let at = 0;
  let start = 0;
  const flush = () => {
    if (text !== "") tokens.push({ kind: "text", text });
    text = "";
  };
  const endSegment = () => {
    flush();
    const raw = pattern.slice(start, at);
    if (raw === "**") segments.push({ kind: "deep" });
    else segments.push(toSegment(tokens));
    tokens = [];
  };
  while (at < pattern.length) {
    const char = String.fromCodePoint(pattern.codePointAt(at)!);
    if (char === "/") {
      endSegment();
      at++;
      start = at;
      continue;
    }
    if (char === "*") {
      flush();
      if (tokens.at(-1)?.kind !== "many") tokens.push({ kind: "many" });
      at++;
    } else if (char === "?") {
      flush();
      tokens.push({ kind: "one" });
      at++;
    } else if (char === "[") {
      flush();
      const parsed = parseClass(pattern, at);
      tokens.push(parsed.token);
      at = parsed.end;
    } else if (char === "\\") {
      if (at + 1 >= pattern.length) throw new PatternError(`"\\" at the end escapes nothing`);
      if (pattern[at + 1] === "/" && !git) {
        at++;
        continue;
      }
      const escaped = String.fromCodePoint(pattern.codePointAt(at + 1)!);
      if (escaped === "/") {
        endSegment();
        at += 2;
        start = at;
        continue;
      }
      text += escaped;
      at += 1 + escaped.length;
    } else {
      text += char;
      at += char.length;
    }
  }
  endSegment();
  return segments;
}

function toSegment(tokens: readonly Token[]): Segment {
  const [first, second] = tokens;
  const dotted = first?.kind === "text" && first.text.startsWith(".");
  if (tokens.length === 0) return { kind: "name", tokens, literal: "", dotted };
  if (tokens.length === 1 && first!.kind === "text") return { kind: "name", tokens, literal: first!.text, dotted };
  if (tokens.length === 2 && first!.kind === "many" && second!.kind === "text") {
    return { kind: "name", tokens, suffix: second!.text, dotted };
  }
  return { kind: "name", tokens, dotted };
}

function parseClass(pattern: string, open: number): { token: Token; end: number } {
  let at = open + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  const ranges: [number, number][] = [];
  const named: RegExp[] = [];
  let first = true;
  for (;; first = false) {
    if (at >= pattern.length) throw new PatternError(`"[" at position ${open + 1} has no "]"`);
    if (pattern[at] === "]" && !first) break;
    if (pattern.startsWith("[:", at)) {
      // Without a closing bracket it is a plain character, as in git.
      const end = pattern.indexOf("]", at + 2);
      if (end > at + 2 && pattern[end - 1] === ":") {
        const name = pattern.slice(at + 2, end - 1);
        const known = ownValue(POSIX, name);
        if (known === undefined) throw new PatternError(`"[:${name}:]" is no class of characters`);
        named.push(known);
        at = end + 1;
        continue;
      }
    }
    const low = readClassPoint(pattern, at, open);
    at = low.end;
    if (pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      const high = readClassPoint(pattern, at + 1, open);
      at = high.end;
      ranges.push([low.point, high.point]);
    } else {
      ranges.push([low.point, low.point]);
    }
  }
  const has = (point: number): boolean =>
    ranges.some(([low, high]) => point >= low && point <= high) ||
    (point < 0x80 && named.some((set) => set.test(String.fromCharCode(point))));
  return { token: { kind: "class", negated, has }, end: at + 1 };
}

function readClassPoint(pattern: string, at: number, open: number): { point: number; end: number } {
  if (pattern[at] === "\\") at++;
  if (at >= pattern.length) throw new PatternError(`"[" at position ${open + 1} has no "]"`);
  const point = pattern.codePointAt(at)!;
  return { point, end: at + (point > 0xffff ? 2 : 1) };
}

/** The last `**` is where matching goes back to, one name further on; an earlier one never has to be tried again. */
function matchSegments(segments: readonly Segment[], names: readonly string[], git: boolean): boolean {
  let s = 0;
  let n = 0;
  let deep = -1;
  let resume = 0;
  while (n < names.length) {
    const segment = segments[s];
    if (segment?.kind === "deep") {
      // `a/**` means what is inside `a`: something has to be left.
      if (s === segments.length - 1) return git ? true : names.slice(n).every((name) => !name.startsWith("."));
      deep = s++;
      resume = n;
      continue;
    }
    if (segment !== undefined && matchName(segment, names[n]!, git)) {
      s++;
      n++;
      continue;
    }
    if (deep < 0 || (!git && names[resume]!.startsWith("."))) return false;
    s = deep + 1;
    n = ++resume;
  }
  return s === segments.length;
}

function matchName(segment: Segment & { kind: "name" }, name: string, git: boolean): boolean {
  if (segment.literal !== undefined) return segment.literal === name;
  if (!git && name.startsWith(".") && !segment.dotted) return false;
  if (segment.suffix !== undefined) return name.endsWith(segment.suffix);
  const { tokens } = segment;
  let t = 0;
  let n = 0;
  let star = -1;
  let resume = 0;
  while (n < name.length || t < tokens.length) {
    const token = tokens[t];
    if (token?.kind === "many") {
      if (t === tokens.length - 1) return true;
      star = t++;
      resume = n;
      continue;
    }
    const step = token === undefined ? 0 : matchToken(token, name, n);
    if (step > 0) {
      t++;
      n += step;
      continue;
    }
    if (star < 0 || resume >= name.length) return false;
    resume += name.codePointAt(resume)! > 0xffff ? 2 : 1;
    t = star + 1;
    n = resume;
  }
  return true;
}

/** How many code units it takes; 0: it does not fit. */
function matchToken(token: Token, name: string, at: number): number {
  if (token.kind === "text") return name.startsWith(token.text, at) ? token.text.length : 0;
  if (at >= name.length) return 0;
  const point = name.codePointAt(at)!;
  if (token.kind === "class" && token.has(point) === token.negated) return 0;
  return point > 0xffff ? 2 : 1;
}
