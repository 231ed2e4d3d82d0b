/**
 * Takes away what a command has made in a place where nothing was and nothing may be: settings and hooks that git would
 * run outside the walls. Renamed, so that nothing is lost; git knows nothing of the new name.
 */
import { isThere } from "../../lib/at_path.ts";

/** The paths at which something was, each with where it is now; undefined where it could not be moved. */
export function setAside(paths: readonly string[]): readonly { readonly path: string; readonly now?: string }[] {
  const found: { path: string; now?: string }[] = [];
  for (const path of paths) {
    if (!isThere(path)) continue;
    const now = `${path}.set-aside-${crypto.randomUUID().slice(0, 8)}`;
    try {
      Deno.renameSync(path, now);
      found.push({ path, now });
    } catch {
      found.push({ path });
    }
  }
  return found;
}
