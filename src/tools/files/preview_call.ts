/** The preview of a call whose file still lies in the workspace. Loads what it takes when somebody is asked. */
import { FileError, type Files } from "../../contract/workspace.ts";
import type { EditPreview } from "./preview.ts";

/** A larger file is not read just to show a diff. */
const LARGEST_FILE = 16 * 1024 * 1024;

/** As `previewEdit`; the agent has not "seen" the file by that. */
export async function previewCall(
  files: Files,
  tool: string,
  args: Record<string, unknown>,
): Promise<EditPreview | undefined> {
  if (typeof args.path !== "string" || !["write_file", "edit_file", "multi_edit"].includes(tool)) return undefined;
  try {
    const path = files.absolute(args.path);
    const stat = await files.stat(path);
    const bytes = stat === undefined ? undefined : (await files.read(path, { maxBytes: LARGEST_FILE })).bytes;
    const { previewEdit } = await import("./preview.ts");
    return await previewEdit(tool, args, { path, bytes });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { diff: "", added: 0, removed: 0, notes: [error.message] };
  }
}
