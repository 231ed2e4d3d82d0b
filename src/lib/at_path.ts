/** What stands at a path, for those who need no more than that. Asked at once, of the local disk. */

/** A folder, or a link to one. */
export function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Anything, a link to nowhere too. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Links resolved; undefined when it does not exist. */
export function realOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}
