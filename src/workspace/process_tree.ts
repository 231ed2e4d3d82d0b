/**
 * Which processes belong to a command, and how to end all of them. A process belongs when it is in the session or
 * group the command leads, descends from a member, or carries the call's mark in its environment: so `setsid`,
 * `nohup` and double forks do not get away. Linux reads `/proc`, through a shell where Deno keeps it from a program that
 * has less than every permission, as the executable does; macOS asks `ps` and knows no marks, so there a
 * process that left the group and lost its parent is not found. On Windows `taskkill` ends a tree and nothing lists one.
 */
import { MARKER } from "./command_environment.ts";

export interface Tree {
  /** Process, group and session id of the direct child. */
  readonly leader: number;
  /** Value that only this call's processes carry in their marker variable. */
  readonly callId: string;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly startedAt: number;
}

interface Row {
  readonly pid: number;
  /** Start time in the system's own unit: tells a process from a later one that was given its number. */
  readonly born: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Process ids are given out in rising order; within this time they cannot have come round again. */
const NO_WRAP_MS = 2000;

/** Members of earlier looks: process id to start time. Filled by `membersOf`. */
export type Known = Map<number, string>;

/** Live processes of the tree, the leader included while it lives. */
export async function membersOf(tree: Tree, known: Known = new Map()): Promise<number[]> {
  const linux = Deno.build.os === "linux";
  const look = linux ? await lookAtProc(tree) : { rows: await askPs(), isMarked: () => false };
  const rest = new Set(look.rows);
  const ids = new Set([...known.keys(), tree.leader]);
  const members: number[] = [];
  const belongs = (row: Row) =>
    ids.has(row.parent) || ids.has(row.session) || ids.has(row.group) || known.get(row.pid) === row.born;
  const take = (test: (row: Row) => boolean): boolean => {
    const before = members.length;
    for (const row of rest) {
      if (row.pid === Deno.pid || !test(row)) continue;
      rest.delete(row);
      ids.add(row.pid);
      known.set(row.pid, row.born);
      members.push(row.pid);
    }
    return members.length > before;
  };
  while (take(belongs) || take((row) => look.isMarked(row.pid)));
  return members;
}

interface Look {
  readonly rows: readonly Row[];
  isMarked(pid: number): boolean;
}

async function lookAtProc(tree: Tree): Promise<Look> {
  try {
    Deno.readTextFileSync("/proc/self/stat");
  } catch {
    return await lookThroughShell(tree);
  }
  return { rows: readProc(tree), isMarked: (pid) => isMarked(pid, tree.callId) };
}

/** One process that reads for us. Each line comes with its file's name, whatever a program put into its own. */
async function lookThroughShell({ callId }: Tree): Promise<Look> {
  const script = `grep -saH '' /proc/[0-9]*/stat; grep -lsaF -e "$1" /proc/[0-9]*/environ`;
  const stdout = await new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", callId],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    stdin: "null",
    stderr: "null",
  }).output().then((done) => done.stdout, () => new Uint8Array());
  const stats = new Map<number, string>();
  const marked = new Set<number>();
  for (const line of new TextDecoder().decode(stdout).split("\n")) {
    const [, pid, file, rest] = /^\/proc\/(\d+)\/(stat:|environ$)(.*)$/.exec(line) ?? [];
    if (file === "environ") marked.add(Number(pid));
    else if (pid !== undefined) stats.set(Number(pid), `${stats.get(Number(pid)) ?? ""}${rest}`);
  }
  const rows = [...stats].flatMap(([pid, stat]) => toRow(pid, stat) ?? []);
  return { rows, isMarked: (pid) => marked.has(pid) };
}

function readProc(tree: Tree): Row[] {
  return candidates(tree).flatMap((pid) => {
    const row = readStat(pid);
    return row ? [row] : [];
  });
}

function candidates(tree: Tree): number[] {
  const newest = performance.now() - tree.startedAt < NO_WRAP_MS ? newestPid() : undefined;
  if (newest !== undefined && newest >= tree.leader && newest - tree.leader < 40) {
    return Array.from({ length: newest - tree.leader + 1 }, (_, i) => tree.leader + i);
  }
  const pids: number[] = [];
  for (const entry of Deno.readDirSync("/proc")) {
    const pid = Number(entry.name);
    if (Number.isInteger(pid) && pid !== Deno.pid) pids.push(pid);
  }
  return pids;
}

function newestPid(): number | undefined {
  try {
    const newest = Number(Deno.readTextFileSync("/proc/loadavg").trim().split(" ")[4]);
    return Number.isInteger(newest) ? newest : undefined;
  } catch {
    return undefined;
  }
}

function readStat(pid: number): Row | undefined {
  try {
    return toRow(pid, Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return undefined;
  }
}

/** Undefined for what has ended, zombies included. */
function toRow(pid: number, stat: string): Row | undefined {
  // The program's name stands in brackets and may hold anything, brackets and blanks too.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    born: fields[19] ?? "",
  };
}

function isMarked(pid: number, callId: string): boolean {
  try {
    const environment = Deno.readTextFileSync(`/proc/${pid}/environ`);
    const at = environment.indexOf(`${MARKER}=`);
    return at >= 0 && environment.slice(at).split("\0", 1)[0]!.split(/[=/]/).includes(callId);
  } catch {
    return false;
  }
}

async function askPs(): Promise<Row[]> {
  const stdout = await new Deno.Command("/bin/ps", {
    args: ["-axo", "pid=,ppid=,pgid=,stat=,lstart="],
    stdin: "null",
    stderr: "null",
  }).output().then((done) => done.stdout, () => new Uint8Array());
  return new TextDecoder().decode(stdout).split("\n").flatMap((line) => {
    const [pid, parent, group, state, ...born] = line.trim().split(/\s+/);
    if (!pid || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: -1, born: born.join(" ") }];
  });
}

function signal(pid: number, name: Deno.Signal): void {
  try {
    Deno.kill(pid, name);
  } catch {
    // Gone already, or another user's: the next look tells.
  }
}

/** Asks, then forces; looks again until nothing is left. At most `boundMs`. */
export async function endTree(tree: Tree, options: { graceMs?: number; boundMs?: number } = {}): Promise<void> {
  if (Deno.build.os === "windows") return await taskkill(tree.leader);
  const { graceMs = 300, boundMs = 2800 } = options;
  const start = performance.now();
  const known: Known = new Map();
  const asked = new Set<number>();
  for (let pause = 5; performance.now() - start < boundMs; pause = Math.min(50, pause * 2)) {
    const members = await membersOf(tree, known);
    if (members.length === 0) return;
    const force = performance.now() - start >= graceMs;
    for (const pid of members) {
      if (force) signal(pid, "SIGKILL");
      if (asked.has(pid)) continue;
      asked.add(pid);
      signal(pid, "SIGTERM");
      // A stopped process sees its end only when it runs again.
      signal(pid, "SIGCONT");
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

async function taskkill(pid: number): Promise<void> {
  await new Deno.Command("taskkill", { args: ["/PID", String(pid), "/T", "/F"], stdout: "null", stderr: "null" })
    .output().catch(() => {});
}
