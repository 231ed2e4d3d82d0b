/** The walls in the words of bubblewrap (Linux). Later mounts lie over earlier ones, so the order is part of it. Pure. */
import { isInside } from "../../lib/path.ts";
import type { Walls } from "./walls.ts";

export interface BubblewrapOptions {
  /** Stand-ins for masked files, by path: unreadable files that look like them from outside. */
  readonly standIns: Readonly<Record<string, string>>;
  /** The command starts here. */
  readonly cwd?: string;
  /** Whether this bubblewrap can forbid user namespaces inside. */
  readonly forbidsNesting: boolean;
}

/** Where the proxy's socket appears inside. */
export const PROXY_SOCKET = "/run/reasonix-proxy.sock";
/** Where the keeper appears inside. */
export const KEEPER = "/run/reasonix-keeper";

/** What the backend is asked to do when it is probed, and with every command: the same, so that the probe proves it. */
export function bubblewrapBase(options: { readonly forbidsNesting: boolean; readonly foreignRoot: boolean }): string[] {
  return [
    // Root gives up its powers with the rest, and with them the right to files of other users; where the workspace
    // belongs to another user it keeps just these, and no namespace of its own then stands between.
    ...(options.foreignRoot
      ? ["--cap-drop", "ALL", ...["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"].flatMap((cap) => ["--cap-add", cap])]
      : ["--unshare-user", ...(options.forbidsNesting ? ["--disable-userns"] : []), "--cap-drop", "ALL"]),
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--die-with-parent",
    "--new-session",
  ];
}

/**
 * Folders of the machine's `/tmp` that a write root or a repository lies in. The private `/tmp` has nothing else in
 * them: what a command wrote there would seem to succeed and be nowhere.
 */
function hollowFolders({ roots, guards }: Walls): readonly string[] {
  const inTemp = [...roots, ...guards.map(({ path }) => path)].filter((path) => isInside(path, "/tmp"));
  const first = new Set(inTemp.map((path) => path.split("/").slice(0, 3).join("/")));
  return [...first].filter((folder) => !roots.some((root) => isInside(folder, root)));
}

export function bwrapArguments(walls: Walls, options: BubblewrapOptions): string[] {
  const args = bubblewrapBase({ forbidsNesting: options.forbidsNesting, foreignRoot: walls.foreignRoot });
  const mount = (path: string, access: "rw" | "ro", source = path) =>
    args.push(access === "rw" ? "--bind" : "--ro-bind", source, path);

  if (walls.network !== "open") args.push("--unshare-net");
  mount("/", walls.roots.includes("/") ? "rw" : "ro");
  // Root keeps its number inside: without the last, kernel settings below /proc/sys would be writable.
  args.push("--dev", "/dev", "--tmpfs", "/dev/shm", "--proc", "/proc", "--remount-ro", "/proc");
  for (const folder of walls.emptied) args.push("--tmpfs", folder);
  if (walls.runtimeFolder !== undefined) args.push("--dir", walls.runtimeFolder);
  if (walls.temp === undefined) args.push("--tmpfs", "/tmp");
  else mount("/tmp", "rw", walls.temp);
  const hollow = hollowFolders(walls);
  for (const folder of hollow) args.push("--tmpfs", folder);
  // What was looked up a while ago may have gone since; a missing convenience is no reason to refuse.
  const offer = (path: string, access: "rw" | "ro") =>
    args.push(access === "rw" ? "--bind-try" : "--ro-bind-try", path, path);
  for (const path of walls.kept) offer(path, "ro");
  for (const path of walls.roots) if (path !== "/") mount(path, "rw");
  for (const { path, access } of walls.caches) offer(path, access);
  for (const { path, access } of walls.guards) mount(path, access);
  for (const { path, kind } of walls.masks) {
    if (kind === "file") mount(path, "ro", options.standIns[path] ?? "/dev/null");
    else args.push("--tmpfs", path, "--remount-ro", path);
  }
  for (const path of walls.deniedSockets) mount(path, "ro", "/dev/null");
  for (const folder of hollow) args.push("--remount-ro", folder);
  if (walls.network === "proxy" && walls.proxySocket !== undefined) mount(PROXY_SOCKET, "ro", walls.proxySocket);
  // Nobody may put something else in the place of `/dev/fd` or `/dev/stdout`.
  args.push("--remount-ro", "/dev");
  if (options.cwd !== undefined) args.push("--chdir", options.cwd);
  args.push("--");
  return args;
}

/** The same walls for many commands, whose first process is the keeper. `keeper`: its file. */
export function standingArguments(args: readonly string[], keeper: string): string[] {
  return [...args.slice(0, -1), "--ro-bind", keeper, KEEPER, "--as-pid-1", "--"];
}
