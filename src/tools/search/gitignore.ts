/**
 * Which paths does git ignore? Rules of one ignore file, and their order over folders: a deeper file beats a shallower
 * one, within a file the last rule that fits wins, `.git/info/exclude` stands below all of them. Verdicts are those of
 * `git check-ignore`; a person's global excludes are left out, so that a search answers the same on every machine.
 */
import { byteText, PatternError, Wildcard } from "./wildcard.ts";

interface Rule {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Matched against the name alone, at any depth. */
  readonly byName: boolean;
  readonly pattern: Wildcard;
}

/** Rules of one file; paths are relative to the folder the file speaks for. */
export class IgnoreFile {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    const rules: Rule[] = [];
    for (const line of text.replace(/^\ufeff/, "").split("\n")) {
      const rule = parseRule(line);
      if (rule !== undefined) rules.push(rule);
    }
    this.#rules = rules.reverse();
  }

  get empty(): boolean {
    return this.#rules.length === 0;
  }

  /** Undefined: no rule speaks of it. `names` are byte text (`toNames`). */
  verdict(names: readonly string[], folder: boolean): "ignored" | "kept" | undefined {
    const name = names.slice(-1);
    for (const rule of this.#rules) {
      if (rule.foldersOnly && !folder) continue;
      if (rule.pattern.matchesNames(rule.byName ? name : names)) return rule.negated ? "kept" : "ignored";
    }
    return undefined;
  }
}

/** The rules that speak for a folder: its own file and those of the folders above, nearest first. */
export class IgnoreScope {
  readonly #levels: readonly { readonly file: IgnoreFile; readonly prefix: readonly string[] }[];

  private constructor(levels: readonly { file: IgnoreFile; prefix: readonly string[] }[]) {
    this.#levels = levels;
  }

  static readonly none = new IgnoreScope([]);

  /** The scope of folder `name` inside this one. */
  enter(name: string): IgnoreScope {
    if (this.#levels.length === 0) return this;
    const own = byteText(name);
    return new IgnoreScope(this.#levels.map(({ file, prefix }) => ({ file, prefix: [...prefix, own] })));
  }

  /** This folder also has `file`, which goes before what was there. */
  with(file: IgnoreFile): IgnoreScope {
    return file.empty ? this : new IgnoreScope([{ file, prefix: [] }, ...this.#levels]);
  }

  /** Is the entry `name` of this folder ignored? Folders above it are not asked again. */
  ignores(name: string, folder: boolean): boolean {
    if (this.#levels.length === 0) return false;
    const own = byteText(name);
    for (const { file, prefix } of this.#levels) {
      const verdict = file.verdict([...prefix, own], folder);
      if (verdict !== undefined) return verdict === "ignored";
    }
    return false;
  }
}

function parseRule(line: string): Rule | undefined {
  let text = trimEnd(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (text === "" || text.startsWith("#")) return undefined;
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  const byName = !text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  if (text === "") return undefined;
  try {
    return { negated, foldersOnly, byName, pattern: new Wildcard(text, { dialect: "git" }) };
  } catch (error) {
    // A pattern git cannot read matches nothing.
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

/** Blanks at the end do not count, but for one that is escaped. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}
