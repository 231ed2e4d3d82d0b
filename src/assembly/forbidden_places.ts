/**
 * `forbid_read` for what assembly reads itself, past the walls of the workspace: instructions and prompts that a folder
 * brings. Asked of the disk, so that links and other spellings lead to the same answer.
 */
import { realOf } from "../lib/at_path.ts";
import { dirname, isInside } from "../lib/path.ts";

/** `real`: links resolved. */
export type IsForbidden = (real: string) => boolean;

export function forbiddenPlaces(paths: readonly string[]): IsForbidden {
  if (paths.length === 0) return () => false;
  const places = paths.map((path) => ({ path, real: realOf(path) ?? path, identity: identityOf(path) }));
  return (real) => {
    if (places.some((place) => isInside(real, place.path) || isInside(real, place.real))) return true;
    const known = new Set(places.flatMap(({ identity }) => identity ?? []));
    for (let at = real;; at = dirname(at)) {
      const identity = identityOf(at);
      if (identity !== undefined && known.has(identity)) return true;
      if (dirname(at) === at) return false;
    }
  };
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = Deno.statSync(path);
    return ino === null || ino === 0 ? undefined : `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
