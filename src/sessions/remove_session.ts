/** Removes a session from the disk: the marker first, so that no list shows it half removed. */
import { basename, dirname } from "../lib/path.ts";
import { idOf, isOfSession, sidecars } from "./paths.ts";
import { removeQuietly, writeStateFile } from "./state_file.ts";

/** The caller has closed it. What cannot be removed stays hidden until the next cleanup. */
export function removeSession(transcript: string): void {
  const directory = dirname(transcript);
  const id = idOf(transcript) ?? basename(transcript);
  const { cleanupPending } = sidecars(transcript);
  writeStateFile(cleanupPending, "{}\n");
  let all = true;
  for (const { name } of [...Deno.readDirSync(directory)]) {
    if (!isOfSession(name, id) || name === basename(cleanupPending)) continue;
    try {
      Deno.removeSync(`${directory}/${name}`, { recursive: true });
    } catch {
      all = false;
    }
  }
  if (all) removeQuietly(cleanupPending);
}
