/** The remembered requests of a stored session. */
import { toText } from "../../lib/bytes.ts";
import { unreadable } from "../session_errors.ts";
import { sidecars } from "../paths.ts";
import { readSideFile } from "../side_file.ts";
import { type CacheReport, explainCache } from "./explain.ts";
import { parseRecords } from "./record.ts";

/** `transcript`: its path. Undefined where nothing was remembered. Throws `session.unreadable`. */
export function loadCacheReport(transcript: string): CacheReport | undefined {
  const path = sidecars(transcript).requests;
  let text: string;
  try {
    text = toText(readSideFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw unreadable(path, error);
  }
  const records = parseRecords(text);
  return records.length === 0 ? undefined : explainCache(records);
}
