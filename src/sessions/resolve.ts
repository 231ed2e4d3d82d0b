/** Which session a person or a program means. */
import { ReasonixError } from "../contract/errors.ts";
import { idOf, sidecars, transcriptPath } from "./paths.ts";
import { listSessions, type SessionRecord } from "./catalogue.ts";
import { notFound, systemCode, unreadable } from "./session_errors.ts";
import { toPreview } from "./preview.ts";
import { isMachineId, type MachineIds } from "./machine_id.ts";

const SHOWN = 8;

/** Path of the transcript. In this order: a path, an id, a machine id, a part of one title or preview, a start of one id. */
export async function resolveSession(
  ref: string,
  options: { readonly directory: string; readonly machineIds: MachineIds },
): Promise<string> {
  const { directory } = options;
  if (ref.trim() === "" || /\p{Cc}/u.test(ref)) throw notFound(ref);
  if (ref.includes("/") || ref.includes("\\") || ref.endsWith(".jsonl")) {
    const path = [ref, `${directory}/${ref}`].find(exists);
    if (path === undefined) throw notFound(ref);
    if (idOf(path) === undefined) throw unreadable(path, new Error("a transcript is named <id>.jsonl"));
    return path;
  }
  const exact = transcriptPath(directory, ref);
  if (exists(exact) || exists(sidecars(exact).events)) return exact;
  const records = await listSessions(directory);
  if (isMachineId(ref)) {
    const id = await options.machineIds.find(ref, records.map((record) => record.id));
    if (id !== undefined) return transcriptPath(directory, id);
  }
  const wanted = ref.toLowerCase();
  const named = records.filter((record) =>
    record.title?.toLowerCase().includes(wanted) || record.preview.toLowerCase().includes(wanted)
  );
  const matches = named.length > 0 ? named : records.filter((record) => record.id.startsWith(ref));
  if (matches.length > 1) throw ambiguous(ref, matches);
  if (matches[0] === undefined) throw notFound(ref, "`reasonix session list --json` names them all.");
  return matches[0].path;
}

/** A path that cannot be looked at exists: opening it tells why. */
function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(systemCode(error) ?? "")) return false;
    throw unreadable(path, error);
  }
}

/** More than one session fits. */
function ambiguous(ref: string, matches: readonly SessionRecord[]): ReasonixError {
  const shown = matches.slice(0, SHOWN).map((match) => `${match.id} (${match.title ?? match.preview})`);
  const rest = matches.length > SHOWN ? `, and ${matches.length - SHOWN} more` : "";
  const message = `"${toPreview(ref)}" matches ${matches.length} sessions: ${shown.join(", ")}${rest}`;
  return new ReasonixError("session.ambiguous", message, { remedy: "Name one by its id." });
}
