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
  /** What the last look found; replaced by `membersOf`. */
  readonly last: {
    /** Number to start time. Undefined before the first look. */
    members?: ReadonlyMap<number, string>;
    /** Groups and sessions of theirs that a member leads or led. The system gives no such number away while it is used. */
    names: ReadonlySet<number>;
  };
}

/** `leader` has just been started. */
export function createTree(leader: number, callId: string): Tree {
  return { leader, callId, startedAt: performance.now(), last: { names: new Set([leader]) } };
}

export interface Row {
  readonly pid: number;
  /** Start time in the system's own unit: tells a process from a later one that was given its number. */
  readonly born: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Process ids are given out in rising order; within this time they cannot have come round again. */
const NO_WRAP_MS = 2000;

/** A process that becomes another program shows nothing of itself for a moment. It is looked at again so often. */
const UNCLEAR_LOOKS = 40;
const UNCLEAR_PAUSE_MS = 3;

/** Live processes of the tree, the leader included while it lives. */
export async function membersOf(tree: Tree, look: (tree: Tree) => Promise<Look> = lookAround): Promise<number[]> {
  // Only those of the first look are waited for: on a busy machine there is always another one.
  let unclear: ReadonlySet<string> | undefined;
  for (let looks = 1;; looks++) {
    const seen = await look(tree);
    const { members, rest } = pick(tree, seen);
    const mayBeLate = looks === 1 && members.length === 0 && seen.isLate();
    const asked = rest.filter((row) => unclear?.has(nameOf(row)) ?? true);
    unclear = new Set(asked.filter(seen.isUnclear).map(nameOf));
    if ((unclear.size === 0 && !mayBeLate) || looks > UNCLEAR_LOOKS) return members;
    if (unclear.size > 0) await new Promise((done) => setTimeout(done, UNCLEAR_PAUSE_MS));
  }
}

const nameOf = ({ pid, born }: Row) => `${pid} ${born}`;

/** The processes of the machine at one moment. */
export interface Look {
  readonly rows: readonly Row[];
  isMarked(row: Row): boolean;
  /** Whether it may be marked cannot be seen just now. */
  isUnclear(row: Row): boolean;
  /** Processes were started that this look may have missed. */
  isLate(): boolean;
}

export const lookOf = (rows: readonly Row[], more: Partial<Look> = {}): Look => ({
  rows,
  isMarked: () => false,
  isUnclear: () => false,
  isLate: () => false,
  ...more,
});

function pick({ leader, last }: Tree, look: Look): { readonly members: number[]; readonly rest: readonly Row[] } {
  const rest = new Set(look.rows.filter(({ pid }) => pid !== Deno.pid));
  const members = new Map<number, string>();
  const isOurs = (name: number) => members.has(name) || last.names.has(name);
  // By its number alone only the leader is known, and only at first: later another process may have it.
  const wasMember = ({ pid, born }: Row) => last.members ? last.members.get(pid) === born : pid === leader;
  const belongs = (row: Row) => wasMember(row) || members.has(row.parent) || isOurs(row.group) || isOurs(row.session);
  const take = (test: (row: Row) => boolean): boolean => {
    const before = members.size;
    for (const row of rest) {
      if (!test(row)) continue;
      rest.delete(row);
      members.set(row.pid, row.born);
    }
    return members.size > before;
  };
  while (take(belongs) || take((row) => look.isMarked(row)));
  const taken = look.rows.filter(({ pid, born }) => members.get(pid) === born);
  last.members = members;
  if (taken.length > 0) last.names = new Set(taken.flatMap(({ group, session }) => [group, session]).filter(isOurs));
  return { members: [...members.keys()], rest: [...rest] };
}

async function lookAround(tree: Tree): Promise<Look> {
  return Deno.build.os === "linux" ? await lookAtProc(tree) : lookOf(await askPs());
}

async function lookAtProc(tree: Tree): Promise<Look> {
  try {
    Deno.readTextFileSync("/proc/self/stat");
  } catch {
    return await lookThroughShell(tree);
  }
  const before = newestPid();
  const rows = candidates(tree, before).flatMap((pid) => readStat(pid) ?? []);
  const read = (pid: number) => readQuietly(`/proc/${pid}/environ`);
  // Read once: what was blank for the mark may be there a moment later.
  const environments = new Map(rows.map(({ pid }) => [pid, read(pid)]));
  return lookOf(rows, {
    isMarked: ({ pid }) => isMarked(environments.get(pid), tree.callId),
    isUnclear: (row) =>
      isUser(row) && environments.get(row.pid) === "" &&
      (read(row.pid) !== "" || readQuietly(`/proc/${row.pid}/cmdline`) === ""),
    isLate: () => newestPid() !== before,
  });
}

/** Threads of the kernel have no words and no environment either, but never get any. */
const isUser = ({ pid, parent }: Row) => pid !== 2 && parent !== 2;

/** One process that reads for us. Each line comes with its file's name, whatever a program put into its own. */
async function lookThroughShell({ callId }: Tree): Promise<Look> {
  // Twice: whoever becomes another program at the first question is it at the second.
  const marks = `grep -lsaF -e "$1" /proc/[0-9]*/environ`;
  const script = `grep -saH '' /proc/[0-9]*/stat; ${marks}
grep -Lsa '' /proc/[0-9]*/environ | sed 's/$/ blank/'; grep -Lsa '' /proc/[0-9]*/cmdline; ${marks}`;
  const stdout = await new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", callId],
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    stdin: "null",
    stderr: "null",
  }).output().then((done) => done.stdout, () => new Uint8Array());
  const stats = new Map<number, string>();
  const files = new Set<string>();
  for (const line of new TextDecoder().decode(stdout).split("\n")) {
    const [, pid, rest] = /^\/proc\/(\d+)\/stat:(.*)$/.exec(line) ?? [];
    if (pid === undefined) files.add(line);
    else stats.set(Number(pid), `${stats.get(Number(pid)) ?? ""}${rest}`);
  }
  return lookOf([...stats].flatMap(([pid, stat]) => toRow(pid, stat) ?? []), {
    isMarked: ({ pid }) => files.has(`/proc/${pid}/environ`),
    isUnclear: (row) =>
      isUser(row) && files.has(`/proc/${row.pid}/environ blank`) && files.has(`/proc/${row.pid}/cmdline`),
  });
}

function candidates(tree: Tree, newest: number | undefined): number[] {
  const isRecent = newest !== undefined && performance.now() - tree.startedAt < NO_WRAP_MS;
  if (isRecent && newest >= tree.leader && newest - tree.leader < 40) {
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
  const newest = Number(readQuietly("/proc/loadavg")?.trim().split(" ")[4] ?? NaN);
  return Number.isInteger(newest) ? newest : undefined;
}

function readStat(pid: number): Row | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : toRow(pid, stat);
}

/** Undefined for what is gone, or another user's. */
function readQuietly(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
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

function isMarked(environment: string | undefined, callId: string): boolean {
  const at = environment?.indexOf(`${MARKER}=`) ?? -1;
  return at >= 0 && environment!.slice(at).split("\0", 1)[0]!.split(/[=/]/).includes(callId);
}

async function askPs(): Promise<Row[]> {
  const stdout = await new Deno.Command("/bin/ps", {
    args: ["-axo", "pid=,ppid=,pgid=,stat=,lstart="],
    clearEnv: true,
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
  const asked = new Set<number>();
  for (let pause = 5; performance.now() - start < boundMs; pause = Math.min(50, pause * 2)) {
    const members = await membersOf(tree);
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
