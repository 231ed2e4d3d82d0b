/** Which shell runs commands. */
import type { ShellInfo } from "../contract/workspace.ts";
import { basename } from "../lib/path.ts";
import { findProgram, isProgram, type SearchPlace } from "./program_search.ts";

export interface ShellPreference {
  readonly prefer?: "auto" | "bash" | "powershell" | "pwsh";
  /** Explicit executable; wins over `prefer`. */
  readonly path?: string;
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

function shellName(path: string): string {
  return basename(path.replaceAll("\\", "/")).toLowerCase().replace(/\.exe$/, "");
}
