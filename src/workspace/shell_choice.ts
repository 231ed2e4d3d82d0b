/** Which shell runs commands, and where programs are. Neither is ever taken from inside the workspace. */
import type { ShellInfo } from "../contract/workspace.ts";
import { basename, isAbsolute, isInside, normalize } from "../lib/path.ts";

export interface ShellPreference {
  readonly prefer?: "auto" | "bash" | "powershell" | "pwsh";
  /** Explicit executable; wins over `prefer`. */
  readonly path?: string;
}

export interface SearchPlace {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The configured shell when it is there, else bash, else `sh`; on Windows bash only when chosen, else PowerShell 7,
 * else 5.1.
 */
export function chooseShell(preference: ShellPreference, place: SearchPlace): ShellInfo {
  if (preference.path) return { name: shellName(preference.path), path: preference.path };
  const wanted = preference.prefer ?? "auto";
  const windows = Deno.build.os === "windows";
  const usual = windows ? ["pwsh", "powershell"] : ["bash"];
  const names = wanted === "auto" ? usual : [wanted, ...usual];
  for (const name of names) {
    const path = (windows ? undefined : ["/bin", "/usr/bin"].map((dir) => `${dir}/${name}`).find(isProgram)) ??
      findProgram(name, place);
    if (path) return { name, path };
  }
  return windows ? { name: "powershell", path: "powershell.exe" } : { name: "sh", path: "/bin/sh" };
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
  const outside = (path: string) => isProgram(path) && !isInside(real(path), place.root) && !isInside(path, place.root);
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
    const place = real(folder);
    if (!folders.has(place)) folders.set(place, normalize(folder).replace(/\/?$/, "/"));
  }
  return [...folders.values()];
}

function shellName(path: string): string {
  return basename(path.replaceAll("\\", "/")).toLowerCase().replace(/\.exe$/, "");
}

function isProgram(path: string): boolean {
  try {
    const info = Deno.statSync(path);
    return info.isFile && (info.mode === null || (info.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function real(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
