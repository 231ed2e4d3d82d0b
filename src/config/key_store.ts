/** Writing `<home>/.env`, the one place of provider keys: private, locked, and with the rest of the file as it was. */
import { ReasonixError } from "../contract/errors.ts";
import { clearedLine, envLine, isVariableName, nameOfLine } from "./env_file.ts";
import { rewriteFile } from "./rewrite_file.ts";

/**
 * Saves keys by name; undefined removes one and leaves a mark, so that no old store brings it back. Throws
 * `config.write_failed` for a name or value that cannot be written, before anything is changed.
 */
export async function saveKeys(envFile: string, keys: Readonly<Record<string, string | undefined>>): Promise<void> {
  const lines = new Map(Object.entries(keys).map(([name, value]) => [name, lineFor(name, value, envFile)]));
  await rewriteFile(envFile, (text) => withLines(text, lines), { mode: 0o600, enforceMode: true });
}

function lineFor(name: string, value: string | undefined, file: string): string {
  if (!isVariableName(name)) {
    throw refusal(file, `${JSON.stringify(name)} is no name of a variable`, "Use letters, digits and `_`.");
  }
  if (value === undefined) return clearedLine(name);
  const key = value.trim();
  if (key === "") throw refusal(file, `the value of ${name} is empty`, "Give the key itself.");
  if (/\p{Cc}/u.test(key)) throw refusal(file, `the value of ${name} is not one line of text`, "Paste the key alone.");
  return envLine(name, key);
}

/** Each name once, where it stood first. */
function withLines(text: string, lines: ReadonlyMap<string, string>): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const pending = new Map(lines);
  const out: string[] = [];
  for (const line of text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/)) {
    const name = nameOfLine(line);
    if (name === undefined || !lines.has(name)) out.push(line);
    else if (pending.has(name)) {
      out.push(pending.get(name)!);
      pending.delete(name);
    }
  }
  return [...out, ...pending.values()].map((line) => line + newline).join("");
}

function refusal(file: string, why: string, remedy: string): ReasonixError {
  return new ReasonixError("config.write_failed", `${file}: not changed: ${why}`, { remedy, place: { file } });
}
