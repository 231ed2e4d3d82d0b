/** What a call of a writing file tool would change, for a person who is asked before it runs. Changes nothing. */
import { ToolError } from "../../contract/errors.ts";
import { markWhereNamed } from "./apply_edits.ts";
import { type EditArgument, toEdits } from "./edit_arguments.ts";
import { type Edit, editText } from "./edit_text.ts";
import { shownDiff } from "./shown_diff.ts";
import { planWrite } from "./run_write_file.ts";
import { toEditable } from "./text_file.ts";

export interface EditPreview {
  /** Unified hunks without file headers; empty when nothing would change or a diff makes no sense. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  /** What the person should know besides, such as that a binary file is replaced. */
  readonly notes: readonly string[];
  /** The call can do nothing: what the tool would say. */
  readonly failure?: string;
}

const NOTHING = { diff: "", added: 0, removed: 0 };

/** `args` as the tool takes them. Undefined for a tool that does not write text, or arguments that do not fit. */
export async function previewEdit(
  tool: string,
  args: Record<string, unknown>,
  file: { readonly path: string; readonly bytes: Uint8Array | undefined },
): Promise<EditPreview | undefined> {
  const { path, bytes } = file;
  try {
    if (tool === "write_file") {
      if (typeof args.content !== "string") return undefined;
      const plan = await planWrite(path, bytes, args.content);
      if (plan.kind === "same") return { ...NOTHING, notes: ["the file already holds exactly this"] };
      return { ...NOTHING, ...plan.display, notes: [...(bytes === undefined ? ["new file"] : []), ...plan.notes] };
    }
    const edits = editsOf(tool, args);
    if (edits === undefined) return undefined;
    if (bytes === undefined) return failing(`${path} does not exist`);
    const { text } = markWhereNamed(await toEditable(path, bytes), edits);
    return { ...shownDiff(text, editText(text, edits).text), notes: [] };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return failing(error.message);
  }
}

function failing(failure: string): EditPreview {
  return { ...NOTHING, notes: [], failure };
}

function editsOf(tool: string, args: Record<string, unknown>): Edit[] | undefined {
  const list = tool === "edit_file" ? [args] : tool === "multi_edit" ? args.edits : undefined;
  return Array.isArray(list) && list.every(isEditArgument) ? toEdits(list) : undefined;
}

function isEditArgument(value: unknown): value is EditArgument {
  const edit = value as Partial<EditArgument> | null;
  return typeof edit?.old_string === "string" && typeof edit.new_string === "string";
}
