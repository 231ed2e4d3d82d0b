/** A journal as it was left on disk. */
import { sidecars } from "../paths.ts";
import { sideTextOf } from "../side_file.ts";
import { JournalState } from "./state.ts";

/** One turn of ours leaves less. Bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Undefined where there is none that can be read: then the transcript alone tells. */
export function readJournal(transcript: string): JournalState | undefined {
  const text = sideTextOf(sidecars(transcript).runJournal, MAX_BYTES);
  return text === undefined ? undefined : JournalState.of(text);
}
