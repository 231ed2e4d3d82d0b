/**
 * `<home>/confirmed-keys.json`: which key the user has allowed to go to which origin on behalf of a project's provider
 * entry. A file that cannot be understood confirms nothing.
 */
import { isRecord, parseJson } from "../lib/json.ts";
import { rewriteFile } from "./rewrite_file.ts";
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

function parseConfirmations(text: string): readonly Confirmation[] {
  const json = parseJson(text);
  const items = isRecord(json) && Array.isArray(json["confirmed"]) ? json["confirmed"] : [];
  return items.filter((item): item is Confirmation =>
    isRecord(item) && typeof item["key"] === "string" && typeof item["origin"] === "string"
  );
}

/** Remembers the person's yes. A file that cannot be understood is started anew. */
export async function confirmKey(path: string, confirmation: Confirmation): Promise<void> {
  await update(path, confirmation, (item) => [item]);
}

export async function revokeKey(path: string, confirmation: Confirmation): Promise<void> {
  await update(path, confirmation, () => []);
}

/** `fresh`: what stands there of it from now on. */
async function update(
  path: string,
  { key, origin: address }: Confirmation,
  fresh: (item: Confirmation) => readonly Confirmation[],
): Promise<void> {
  const origin = URL.canParse(address) ? new URL(address).origin : address;
  await rewriteFile(path, (text) => {
    const others = parseConfirmations(text).filter((item) => item.key !== key || item.origin !== origin);
    const confirmed = [...others, ...fresh({ key, origin })].map((item) => ({ key: item.key, origin: item.origin }));
    return JSON.stringify({ version: 1, confirmed }, null, 2) + "\n";
  }, { mode: 0o600, enforceMode: true });
}
