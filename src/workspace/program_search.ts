/** Where programs are. None is ever taken from inside the workspace by its name alone. */
import { isFolder, realOf } from "../lib/at_path.ts";
import { isAbsolute, isInside, join, normalize } from "../lib/path.ts";

export interface SearchPlace {
  /** The workspace: absolute, links resolved. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** First hit on PATH whose real place is outside the workspace; relative PATH entries do not count. */
export function findProgram(program: string, place: SearchPlace): string | undefined {
  return createProgramSearch(place)(program);
}

/** How long the folders of PATH are taken to be where they were: a session asks for some twenty programs in a row. */
const FOLDERS_KEPT_MS = 500;

/** `findProgram` for whoever asks more than once. */
export function createProgramSearch(place: SearchPlace): (program: string) => string | undefined {
  const windows = Deno.build.os === "windows";
  const endings = windows ? (place.env.PATHEXT ?? ".EXE;.CMD;.BAT;.COM").split(";") : [""];
  const outside = (path: string) =>
    isProgram(path) && !isInside(realOf(path) ?? path, place.root) && !isInside(path, place.root);
  let folders: readonly string[] = [];
  let until = 0;
  return (program) => {
    if (/[\\/]/.test(program)) return isAbsolute(program) && outside(program) ? program : undefined;
    if (performance.now() > until) {
      folders = programFolders(place);
      until = performance.now() + FOLDERS_KEPT_MS;
    }
    for (const folder of folders) {
      const hit = endings.map((ending) => folder + program + ending.toLowerCase()).find(outside);
      if (hit) return hit;
    }
    return undefined;
  };
}

/** The folders of PATH that are there, each once and with a slash at its end: a PATH names many that are not, or the same by two names. */
function programFolders({ env }: SearchPlace): string[] {
  const path = env.PATH ?? env.Path ?? "";
  const folders = new Map<string, string>();
  for (const folder of path.split(Deno.build.os === "windows" ? ";" : ":")) {
    if (!isAbsolute(folder) || !isFolder(folder)) continue;
    const place = realOf(folder) ?? folder;
    if (!folders.has(place)) folders.set(place, normalize(folder).replace(/\/?$/, "/"));
  }
  return [...folders.values()];
}

/** A name with a slash in it is a path, from `cwd` on; any other is looked up. */
export function locateProgram(
  name: string,
  { cwd, place }: { readonly cwd: string; readonly place: SearchPlace },
): string | undefined {
  if (!/[\\/]/.test(name)) return findProgram(name, place);
  return isAbsolute(name) ? name : join(cwd, name);
}

export function isProgram(path: string): boolean {
  try {
    const info = Deno.statSync(path);
    return info.isFile && (info.mode === null || (info.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
