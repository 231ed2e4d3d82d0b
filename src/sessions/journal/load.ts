/** A journal as it was left on disk. */
import { sidecars } from "../paths.ts";
import { JournalState } from "./state.ts";

/** One turn of ours leaves less. Bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Undefined where there is none that can be read: then the transcript alone tells. */
export function readJournal(transcript: string): JournalState | undefined {
  const path = sidecars(transcript).runJournal;
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= MAX_BYTES ? JournalState.of(Deno.readTextFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}
