/** `# NOTE`: a line at the end of the project's instruction document. Everything that was there stays byte for byte. */
import { ToolError } from "../contract/errors.ts";
import { isThere } from "../lib/at_path.ts";
import { replaceFile } from "../lib/atomic_file.ts";
import { concatBytes, toBytes, toText } from "../lib/bytes.ts";
import { withFileLock } from "../lib/file_lock.ts";
import { isInside } from "../lib/path.ts";
import { toLine } from "../lib/terminal_text.ts";

/** The first that exists is the project's; none: the first is made. */
const DOCUMENTS = ["REASONIX.md", "AGENTS.md", "CLAUDE.md"];
const LONGEST = 4_000;

export interface Note {
  /** Name of the document. */
  readonly file: string;
  readonly line: string;
}

/** `root`: the workspace, links resolved. Throws `ToolError` for an empty note and a document that is no plain file here. */
export async function appendNote(root: string, text: string): Promise<Note> {
  const line = toLine(text.replace(/^\s*#+/, ""), LONGEST);
  if (line === "") throw new ToolError("The note is empty.");
  const file = DOCUMENTS.find((name) => isThere(`${root}/${name}`)) ?? DOCUMENTS[0]!;
  const path = isThere(`${root}/${file}`) ? await Deno.realPath(`${root}/${file}`) : `${root}/${file}`;
  if (!isInside(path, root)) throw new ToolError(`${file} is a link that leads out of the project.`);
  await withFileLock(path, async () => {
    const info = isThere(path) ? Deno.statSync(path) : undefined;
    if (info && !info.isFile) throw new ToolError(`${file} is no plain file.`);
    const before = info ? Deno.readFileSync(path) : new Uint8Array();
    if (before.includes(0)) throw new ToolError(`${file} is not UTF-8 text.`);
    const end = toText(before).includes("\r\n") ? "\r\n" : "\n";
    const addition = toBytes(`${before.length === 0 || before.at(-1) === 10 ? "" : end}- ${line}${end}`);
    await replaceFile(path, concatBytes(before, addition), {
      ...(info?.mode == null ? {} : { mode: info.mode & 0o7777 }),
      ...(info?.uid == null || info.gid == null ? {} : { owner: { uid: info.uid, gid: info.gid } }),
    });
  });
  return { file, line };
}
