/** Moving one directory entry without ever replacing another. */
import { FileError } from "../contract/workspace.ts";
import { replaceFile } from "../lib/atomic_file.ts";
import { isInside } from "../lib/path.ts";
import { errorCode, isMissing, toFileError } from "./file_failure.ts";
import { isSameEntry } from "./regular_file.ts";

/** Both are entries: parents resolved, links at the end not followed. The target's folder exists. */
export async function moveEntry(source: string, target: string): Promise<void> {
  const info = await lookAt(source);
  if (info === undefined) throw new FileError("not_found", source, `${source} does not exist`);
  const there = await lookAt(target);
  const respelt = source.toLowerCase() === target.toLowerCase();
  // Where letter case does not matter, a file stands in its own way when only its case is to change.
  if (there !== undefined && !(respelt && source !== target && isSameEntry(info, there))) {
    throw new FileError("exists", target, `${target} already exists`);
  }
  if (info.isDirectory && !respelt && isInside(target, source)) {
    throw new FileError("failed", target, `${source} cannot be moved into itself`);
  }
  if (info.isFile && !respelt && await hardLink(source, target)) {
    try {
      await Deno.remove(source);
    } catch (error) {
      await Deno.remove(target);
      throw error;
    }
    return;
  }
  try {
    await Deno.rename(source, target);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    if (!info.isFile) {
      throw new FileError(
        "failed",
        target,
        `${target} lies on another file system: only single files can be moved there`,
        { cause: error },
      );
    }
    const mode = info.mode === null ? {} : { mode: info.mode & 0o7777 };
    await replaceFile(target, await Deno.readFile(source), mode);
    await Deno.remove(source);
  }
}

/** Unlike a rename, a new hard link never replaces what appeared there meanwhile. False where there are none. */
async function hardLink(source: string, target: string): Promise<boolean> {
  try {
    await Deno.link(source, target);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    return false;
  }
}

/** Undefined when nothing is there. */
export async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw toFileError(error, path);
  }
}
