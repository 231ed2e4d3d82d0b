/**
 * From an RE2 pattern, patterns for `rg` that find at least every file the RE2 pattern matches a line of, whatever the
 * file's encoding. Too many is no harm: what is found is read again and decided by RE2 itself.
 *
 * A pattern of ASCII characters is asked of the raw bytes, where any character beyond ASCII is any sequence such a
 * character may have in UTF-8, GB18030 or another charset that contains ASCII. Any other pattern is asked of UTF-8
 * text, and files that are not UTF-8 are all candidates. UTF-16 without a mark shows by its NUL bytes either way; with
 * a mark `rg` decodes it.
 */

/** Answers whether RE2 matches the class, as written in the pattern, against one character. */
export type ClassTest = (classText: string, character: string) => boolean;

const UTF16 = String.raw`(?-u:\x00[ -~]\x00[ -~]\x00)`;
/** A byte sequence that cannot be in UTF-8. */
const NOT_UTF8 = String.raw`(?-u:[\xC0\xC1\xF5-\xFF]|(?:^|[\x00-\x7F])[\x80-\xBF]` +
  String.raw`|[\xC2-\xDF](?:[^\x80-\xBF]|$|[\x80-\xBF]{2})` +
  String.raw`|[\xE0-\xEF](?:[^\x80-\xBF]|$|[\x80-\xBF](?:[^\x80-\xBF]|$)|[\x80-\xBF]{3})` +
  String
    .raw`|[\xF0-\xF4](?:[^\x80-\xBF]|$|[\x80-\xBF](?:[^\x80-\xBF]|$|[\x80-\xBF](?:[^\x80-\xBF]|$))|[\x80-\xBF]{4})` +
  String.raw`|\xE0[\x80-\x9F]|\xED[\xA0-\xBF]|\xF0[\x80-\x8F]|\xF4[\x90-\xBF])`;

/** One character beyond ASCII: in bytes of any charset, and as a character of UTF-8. */
const BEYOND_BYTES = String.raw`[\x80-\xFF][\x30-\xFF]{0,3}`;
const BEYOND_TEXT = String.raw`[^\x00-\x7F]`;

