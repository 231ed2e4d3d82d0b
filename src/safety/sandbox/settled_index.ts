/**
 * Git reads a file again whose time lies in the second in which the index was written: it may have changed within that
 * second. After a clone or a commit that is every file, and inside the walls a forbidden one cannot be read, so git
 * would call it changed and refuse to stash or commit. Out here it can be read: files that are what the index says
 * need no doubt once the index has a newer time; for those that are not, their size in the index becomes 0, as git
 * itself does when it writes one, so that they are seen to differ. Nothing of git is run.
 */
import { realOf } from "../../lib/at_path.ts";
import { dirname, isAbsolute, isInside, join } from "../../lib/path.ts";
import { createFile } from "../../lib/whole_writes.ts";
import { entriesOfIndex, type IndexEntry } from "../shell/git_index.ts";
import { kindOf, textOf } from "./disk_facts.ts";

/** More than this to look through is left to git. */
const MOST_FILES = 5_000;
const MOST_BYTES = 64 << 20;
const LARGEST_INDEX = 32 << 20;

export interface SettledIndexes {
  /** `hidden`: forbidden files. `gitFolders`: those that commands may write, links resolved; no other is touched. */
  settle(hidden: readonly string[], gitFolders: readonly string[]): Promise<void>;
}

export function createSettledIndexes(): SettledIndexes {
  /** Index and the look it had when nothing was left to do. */
  const settled = new Map<string, string>();

  return {
    async settle(hidden, gitFolders) {
      const trees = new Map<string, string>();
      for (const path of hidden) {
        const found = repositoryOf(path);
        if (found && gitFolders.includes(found.gitFolder)) trees.set(found.workTree, join(found.gitFolder, "index"));
      }
      for (const [workTree, index] of trees) {
        const looks = look(index);
        if (looks === undefined || settled.get(index) === looks.text) continue;
        await settleOne(index, { workTree, hidden, looks }).catch(() => {});
        settled.set(index, look(index)?.text ?? "");
      }
    },
  };
}

interface Looks {
  readonly text: string;
  readonly second: number;
  readonly size: number;
}

function look(path: string): Looks | undefined {
  try {
    const { mtime, size, ino, isFile } = Deno.lstatSync(path);
    if (!isFile || mtime === null) return undefined;
    return { text: `${mtime.getTime()} ${size} ${ino}`, second: secondOf(mtime), size };
  } catch {
    return undefined;
  }
}

const secondOf = (time: Date): number => Math.floor(time.getTime() / 1000);

async function settleOne(
  index: string,
  { workTree, hidden, looks }: {
    readonly workTree: string;
    readonly hidden: readonly string[];
    readonly looks: Looks;
  },
): Promise<void> {
  if (looks.size > LARGEST_INDEX) return;
  const bytes = await Deno.readFile(index);
  const entries = entriesOfIndex(bytes) ?? [];
  const doubtful = entries.filter(({ modified, size }) => modified >= looks.second && size > 0);
  if (!doubtful.some(({ name }) => hidden.includes(join(workTree, name)))) return;
  if (doubtful.length > MOST_FILES || doubtful.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return;
  const changed: IndexEntry[] = [];
  for (const entry of doubtful) if (!await isAsListed(join(workTree, entry.name), entry)) changed.push(entry);
  // A change from now on must get another time than the one that was listed.
  const latest = doubtful.reduce((second, { modified }) => Math.max(second, modified), 0);
  const wait = (latest + 1) * 1000 - Date.now();
  if (wait > 1000) return;
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  if (look(index)?.text !== looks.text || kindOf(`${index}.lock`) !== undefined) return;
  if (changed.length === 0) return await renew(index);
  const view = new DataView(bytes.buffer);
  for (const { sizeAt } of changed) view.setUint32(sizeAt, 0);
  await replaceIndex(index, bytes, looks);
}

/** By the clock that was waited for; the one of the file system may be late. */
async function renew(path: string): Promise<void> {
  const now = new Date();
  await Deno.utime(path, now, now);
}

const CHECKSUM = 20;

/** As git does: whoever makes the lock file may rename it. */
async function replaceIndex(index: string, bytes: Uint8Array<ArrayBuffer>, looks: Looks): Promise<void> {
  const end = bytes.length - CHECKSUM;
  // Left empty where git is told not to count one.
  if (bytes.subarray(end).some((byte) => byte !== 0)) {
    bytes.set(new Uint8Array(await crypto.subtle.digest("SHA-1", bytes.subarray(0, end))), end);
  }
  const { mode } = await Deno.stat(index);
  await createFile(`${index}.lock`, bytes, { mode: (mode ?? 0o644) & 0o777 });
  try {
    await renew(`${index}.lock`);
    if (look(index)?.text !== looks.text) throw new Error("somebody else wrote it");
    await Deno.rename(`${index}.lock`, index);
  } catch (error) {
    await Deno.remove(`${index}.lock`);
    throw error;
  }
}

/** Or has another time or size: then git finds that out by itself. */
async function isAsListed(path: string, { modified, size, object }: IndexEntry): Promise<boolean> {
  const found = await Deno.lstat(path).catch(() => undefined);
  if (found?.mtime == null || secondOf(found.mtime) !== modified || found.size !== size) return true;
  if (!found.isFile && !found.isSymlink) return true;
  const content = found.isFile ? await Deno.readFile(path) : new TextEncoder().encode(await Deno.readLink(path));
  const blob = new Blob([`blob ${content.length}\0`, content]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", await blob.arrayBuffer()));
  return digest.every((byte, i) => byte === object[i]);
}

/** The nearest work tree around a file, as git would find it from there. */
function repositoryOf(path: string): { readonly workTree: string; readonly gitFolder: string } | undefined {
  for (let folder = dirname(path);; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const kind = kindOf(entry);
    const target = kind === "file" ? /^gitdir:\s*(.+?)\s*$/m.exec(textOf(entry) ?? "")?.[1] : undefined;
    const place = kind === "folder"
      ? entry
      : target === undefined
      ? undefined
      : isAbsolute(target)
      ? target
      : join(folder, target);
    const gitFolder = place === undefined ? undefined : realOf(place);
    if (gitFolder !== undefined) return isInside(path, gitFolder) ? undefined : { workTree: folder, gitFolder };
    if (kind !== undefined || folder === dirname(folder)) return undefined;
  }
}
