/** Which shell runs commands, and where programs are. Neither is ever taken from inside the workspace. */
import type { ShellInfo } from "../contract/workspace.ts";
import { basename, isAbsolute, isInside, join } from "../lib/path.ts";

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
  const windows = Deno.build.os === "windows";
  const outside = (path: string) => isProgram(path) && !isInside(real(path), place.root) && !isInside(path, place.root);
  if (/[\\/]/.test(program)) return isAbsolute(program) && outside(program) ? program : undefined;
  const path = place.env.PATH ?? place.env.Path ?? "";
  const endings = windows ? (place.env.PATHEXT ?? ".EXE;.CMD;.BAT;.COM").split(";") : [""];
  for (const dir of path.split(windows ? ";" : ":")) {
    if (!isAbsolute(dir)) continue;
    const hit = endings.map((ending) => join(dir, program + ending.toLowerCase())).find(outside);
    if (hit) return hit;
  }
  return undefined;
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

function real(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