/** Undefined for a pattern that cannot be put to `rg`. `pattern` is valid RE2. */
export function candidatePatterns(pattern: string, test: ClassTest): string[] | undefined {
  const bytes = canBeAskedOfBytes(pattern);
  try {
    const translated = new Translation(pattern, bytes, test).run();
    return bytes ? [`(?-u)${translated}`, UTF16] : [translated, `${NOT_UTF8}|${UTF16}`];
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/** ASCII alone, and boundaries only where bytes tell them as well. */
function canBeAskedOfBytes(pattern: string): boolean {
  // deno-lint-ignore no-control-regex
  if (!/^[\x00-\x7f]*$/.test(pattern) || /\\[xpP0-7]/.test(pattern)) return false;
  if (!asksForBoundaries(pattern)) return true;
  // The last byte of a character may look like a letter: a boundary may stand at the start, or at the end behind what is
  // certainly an ASCII character.
  return !/\\b/.test(pattern.replace(/^(?:\(\?i\))?\\b/, "").replace(/((?:^|[^\\])\w|\\[dw])(\+?)\\b$/, "$1$2"));
}

/** Beside an anchor a boundary is left out: `rg` 13 misses matches where the two meet. */
function asksForBoundaries(pattern: string): boolean {
  return !/[$^]|\\[Az]/.test(pattern);
}

class Untranslatable extends Error {}

class Translation {
  readonly #pattern: string;
  readonly #bytes: boolean;
  readonly #test: ClassTest;
  #at = 0;
  #out = "";
  /** Case does not count; one entry for each open group. */
  readonly #folds = [false];

  constructor(pattern: string, bytes: boolean, test: ClassTest) {
    this.#pattern = pattern;
    this.#bytes = bytes;
    this.#test = test;
  }

  run(): string {
    while (this.#at < this.#pattern.length) this.#step();
    return this.#out;
  }

  #step(): void {
    const rest = this.#pattern.slice(this.#at, this.#at + 2);
    switch (rest[0]) {
      case "\\":
        return this.#escape();
      case "[":
        return this.#class(this.#classEnd());
      case "(":
        return this.#open();
      case ")":
        this.#folds.pop();
        return this.#emit(")", 1);
      case "|":
      case "*":
      case "+":
      case "?":
        return this.#emit(rest[0], 1);
      case "{": {
        const repeat = /^\{\d+(?:,\d*)?\}/.exec(this.#pattern.slice(this.#at, this.#at + 20))?.[0];
        return repeat === undefined ? this.#literal("{", 1) : this.#emit(repeat, repeat.length);
      }
      case "^":
        return this.#emit(this.#lineStart(), 1);
      case "$":
        return this.#emit(this.#lineEnd(1), 1);
      case ".":
        return this.#emit(`(?:${ANY_ASCII}|${this.#beyond()})`, 1);
      default: {
        const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at)!);
        return this.#literal(character, character.length);
      }
    }
  }

  get #fold(): boolean {
    return this.#folds.at(-1)!;
  }

  #emit(text: string, consumed: number): void {
    this.#out += text;
    this.#at += consumed;
  }

  #beyond(): string {
    return this.#bytes ? BEYOND_BYTES : BEYOND_TEXT;
  }

  /** A byte-order mark is no part of the text. An anchor in the midst of a pattern is left out. */
  #lineStart(): string {
    if (!/(?:^|[|(:)])$/.test(this.#pattern.slice(0, this.#at))) return NOTHING;
    return this.#bytes ? String.raw`(?:^(?:\xEF\xBB\xBF)?)` : String.raw`(?:^\x{FEFF}?)`;
  }

  #lineEnd(length: number): string {
    return /^(?:$|[|)])/.test(this.#pattern.slice(this.#at + length)) ? LINE_END : NOTHING;
  }

  #literal(character: string, consumed: number): void {
    if (character === "\n") throw new Untranslatable();
    const point = character.codePointAt(0)!;
    if (point >= 0x80) return this.#emit(this.#fold ? `(?i:${character})` : character, consumed);
    if (!this.#fold || !/[a-z]/i.test(character)) return this.#emit(hex(point), consumed);
    const both = hex(character.toLowerCase().charCodeAt(0)) + hex(character.toUpperCase().charCodeAt(0));
    // The long s and the Kelvin sign fold to ASCII letters.
    const beyond = /[sk]/i.test(character) ? `|${this.#beyond()}` : "";
    this.#emit(`(?:[${both}]${beyond})`, consumed);
  }

  #open(): void {
    const name = /^\(\?P?<[^>]*>/.exec(this.#pattern.slice(this.#at))?.[0];
    if (name !== undefined) {
      this.#folds.push(this.#fold);
      return this.#emit("(?:", name.length);
    }
    const flags = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(this.#pattern.slice(this.#at, this.#at + 20));
    if (flags === null) {
      if (this.#pattern[this.#at + 1] === "?") throw new Untranslatable();
      this.#folds.push(this.#fold);
      return this.#emit("(?:", 1);
    }
    const [whole, on, off, end] = flags;
    const fold = off?.includes("i") ? false : on!.includes("i") || this.#fold;
    if (end === ":") this.#folds.push(fold);
    else this.#folds[this.#folds.length - 1] = fold;
    this.#emit(end === ":" ? "(?:" : "", whole.length);
  }

  #escape(): void {
    const rest = this.#pattern.slice(this.#at);
    switch (rest[1]) {
      case "A":
        return this.#emit(this.#lineStart(), 2);
      case "z":
        return this.#emit(this.#lineEnd(2), 2);
      case "B":
        return this.#emit(NOTHING, 2);
      case "b":
        if (!asksForBoundaries(this.#pattern)) return this.#emit(NOTHING, 2);
        return this.#emit(this.#bytes && this.#out === "" ? WORD_START : String.raw`(?-u:\b)`, 2);
      case "Q": {
        const end = rest.indexOf("\\E");
        const quoted = end < 0 ? rest.slice(2) : rest.slice(2, end);
        for (const character of quoted) this.#literal(character, 0);
        this.#at += end < 0 ? rest.length : end + 2;
        return;
      }
      case "d":
      case "D":
      case "s":
      case "S":
      case "w":
      case "W":
        return this.#class(2);
      case "p":
      case "P":
        return this.#class(/^\\[pP](?:\{[^}]*\}|.)/su.exec(rest)![0].length);
      default: {
        const code = /^\\(?:x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|([0-7]{1,3}))/.exec(rest);
        if (code !== null) {
          const point = code[3] === undefined ? parseInt(code[1] ?? code[2]!, 16) : parseInt(code[3], 8);
          if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) throw new Untranslatable();
          return this.#literal(String.fromCodePoint(point), code[0].length);
        }
        const known = ESCAPES[rest[1]!];
        if (known === undefined && /[\w]/.test(rest[1] ?? "a")) throw new Untranslatable();
        return this.#literal(known ?? String.fromCodePoint(rest.codePointAt(1)!), 2);
      }
    }
  }

  /** Length of the class that starts here. */
  #classEnd(): number {
    const text = this.#pattern.slice(this.#at);
    let at = text[1] === "^" ? 2 : 1;
    for (let first = true; first || text[at] !== "]"; first = false) {
      const named = /^\[:\^?\w+:\]/.exec(text.slice(at))?.[0];
      at += named?.length ?? (text[at] === "\\" ? /^\\(?:[pPx]\{[^}]*\}|.)/su.exec(text.slice(at))![0].length : 1);
      if (at >= text.length) throw new Untranslatable();
    }
    return at + 1;
  }

  /** Its ASCII members, asked one by one, and all or nothing beyond ASCII. */
  #class(length: number): void {
    const text = this.#pattern.slice(this.#at, this.#at + length);
    const asked = this.#fold ? `(?i:${text})` : text;
    let members = "";
    for (let point = 0; point < 0x80; point++) {
      if (point !== 0x0a && this.#test(asked, String.fromCharCode(point))) members += hex(point);
    }
    const parts = members === "" ? [] : [`[${members}]`];
    if (this.#fold || !isAsciiClass(text)) parts.push(this.#beyond());
    if (parts.length === 0) throw new Untranslatable();
    this.#emit(`(?:${parts.join("|")})`, length);
  }
}

const ANY_ASCII = String.raw`[\x00-\x09\x0B-\x7F]`;
/** Matches anywhere. */
const NOTHING = "(?:)";
/** A boundary, or the end of a character whose last byte looks like a letter or digit. */
const WORD_START = String.raw`(?:(?-u:\b)|[\x80-\xFF][\x30-\xFF]{0,2}[\x30-\x7A])`;
/** A line may end with a carriage return that is no part of it. */
const LINE_END = String.raw`(?:\r?$)`;

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Certainly without members beyond ASCII. */
function isAsciiClass(text: string): boolean {
  // deno-lint-ignore no-control-regex
  return /^[\x00-\x7f]*$/.test(text) && !text.startsWith("[^") && !/\\[DSWpPx0-7]|\[:\^/.test(text);
}

function hex(point: number): string {
  return `\\x${point.toString(16).padStart(2, "0").toUpperCase()}`;
}
