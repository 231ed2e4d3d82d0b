/** Provider keys where older versions kept them. Read for the migration only, never to run. */
import { isRecord, parseJson } from "../lib/json.ts";
import { join } from "../lib/path.ts";
import { isVariableName, parseEnv } from "./env_file.ts";
import { readLegacyJson } from "./legacy_json.ts";
import type { ReasonixPaths } from "./paths.ts";
import { readSourceFile } from "./source_file.ts";

export interface LegacyKeys {
  readonly file: string;
  readonly keys: ReadonlyMap<string, string>;
}

/** Earlier ones win over later ones. */
export async function legacyKeys(paths: ReasonixPaths): Promise<LegacyKeys[]> {
  const found: LegacyKeys[] = [];
  const files = [...(paths.state === paths.home ? [] : [join(paths.state, ".env")]), join(paths.home, "credentials")];
  for (const file of files) {
    const source = await readSourceFile(file);
    if (source.state === "ok") found.push({ file, keys: usable(keysOf(source.text)) });
  }
  const legacy = await readLegacyJson(paths);
  if (legacy?.apiKey !== undefined) {
    found.push({ file: legacy.file, keys: new Map([["DEEPSEEK_API_KEY", legacy.apiKey]]) });
  }
  return found;
}

/** Lines like those of `.env`, or one JSON object. */
function keysOf(text: string): ReadonlyMap<string, string> {
  if (!text.trimStart().startsWith("{")) return parseEnv(text).values;
  const json = parseJson(text);
  const pairs = isRecord(json) ? Object.entries(json) : [];
  return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

function usable(keys: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...keys].filter(([name, value]) => isVariableName(name) && value.trim() !== "" && !/\p{Cc}/u.test(value.trim())),
  );
}
