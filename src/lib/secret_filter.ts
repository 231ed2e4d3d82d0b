/**
 * Takes saved secrets out of what leaves the program, and changes nothing else: for events, trajectories and results.
 * `redact.ts` is for error messages, which it also makes short and safe for a terminal.
 */

const HIDDEN = "[redacted]";

export class SecretFilter {
  readonly #needles: readonly string[];

  /** A value too plain to be a secret is left out: it would blank ordinary words. */
  constructor(secrets: Iterable<string>) {
    const forms = [...secrets].filter(isSecretValue).flatMap(spellings);
    // Longest first: a secret that holds another goes as a whole.
    this.#needles = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  get isEmpty(): boolean {
    return this.#needles.length === 0;
  }

  readonly text = (text: string): string => {
    let clean = text;
    for (const needle of this.#needles) if (clean.includes(needle)) clean = clean.replaceAll(needle, HIDDEN);
    return clean;
  };

  /** Plain data with every text in it filtered, names of fields too. The same value when there was nothing to hide. */
  value<T>(value: T): T {
    return this.#needles.length === 0 ? value : this.#deep(value) as T;
  }

  #deep(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#deep(item));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    let changed = false;
    const pairs = Object.entries(value).map(([key, item]) => {
      const pair = [this.text(key), this.#deep(item)] as const;
      changed ||= pair[0] !== key || pair[1] !== item;
      return pair;
    });
    return changed ? Object.fromEntries(pairs) : value;
  }

  /** For text that comes in pieces: what may be the start of a secret is held back until more is known. */
  stream(): SecretStream {
    let held = "";
    return {
      push: (piece) => {
        const text = this.text(held + piece);
        const keep = this.#openEnd(text);
        held = text.slice(text.length - keep);
        return text.slice(0, text.length - keep);
      },
      end: () => {
        const rest = held;
        held = "";
        return rest;
      },
    };
  }

  /** Length of the longest end of `text` that a secret begins with. */
  #openEnd(text: string): number {
    let longest = 0;
    const last = text.at(-1);
    for (const needle of this.#needles) {
      for (let length = Math.min(needle.length - 1, text.length); length > longest; length--) {
        if (needle[length - 1] === last && text.endsWith(needle.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}

export interface SecretStream {
  push(piece: string): string;
  /** What was held back, as it is. */
  end(): string;
}

/** `ollama` and `lm-studio` stand where a local server wants some key; a real one is long or mixed. */
export function isSecretValue(value: string): boolean {
  return value.length >= 16 ||
    (value.length >= 8 && (/\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value))));
}

/** As it is, inside JSON text, and inside a URL. */
function spellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(toWellFormed(secret))];
}

function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}
