/**
 * One writer per session. The lock is the operating system's, on a file of its own, so it is free the moment its holder
 * dies; the lease beside it only names the holder to whoever is refused.
 */
import { toPreview } from "./preview.ts";
import { isPlainFile, openSideFile, sideTextOf } from "./side_file.ts";
import { removeQuietly, writeStateFile } from "./state_file.ts";
import { sidecars } from "./paths.ts";
import { tryLockSync } from "../lib/try_lock.ts";

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Such as `reasonix run`. */
  readonly program: string;
  /** Unix time in milliseconds. */
  readonly startedAt: number;
}

export interface Ownership {
  /** Idempotent. */
  release(): void;
}

export type Claim =
  | { readonly kind: "owned"; readonly ownership: Ownership }
  | { readonly kind: "held"; readonly holder: Holder | undefined };

/** Takes the session at `path`, whose folder exists. Throws what the system throws when the lock cannot be made. */
export function claimSession(path: string, holder: Holder): Claim {
  const { lock, lease } = sidecars(path);
  for (;;) {
    const { file, created } = openSideFile(lock, { append: false });
    if (!tryLock(file, created)) {
      file.close();
      return { kind: "held", holder: readLease(lease) };
    }
    // The holder before may have removed the file between our open and our lock; then the lock is on nothing.
    if (!isSameFile(file, lock)) {
      file.close();
      continue;
    }
    const ownership = owned(file, { lock, lease });
    try {
      writeStateFile(lease, JSON.stringify(toLease(holder)) + "\n");
    } catch (error) {
      // Nothing is left lying on a full disk.
      ownership.release();
      throw error;
    }
    return { kind: "owned", ownership };
  }
}

/** The living holder, `unknown` when it left no name, or undefined when the session is free. */
export function holderOf(path: string): Holder | "unknown" | undefined {
  const { lock, lease } = sidecars(path);
  if (!isPlainFile(lock)) return undefined;
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(lock, { read: true });
  } catch {
    return undefined;
  }
  try {
    return tryLockSync(file, false) ? undefined : readLease(lease) ?? "unknown";
  } catch {
    return undefined;
  } finally {
    file.close();
  }
}

function owned(file: Deno.FsFile, paths: { readonly lock: string; readonly lease: string }): Ownership {
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      // While the lock is ours, so that no other holder's files are removed.
      removeQuietly(paths.lease);
      removeQuietly(paths.lock);
      file.close();
    },
  };
}

/** A file system without locks counts as free: a second writer is then found out by what it writes. */
function tryLock(file: Deno.FsFile, created: boolean): boolean {
  try {
    return tryLockSync(file, true, { created });
  } catch {
    return true;
  }
}

function isSameFile(file: Deno.FsFile, path: string): boolean {
  try {
    const ours = file.statSync();
    const there = Deno.statSync(path);
    return ours.ino === there.ino && ours.dev === there.dev;
  } catch {
    return false;
  }
}

function toLease(holder: Holder) {
  return {
    pid: holder.pid,
    host: holder.host,
    program: holder.program,
    started_at: new Date(holder.startedAt).toISOString(),
  };
}

/** Bytes. */
const LARGEST_LEASE = 64 * 1024;

function readLease(path: string): Holder | undefined {
  try {
    const { pid, host, program, started_at } = JSON.parse(sideTextOf(path, LARGEST_LEASE) ?? "");
    const startedAt = Date.parse(started_at);
    if (typeof pid !== "number" || typeof host !== "string" || typeof program !== "string") return undefined;
    if (Number.isNaN(startedAt)) return undefined;
    return { pid, host: toPreview(host), program: toPreview(program), startedAt };
  } catch {
    return undefined;
  }
}
