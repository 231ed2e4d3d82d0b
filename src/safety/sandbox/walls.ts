/**
 * What a confined command may touch, as facts about this moment: settings put against the disk. Looked up anew before
 * each command, because a command may have made a repository, a work tree or a file that was missing. The backends
 * turn the result into their own words and look at nothing.
 */
import { realOf } from "../../lib/at_path.ts";
import { dirname, isInside, join } from "../../lib/path.ts";
import { type GitMemory, gitMetadata } from "./git_metadata.ts";
import { NEEDED_IN_RUN, socketPlaces } from "./host_sockets.ts";
import { kindOf } from "./disk_facts.ts";
import { CACHE_VARIABLES, CACHES, FALLBACKS } from "./toolchain_caches.ts";

export interface SandboxSettings {
  readonly bash: "enforce" | "off";
  /** Folders commands may write below, absolute; those that do not exist are passed over. */
  readonly writeRoots: readonly string[];
  /** Stays as it is even where commands may write: the program's own settings, state and cache. */
  readonly readOnlyPaths: readonly string[];
  readonly forbidRead: readonly string[];
  /** Keys and tokens of the program: never readable. */
  readonly secretPaths: readonly string[];
  readonly network: boolean;
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
  readonly hostAuthorities: readonly string[];
  /** The person's home folder. */
  readonly userHome: string;
}

export interface Mount {
  readonly path: string;
  readonly access: "rw" | "ro";
}

export interface Mask {
  readonly path: string;
  readonly kind: "file" | "folder";
}

export interface Walls {
  /** Existing write roots, the outermost ones. */
  readonly roots: readonly string[];
  readonly caches: readonly Mount[];
  /** Parents before what lies in them. */
  readonly guards: readonly Mount[];
  /** Those of the guards that are the program's own. */
  readonly own?: readonly string[];
  /** Nothing in here can be read. Parents only. */
  readonly masks: readonly Mask[];
  readonly deniedSockets: readonly string[];
  /** Places that a private `/tmp` or `/run` would hide and that stay. */
  readonly kept: readonly string[];
  /** Folders of host sockets and state that appear empty. */
  readonly emptied: readonly string[];
  /** Made anew inside an emptied folder, since programs are told of it. */
  readonly runtimeFolder?: string;
  /** Private temporary folder of the session. */
  readonly temp?: string;
  readonly network: "open" | "off" | "proxy";
  /** Socket of the proxy that lets only some hosts through; for `proxy`. */
  readonly proxySocket?: string;
  /** TCP port of that proxy, where the backend has no network of its own. */
  readonly proxyPort?: number;
  /** Set when no command may run: a protected file of git has another name. */
  readonly linkedGitFile?: string;
  /** Must not exist when the command has ended: would decide what git runs outside. */
  readonly absentGitFiles: readonly string[];
  /** Variables for caches that do not exist: name to place below the temp folder. */
  readonly cacheFallbacks: Readonly<Record<string, string>>;
  /** Some root belongs to another user while we are root: without its powers root could not write there. */
  readonly foreignRoot: boolean;
}

export interface Surroundings {
  readonly os: "linux" | "darwin";
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly temp?: string;
  readonly proxySocket?: string;
  readonly proxyPort?: number;
  /** Programs that must stay reachable, such as this one. */
  readonly programs?: readonly string[];
  /** Absolute paths in the line of a program that is started: what the settings name, it can read. */
  readonly named?: readonly string[];
  /** One for each session; filled here. */
  readonly git?: GitMemory;
}

/** Rules for single git folders, by what a backend bears. */
const GIT_LIMITS = { linux: { each: 512 }, darwin: { each: 128 } } as const;

/** What the home and the host offer; changes seldom, so a caller may keep it for a while. */
export interface HostPlaces {
  readonly caches: readonly Mount[];
  readonly emptied: readonly string[];
  readonly kept: readonly string[];
  readonly sockets: readonly string[];
  readonly cacheFallbacks: Readonly<Record<string, string>>;
}

export function lookUpHost(settings: SandboxSettings, around: Surroundings): HostPlaces {
  const { userHome, hostAuthorities: authorities } = settings;
  const sockets = socketPlaces({ ...around, authorities, userHome });
  return {
    caches: cacheMounts(userHome, around.env),
    emptied: around.os === "linux" ? ["/run", "/var/run"].filter((path) => realOf(path) === path) : [],
    kept: existing([...NEEDED_IN_RUN, "/etc/resolv.conf", ...sockets.left, ...(around.programs ?? [])]),
    sockets: existing(sockets.denied),
    cacheFallbacks: fallbacks(userHome, around.env),
  };
}

