/**
 * A file lock that does not wait. Deno has `tryLock` of its own since 2.7; on an older runtime Linux is asked who holds
 * what, and then the lock is taken the waiting way: only a holder that came in that very instant is waited for.
 */

interface TryLock {
  tryLock(exclusive: boolean): Promise<boolean>;
  tryLockSync(exclusive: boolean): boolean;
}

export async function tryLock(file: Deno.FsFile, exclusive: boolean): Promise<boolean> {
  const own = ownTryLock(file);
  if (own) return await own.tryLock(exclusive);
  if (isHeld(file)) return false;
  await file.lock(exclusive);
  return true;
}

/** `created`: this very caller has just made the file, so nobody is asked, which can take a process of its own. */
export function tryLockSync(
  file: Deno.FsFile,
  exclusive: boolean,
  { created = false }: { readonly created?: boolean } = {},
): boolean {
  const own = ownTryLock(file);
  if (own) return own.tryLockSync(exclusive);
  if (!created && isHeld(file)) return false;
  file.lockSync(exclusive);
  return true;
}

/** The types of the Deno that checks this may know `tryLock` or not. */
function ownTryLock(file: object): TryLock | undefined {
  return "tryLockSync" in file ? file as TryLock : undefined;
}

/** Whether anybody holds a lock on this file. False where the system does not tell. */
export function isHeld(file: Deno.FsFile, locks = readLocks()): boolean {
  const { ino } = file.statSync();
  if (ino === null) return false;
  return locks.split("\n").some((line) => /^\d+: FLOCK\b/.test(line) && line.includes(`:${ino} `));
}

function readLocks(): string {
  try {
    return Deno.readTextFileSync("/proc/locks");
  } catch {
    return readLocksThroughProgram();
  }
}

/** Deno keeps `/proc` from a program that has less than every permission, as the executable does. */
function readLocksThroughProgram(): string {
  try {
    // Without an environment: commands may write where its loader variables point.
    const { stdout } = new Deno.Command("/bin/cat", {
      args: ["/proc/locks"],
      clearEnv: true,
      stdin: "null",
      stderr: "null",
    }).outputSync();
    return new TextDecoder().decode(stdout);
  } catch {
    return "";
  }
}
