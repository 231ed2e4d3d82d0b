/** Text of `.env` files: `KEY=value`, `export`, quotes, comments, and the marks of keys that were removed. Pure. */

export interface EnvFile {
  readonly values: ReadonlyMap<string, string>;
  /** Keys removed by the person: old stores must not bring them back. */
  readonly cleared: ReadonlySet<string>;
}

export const EMPTY_ENV: EnvFile = { values: new Map(), cleared: new Set() };

/** `.` is any character here: a line ends at a line feed, not at the separators of Unicode. */
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/s;
const TOMBSTONE = /^\s*#\s*reasonix-cleared\s+([A-Za-z_][A-Za-z0-9_]*)\s*$/;

export function parseEnv(text: string): EnvFile {
  const values = new Map<string, string>();
  const cleared = new Set<string>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const tombstone = TOMBSTONE.exec(line)?.[1];
    if (tombstone !== undefined) cleared.add(tombstone);
    const [, name, rest] = ASSIGNMENT.exec(line) ?? [];
    if (name !== undefined) values.set(name, valueOf(rest!));
  }
  for (const name of values.keys()) cleared.delete(name);
  return { values, cleared };
}

export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Name set by a line, for writers that keep the others. */
export function nameOfLine(line: string): string | undefined {
  return ASSIGNMENT.exec(line)?.[1] ?? TOMBSTONE.exec(line)?.[1];
}

export function envLine(name: string, value: string): string {
  const bare = /^[^\s"'#\\$`]*$/.test(value);
  return `${name}=${bare ? value : `"${value.replace(/["\\]/g, "\\$&")}"`}`;
}

export function clearedLine(name: string): string {
  return `# reasonix-cleared ${name}`;
}

function valueOf(raw: string): string {
  const text = raw.trim();
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s.exec(text);
  if (double) {
    return double[1]!.replace(/\\(.)/gs, (_, escaped: string) => ({ n: "\n", t: "\t", r: "\r" })[escaped] ?? escaped);
  }
  const single = /^'([^']*)'\s*(?:#.*)?$/s.exec(text);
  if (single) return single[1]!;
  return text.replace(/\s+#.*$/s, "").replace(/^#.*$/s, "");
}
