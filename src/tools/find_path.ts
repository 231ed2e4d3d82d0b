/** The path a model means: as it stands, or as the search tools spell a name with control characters. */
import type { Files } from "../contract/workspace.ts";
import { fromShownPath } from "../lib/shown_path.ts";

/** Absolute. A path that does not exist comes back as it stands. */
export async function findPath(files: Files, path: string): Promise<string> {
  const plain = files.absolute(path);
  const spelt = fromShownPath(path);
  if (spelt === undefined || await files.stat(plain) !== undefined) return plain;
  const other = files.absolute(spelt);
  return await files.stat(other) === undefined ? plain : other;
}
