/** One step of going back: puts a saved state in the place of the one that stands there, if that is still the one. */
import { removeStaleTemporaries, replaceFile } from "../../lib/atomic_file.ts";
import { dirname } from "../../lib/path.ts";
import type { Blobs } from "./blobs.ts";
import { type Entry, isSameContent, isSameEntry, lookAt } from "./entry.ts";
import { unsafeReason } from "./plan.ts";
import type { TransactionStep } from "./record.ts";

export interface ApplyContext {
  readonly blobs: Blobs;
  readonly roots: readonly string[];
}

/** Throws when something else stands there, and what the system answers. Folders that are not empty stay. */
export async function applyStep({ path, from, to }: TransactionStep, { blobs, roots }: ApplyContext): Promise<void> {
  const unsafe = await unsafeReason(path, roots);
  if (unsafe !== undefined) throw new Error(`${path} ${unsafe}`);
  const { entry: now } = await lookAt(path);
  if (isSameEntry(now, to)) return;
  const isMeant = isSameEntry(now, from) || (now.kind === "folder" && from.kind === "folder");
  if (!isMeant) throw new Error(`${path} was changed meanwhile`);
  switch (to.kind) {
    case "absent":
      return await (now.kind === "folder" ? removeFolder(path) : Deno.remove(path));
    case "folder":
      if (now.kind !== "absent" && now.kind !== "folder") await Deno.remove(path);
      if (now.kind !== "folder") await Deno.mkdir(path, { recursive: true });
      return await setMode(path, to.mode);
    case "link":
      if (now.kind === "folder") await Deno.remove(path);
      return await replaceByLink(path, to.target);
    case "file":
      if (isSameContent(now, to)) return await setMode(path, to.mode);
      if (now.kind === "folder") await Deno.remove(path);
      return await writeFile(path, to, { blobs, now });
    case "other":
      throw new Error(`${path} was no file`);
  }
}

/** What goes first, files before the folders that held them; then folders before the files they will hold. */
export function inOrder(steps: readonly TransactionStep[]): TransactionStep[] {
  const rank = ({ to }: TransactionStep) => to.kind === "absent" ? 0 : to.kind === "folder" ? 1 : 2;
  const depth = ({ path }: TransactionStep) => path.split("/").length;
  return [...steps].sort((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    return rank(a) === 0 ? depth(b) - depth(a) : depth(a) - depth(b);
  });
}

async function writeFile(
  path: string,
  to: Extract<Entry, { kind: "file" }>,
  { blobs, now }: { readonly blobs: Blobs; readonly now: Entry },
): Promise<void> {
  const bytes = to.sha256 === undefined ? undefined : await blobs.get(to.sha256);
  if (bytes === undefined) throw new Error(`the saved content of ${path} is gone or damaged`);
  await Deno.mkdir(dirname(path), { recursive: true });
  const owner = now.kind === "file" ? await ownerOf(path) : {};
  await replaceFile(path, bytes, { ...(to.mode === undefined ? {} : { mode: to.mode }), ...owner });
}

async function ownerOf(path: string) {
  const { uid, gid } = await Deno.lstat(path);
  return uid === null || gid === null ? {} : { owner: { uid, gid } };
}

async function replaceByLink(path: string, target: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.symlink(target, temporary);
  try {
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/** Only when nothing is in it: what somebody put there is theirs. */
async function removeFolder(path: string): Promise<void> {
  await removeStaleTemporaries(path);
  for await (const _ of Deno.readDir(path)) return;
  await Deno.remove(path);
}

async function setMode(path: string, mode: number | undefined): Promise<void> {
  if (mode !== undefined && Deno.build.os !== "windows") await Deno.chmod(path, mode);
}
