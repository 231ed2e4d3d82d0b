/**
 * What a terminal would have been told, as plain text: escape sequences are taken out, a line that was overwritten
 * by carriage returns shows its first and its last state, backspaces erase. Works on a stream; a sequence may be cut
 * anywhere between two writes.
 */

/** A line longer than this is passed on in pieces. Characters. */
const LONGEST_LINE = 64 * 1024;

/** An unfinished sequence longer than this was none. Characters. */
const LONGEST_SEQUENCE = 4096;

const TOKEN = new RegExp(
  [
    String.raw`(?<plain>[^\r\x08\x1b\x80-\x9f]+)`,
    String.raw`(?<newline>\r+\n)`,
    String.raw`(?<home>\r+|(?:\x1b\[|\x9b)[01]?G)`,
    String.raw`(?<back>\x08)`,
    // Control sequences, then strings (title, clipboard, device) up to their end, then short sequences.
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b(?![\[\]PX^_])[ -/]*[0-~]`,
  ].join("|"),
  "y",
);

/** What may still become a token when more text comes. */
const UNFINISHED =
  /^(?:\r+|(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*\x1b?|\x1b[ -/]*)$/;

export class TerminalStream {
  #held = "";
  /** First state of a line that was overwritten since. */
  #first: string | undefined;
  #line = "";
  /** The cursor went home: the next character overwrites the line. */
  #home = false;

  /** Answers the lines that are complete now, each with its line feed. */
  write(text: string): string {
    const whole = this.#held + text;
    this.#held = "";
    let out = "";
    for (let at = 0; at < whole.length;) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(whole);
      const ends = token === null || TOKEN.lastIndex === whole.length;
      if (ends && whole.length - at <= LONGEST_SEQUENCE && UNFINISHED.test(whole.slice(at))) {
        this.#held = whole.slice(at);
        break;
      }
      // What begins a sequence that never ends is dropped; the text after it is not.
      at = token === null ? at + (/^\x1b[\[\]PX^_]/.test(whole.slice(at, at + 2)) ? 2 : 1) : TOKEN.lastIndex;
      if (token?.groups) out += this.#take(token.groups);
    }
    if (this.#line.length > LONGEST_LINE) out += this.#flush();
    return out;
  }

  /** The unfinished last line as it looks now. */
  get pending(): string {
    return this.#looks();
  }

  /** Answers the unfinished last line: nothing more will come. */
  end(): string {
    this.#held = "";
    return this.#flush();
  }

  #take(token: Record<string, string | undefined>): string {
    if (token.plain !== undefined) return this.#print(token.plain);
    if (token.newline !== undefined) return this.#print("\n");
    if (token.home !== undefined) this.#home = true;
    else if (token.back !== undefined) this.#line = this.#line.slice(0, -1);
    return "";
  }

  #print(text: string): string {
    const at = text.indexOf("\n");
    if (at !== 0 && this.#home) {
      if (this.#line.trim() !== "") this.#first ??= this.#line;
      this.#line = "";
    }
    this.#home = false;
    if (at < 0) {
      this.#line += text;
      return "";
    }
    this.#line += text.slice(0, at);
    const last = text.lastIndexOf("\n");
    const lines = `${this.#flush()}${text.slice(at, last + 1)}`;
    this.#line = text.slice(last + 1);
    return lines;
  }

  #flush(): string {
    const looks = this.#looks();
    this.#first = undefined;
    this.#line = "";
    this.#home = false;
    return looks;
  }

  #looks(): string {
    if (this.#first === undefined) return this.#line;
    if (this.#line.trim() === "") return this.#first;
    return shape(this.#first) === shape(this.#line) ? this.#line : `${this.#first}\n${this.#line}`;
  }
}

/** Two states of one progress bar differ in figures and bars only. */
function shape(line: string): string {
  return line.replace(/[\d\s.,:#=<>*\-─-▟⠀-⣿|/\\]+/g, "");
}
