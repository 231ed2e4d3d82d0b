/** What git's index lists, as far as two questions need it: repositories in a repository, and files git would doubt. */

const ENTRY_OF_REPOSITORY = 0o160000;
const HEADER = 12;
/** Bytes of an entry before its name: times, owner, mode, size, the object's name (SHA-1), flags. */
const FIXED = 62;
const MTIME_AT = 8;
const MODE_AT = 24;
const SIZE_AT = 36;
const OBJECT_AT = 40;
const FLAGS_AT = 60;

export interface IndexEntry {
  /** Path from the top of the work tree. */
  readonly name: string;
  readonly mode: number;
  /** Unix time in whole seconds. */
  readonly modified: number;
  readonly size: number;
  /** Where the size stands: four bytes. */
  readonly sizeAt: number;
  /** SHA-1. */
  readonly object: Uint8Array;
}

/**
 * Folders listed as repositories of their own (submodules): git looks into each of them for changes. Undefined where
 * there may be some and the format is not one that is read here.
 */
export function repositoriesInIndex(bytes: Uint8Array): readonly string[] | undefined {
  if (!mayHold(bytes)) return [];
  return entriesOfIndex(bytes)?.filter(({ mode }) => (mode & 0o170000) === ENTRY_OF_REPOSITORY).map(({ name }) => name);
}

/** Undefined where the format is not one that is read here. */
export function entriesOfIndex(bytes: Uint8Array): readonly IndexEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || view.getUint32(0) !== 0x44495243) return undefined;
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) return undefined;
  const decoder = new TextDecoder();
  const found: IndexEntry[] = [];
  let at = HEADER;
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + FIXED >= bytes.length) return undefined;
    const extended = version === 3 && (view.getUint16(at + FLAGS_AT) & 0x4000) !== 0;
    const name = at + FIXED + (extended ? 2 : 0);
    const end = bytes.indexOf(0, name);
    const told = view.getUint16(at + FLAGS_AT) & 0xfff;
    // What git has not written itself is not read as git would read it.
    if (end <= name || (told < 0xfff && told !== end - name)) return undefined;
    found.push({
      name: decoder.decode(bytes.subarray(name, end)),
      mode: view.getUint32(at + MODE_AT),
      modified: view.getUint32(at + MTIME_AT),
      size: view.getUint32(at + SIZE_AT),
      sizeAt: at + SIZE_AT,
      object: bytes.subarray(at + OBJECT_AT, at + FLAGS_AT),
    });
    at += Math.ceil((end + 1 - at) / 8) * 8;
  }
  return found;
}

/** The mode's bytes stand nowhere: the common case, told without reading entries. */
function mayHold(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xe0); at >= 0; at = bytes.indexOf(0xe0, at + 1)) {
    if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return true;
  }
  return false;
}
