/** git's configuration files, read letter by letter as git reads them: what git would take for a setting is one here. */

export interface GitSetting {
  /** `section.name.key`; section and key in lower case, the name between them as written. */
  readonly key: string;
  readonly value: string;
}

/** Undefined for a text at which git itself gives up. */
export function settingsIn(text: string): readonly GitSetting[] | undefined {
  return new ConfigText(text.replace(/^\ufeff/, "")).settings();
}

const END = "";
const ESCAPED: Readonly<Record<string, string>> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

const isSpace = (c: string) => c === " " || c === "\t" || c === "\n" || c === "\r";
const isKeyLetter = (c: string) => /^[A-Za-z0-9-]$/.test(c);

class Malformed extends Error {}

class ConfigText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  settings(): readonly GitSetting[] | undefined {
    try {
      return this.#all();
    } catch (error) {
      if (error instanceof Malformed) return undefined;
      throw error;
    }
  }

  #all(): readonly GitSetting[] {
    const found: GitSetting[] = [];
    let section = "";
    for (let c = this.#next(); c !== END; c = this.#next()) {
      if (isSpace(c)) continue;
      if (c === "#" || c === ";") this.#skipLine();
      else if (c === "[") section = this.#section();
      else if (/^[A-Za-z]$/.test(c)) found.push(this.#setting(section, c));
      else throw new Malformed();
    }
    return found;
  }

  /** `END` behind the last character; a line may end in CR LF. */
  #next(): string {
    if (this.#text[this.#at] === "\r" && this.#text[this.#at + 1] === "\n") this.#at++;
    return this.#text[this.#at++] ?? END;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #section(): string {
    let name = "";
    for (;;) {
      const c = this.#next();
      if (c === "]") return name;
      if (c !== "\n" && isSpace(c)) return `${name}.${this.#subsection()}`;
      if (!isKeyLetter(c) && c !== ".") throw new Malformed();
      name += c.toLowerCase();
    }
  }

  #subsection(): string {
    let c = this.#next();
    while (c !== "\n" && isSpace(c)) c = this.#next();
    if (c !== '"') throw new Malformed();
    let name = "";
    for (c = this.#next(); c !== '"'; c = this.#next()) {
      if (c === "\\") c = this.#next();
      if (c === "\n" || c === END) throw new Malformed();
      name += c;
    }
    if (this.#next() !== "]") throw new Malformed();
    return name;
  }

  #setting(section: string, first: string): GitSetting {
    let name = first;
    let c = this.#next();
    for (; isKeyLetter(c); c = this.#next()) name += c;
    while (c === " " || c === "\t") c = this.#next();
    const key = `${section}.${name.toLowerCase()}`;
    if (c === "\n" || c === END) return { key, value: "true" };
    if (c !== "=") throw new Malformed();
    return { key, value: this.#value() };
  }

  #value(): string {
    let value = "";
    let blanks = "";
    let quoted = false;
    for (;;) {
      let c = this.#next();
      if (c === "\n" || c === END) {
        if (quoted) throw new Malformed();
        return value;
      }
      if (isSpace(c) && !quoted) {
        if (value !== "") blanks += c;
        continue;
      }
      if (!quoted && (c === "#" || c === ";")) {
        this.#skipLine();
        return value;
      }
      value += blanks;
      blanks = "";
      if (c === '"') {
        quoted = !quoted;
        continue;
      }
      if (c === "\\") {
        c = this.#next();
        if (c === "\n") continue;
        if (ESCAPED[c] === undefined) throw new Malformed();
        c = ESCAPED[c]!;
      }
      value += c;
    }
  }
}