export function lookUpWalls(
  settings: SandboxSettings,
  around: Surroundings,
  host: HostPlaces = lookUpHost(settings, around),
): Walls {
  const roots = outermost(settings.writeRoots.flatMap((path) => realOf(path) ?? []));
  const git = gitMetadata(roots, GIT_LIMITS[around.os], around.git);
  const masks = maskList([...settings.forbidRead, ...settings.secretPaths]);
  const writable = [...roots, ...host.caches.filter((mount) => mount.access === "rw").map((mount) => mount.path)];
  const isWithin = (path: string, places: readonly string[]) => places.some((place) => isInside(path, place));
  const isHidden = (path: string) =>
    around.os === "linux" && isWithin(path, ["/tmp", ...host.emptied]) && !isWithin(path, writable);
  // A home is a home wherever it lies: programs find their settings there.
  const home = realOf(settings.userHome);
  const shown = [
    ...namedInTemp(around.named ?? [], host.sockets),
    ...(home === undefined || home === "/tmp" ? [] : [home]),
  ]
    .filter(isHidden);
  const isOutOfSight = (path: string) => isHidden(path) && !isWithin(path, shown);
  const readOnly = settings.readOnlyPaths.flatMap((path) => realOf(path) ?? made(path, writable) ?? [])
    .filter((path) => isWithin(path, writable));
  const closed = [...git.readOnly, ...readOnly];
  const runtime = around.env.XDG_RUNTIME_DIR;
  const filters = settings.allowedDomains.length > 0 || settings.deniedDomains.length > 0;

  return {
    roots,
    caches: host.caches,
    guards: guardList({
      pinned: [
        ...git.pinned.filter((path) => !isWithin(path, readOnly)),
        ...masks.flatMap((mask) => between(mask.path, writable)).filter((path) => !isWithin(path, closed)),
      ],
      readOnly: closed,
    }),
    own: readOnly,
    masks: masks.filter((mask) => !isOutOfSight(mask.path)),
    deniedSockets: host.sockets.filter((path) => !isOutOfSight(path)),
    kept: [...new Set([...host.kept.filter(isHidden), ...shown])],
    emptied: host.emptied,
    ...(runtime !== undefined && isWithin(runtime, host.emptied) ? { runtimeFolder: runtime } : {}),
    ...(around.temp === undefined ? {} : { temp: around.temp }),
    network: !settings.network ? "off" : filters ? "proxy" : "open",
    ...(around.proxySocket === undefined ? {} : { proxySocket: around.proxySocket }),
    ...(around.proxyPort === undefined ? {} : { proxyPort: around.proxyPort }),
    ...(git.linked === undefined ? {} : { linkedGitFile: git.linked }),
    absentGitFiles: git.absent.filter((path) => isWithin(path, writable) || isWithin(path, git.pinned)),
    cacheFallbacks: host.cacheFallbacks,
    foreignRoot: around.uid === 0 && roots.some((path) => ownerOf(path) !== 0),
  };
}

/** No wall can stand where nothing is: a command would make the folder before the program does, with what it likes in it. */
function made(path: string, writable: readonly string[]): string | undefined {
  let above = dirname(path);
  let real = realOf(above);
  while (real === undefined && above !== dirname(above)) real = realOf(above = dirname(above));
  if (!writable.some((place) => isInside(real ?? above, place))) return undefined;
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // Nobody may make it there, so a command may not either.
  }
  return realOf(path);
}

/** Files and folders below the machine's `/tmp`, but nothing through which one of its sockets would be reached. */
function namedInTemp(named: readonly string[], sockets: readonly string[]): string[] {
  return existing(named).filter((path) =>
    isInside(path, "/tmp") && path !== "/tmp" && kindOf(path) !== "other" &&
    !sockets.some((socket) => isInside(socket, path) || isInside(path, socket))
  );
}

function cacheMounts(home: string, env: Readonly<Record<string, string>>): Mount[] {
  const mounts: Mount[] = [];
  for (const { folder, readOnly = [] } of CACHES) {
    const path = realOf(join(home, folder));
    if (path === undefined) continue;
    mounts.push({ path, access: "rw" });
    for (const inner of existing(readOnly.map((name) => join(path, name)))) mounts.push({ path: inner, access: "ro" });
  }
  for (const name of CACHE_VARIABLES) {
    const path = env[name]?.startsWith("/") ? realOf(env[name]!) : undefined;
    if (path !== undefined && !isInside(home, path)) mounts.push({ path, access: "rw" });
  }
  return mounts.sort(byDepth);
}

function fallbacks(home: string, env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    FALLBACKS.filter(({ folder, variable }) => !env[variable] && kindOf(join(home, folder)) === undefined)
      .map(({ variable, place }) => [variable, place]),
  );
}

/** A mask inside a masked folder would find no place there. */
function maskList(paths: readonly string[]): Mask[] {
  const real = new Set(paths.flatMap((path) => realOf(path) ?? []));
  return outermost([...real]).flatMap((path) => {
    const kind = kindOf(path);
    return kind === undefined ? [] : [{ path, kind: kind === "folder" ? "folder" : "file" } as const];
  });
}

/** Folders between a writable folder and a masked path: moving one away would take the path out from under its mask. */
function between(path: string, writable: readonly string[]): string[] {
  const root = writable.find((one) => isInside(path, one) && path !== one);
  const folders: string[] = [];
  for (let at = dirname(path); root !== undefined && at !== root; at = dirname(at)) folders.push(at);
  return folders;
}

/** One list in which nothing writable reopens what a folder above it has closed by name. */
function guardList({ pinned, readOnly }: { pinned: readonly string[]; readOnly: readonly string[] }): Mount[] {
  const closed = new Set(readOnly);
  const mounts: Mount[] = [...closed].map((path) => ({ path, access: "ro" }));
  for (const path of new Set(pinned)) if (!closed.has(path)) mounts.push({ path, access: "rw" });
  return mounts.sort(byDepth);
}

function byDepth(a: Mount, b: Mount): number {
  return a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other !== path && isInside(path, other)));
}

function existing(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))];
}

function ownerOf(path: string): number | null {
  try {
    return Deno.statSync(path).uid;
  } catch {
    return null;
  }
}
