/** Where the files of Reasonix lie: one pure function over the environment. */
import { isAbsolute, join } from "../lib/path.ts";
import { ReasonixError } from "../contract/errors.ts";

/** Value of an environment variable, or undefined. */
export type EnvironmentReader = (name: string) => string | undefined;

export interface ReasonixPaths {
  /** Config, keys, trust. */
  readonly home: string;
  /** Sessions, archives, memory. */
  readonly state: string;
  readonly cache: string;
  readonly userConfig: string;
  /** Provider keys, mode 0600. */
  readonly envFile: string;
  readonly confirmedKeys: string;
  readonly trustedFolders: string;
  /** The person's home folder of the system. */
  readonly osHome: string;
  /** `REASONIX_HOME` is set: no migration, and no looking into folders of other programs in `osHome`. */
  readonly isolated: boolean;
}

export interface PathOptions {
  readonly os: typeof Deno.build.os;
  /** Relative values are taken from here. */
  readonly cwd: string;
}

/** Throws `config.unreadable` when the system names no home folder. */
export function resolvePaths(read: EnvironmentReader, options: PathOptions): ReasonixPaths {
  const windows = options.os === "windows";
  const get = (name: string) => {
    const value = read(name);
    return value === undefined || value.trim() === "" ? undefined : value;
  };
  const osHome = get(windows ? "USERPROFILE" : "HOME") ?? get("HOME");
  const folder = (name: string) => {
    const value = get(name);
    if (value === undefined) return undefined;
    const expanded = osHome && /^~(?=$|[/\\])/.test(value)
      ? join(osHome, value.slice(1).replace(/^[/\\]+/, ""))
      : value;
    return join(options.cwd, expanded);
  };

  const isolatedHome = folder("REASONIX_HOME");
  if (isolatedHome === undefined && osHome === undefined) {
    throw new ReasonixError("config.unreadable", "there is no home folder: neither HOME nor REASONIX_HOME is set", {
      remedy: "Set REASONIX_HOME to a folder of your own.",
    });
  }
  const person = osHome ?? isolatedHome!;
  const home = isolatedHome ??
    (windows ? join(get("APPDATA") ?? join(person, "AppData/Roaming"), "reasonix") : join(person, ".reasonix"));
  return {
    home,
    state: folder("REASONIX_STATE_HOME") ?? home,
    cache: folder("REASONIX_CACHE_HOME") ??
      (isolatedHome ? join(isolatedHome, "cache") : systemCache(get, options.os, person)),
    userConfig: join(home, "config.toml"),
    envFile: join(home, ".env"),
    confirmedKeys: join(home, "confirmed-keys.json"),
    trustedFolders: join(home, "trusted-folders.json"),
    osHome: person,
    isolated: isolatedHome !== undefined,
  };
}

function systemCache(get: EnvironmentReader, os: PathOptions["os"], home: string): string {
  if (os === "windows") return join(get("LOCALAPPDATA") ?? join(home, "AppData/Local"), "reasonix/cache");
  if (os === "darwin") return join(home, "Library/Caches/reasonix");
  const xdg = get("XDG_CACHE_HOME");
  // The XDG specification tells programs to ignore relative values.
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, ".cache"), "reasonix");
}

/** The two places of a project's settings, in order. Only one is ever used. */
export function projectConfigPlaces(workspace: string): readonly [string, string] {
  return [join(workspace, "reasonix.toml"), join(workspace, ".reasonix/reasonix.toml")];
}
