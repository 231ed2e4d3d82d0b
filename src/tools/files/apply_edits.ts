/** Reads a file, edits it in memory and writes it back: what `edit_file` and `multi_edit` share. */
import type { ToolOutput } from "../../contract/tool.ts";
import type { Files } from "../../contract/workspace.ts";
import { type Edit, type EditStep, editText } from "./edit_text.ts";
import { shownDiff } from "./shown_diff.ts";
import { openText, type TextFile, toFileBytes } from "./text_file.ts";

export interface AppliedEdits {
  readonly path: string;
  readonly steps: readonly EditStep[];
  readonly display: NonNullable<ToolOutput["display"]>;
}

export async function applyEdits(
  files: Files,
  path: string,
  edits: readonly Edit[],
  options: { readonly numbered?: boolean } = {},
): Promise<AppliedEdits> {
  const file = await openText(files, path);
  const { text, encoding } = markWhereNamed(file, edits);
  const edited = editText(text, edits, options);
  const bytes = await toFileBytes(file.path, edited.text, encoding);
  await files.write(file.path, bytes, { kind: "splice", basedOn: file.version });
  return { path: file.path, steps: edited.steps, display: shownDiff(text, edited.text) };
}

/** The byte-order mark is kept out of the way, unless an edit names it: then it is text like any other. */
export function markWhereNamed(file: TextFile, edits: readonly Edit[]): TextFile {
  const { text, encoding } = file;
  if (!encoding.bom || !edits.some((edit) => edit.old.startsWith("\ufeff"))) return file;
  return { text: `\ufeff${text}`, encoding: { ...encoding, bom: false } };
}
