/**
 * Inside the Linux walls `/tmp` is the session's own folder, so what the machine keeps there cannot be seen. Here is
 * told which such places a command asked for in vain.
 */
import { realOf } from "../../lib/at_path.ts";
import { isInside } from "../../lib/path.ts";
import type { Walls } from "./walls.ts";

const MISSING = /No such file|ENOENT|not found|cannot access|can't open|cannot open|does not exist/i;

/** Places below the machine's `/tmp` that are named in lines about something missing, and that are there. */
export function hiddenPlaces(output: string, walls: Walls): string[] {
  const shown = [...walls.roots, ...walls.kept, ...walls.caches.map((mount) => mount.path)];
  const named = output.split("\n").filter((line) => MISSING.test(line)).flatMap((line) =>
    [...line.matchAll(/\/tmp\/[^\s'"`:;,()<>]+/g)].map(([path]) => path)
  );
  return [...new Set(named)].filter((path) => {
    const real = realOf(path);
    return real !== undefined && isInside(real, "/tmp") && !shown.some((place) => isInside(real, place));
  });
}
