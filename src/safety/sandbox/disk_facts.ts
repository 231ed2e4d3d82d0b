/** Questions to the disk whose every failure is an answer: what cannot be looked at is not there. */

export type Kind = "file" | "folder" | "other";

export function kindOf(path: string): Kind | undefined {
  try {
    const info = Deno.statSync(path);
    return info.isFile ? "file" : info.isDirectory ? "folder" : "other";
  } catch {
    return undefined;
  }
}

export function isLink(path: string): boolean {
  try {
    return Deno.lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

/** Text of a small file. Nothing else is opened: a pipe would wait for ever, a device might never end. */
export function textOf(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    if (!isFile || size > 1 << 20) return undefined;
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

export function namesIn(folder: string): readonly Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

export function hardLinks(path: string): number {
  try {
    return Deno.lstatSync(path).nlink ?? 1;
  } catch {
    return 1;
  }
}
