/**
 * `<home>/confirmed-keys.json`: which key the user has allowed to go to which origin on behalf of a project's provider
 * entry. A file that cannot be understood confirms nothing.
 */
import { isTable } from "./schema.ts";
import { readSourceFile } from "./source_file.ts";

export interface ConfirmedKeys {
  has(key: string, origin: string): boolean;
}

export interface Confirmation {
  /** Name of the key in `<home>/.env`. */
  readonly key: string;
  /** Such as `https://api.example.com`. */
  readonly origin: string;
}

export async function loadConfirmedKeys(path: string): Promise<ConfirmedKeys> {
  const source = await readSourceFile(path);
  const known = source.state === "ok" ? parseConfirmations(source.text) : [];
  return { has: (key, origin) => known.some((item) => item.key === key && item.origin === origin) };
}

export function parseConfirmations(text: string): readonly Confirmation[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [];
  }
  const items = isTable(json) && Array.isArray(json["confirmed"]) ? json["confirmed"] : [];
  return items.filter((item): item is Confirmation =>
    isTable(item) && typeof item["key"] === "string" && typeof item["origin"] === "string"
  );
}
