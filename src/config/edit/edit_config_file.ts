/** Changing settings where they are written, from the file's newest content. A malformed file is never written. */
import { type KeyPath, keyText } from "../findings.ts";
import { readLayer } from "../read_layer.ts";
import type { Document } from "../parse_document.ts";
import { reportFindings } from "../report.ts";
import { rewriteFile } from "../rewrite_file.ts";
import type { ConfigEdit } from "./data_edit.ts";
import { type EditedText, editText } from "./edit_text.ts";

export interface EditOptions {
  /** Permission bits of a file that is made; one that exists keeps its own. */
  readonly mode?: number;
  readonly signal?: AbortSignal;
}

export interface EditResult {
  readonly changed: boolean;
  /** Comments and order of the file could not be kept: to be told. */
  readonly commentsLost: boolean;
  /** Retired keys that went along, as written. */
  readonly dropped: readonly string[];
}

/** Edits, or what makes them from the file's newest content. */
export type ConfigEdits = readonly ConfigEdit[] | ((document: Document) => readonly ConfigEdit[]);

/**
 * Edits in their order, all or none. The file and its folder come into being when missing; unknown keys stay, retired
 * ones go. Throws `config.syntax`, `config.type` and `config.unreadable` for a file in that state, and
 * `config.write_failed`.
 */
export async function editConfigFile(
  path: string,
  edits: ConfigEdits,
  options: EditOptions = {},
): Promise<EditResult> {
  let commentsLost = false;
  let dropped: readonly string[] = [];
  const changed = await rewriteFile(path, async (text) => {
    const wanted = await editText(text, edits, path);
    const retired = retiredKeys(wanted);
    const edited = await editText(wanted.text, retired.map((remove) => ({ remove })), path);
    if (edited.text !== text) await refuseWrongTypes(edited, path);
    commentsLost = wanted.commentsLost || edited.commentsLost;
    dropped = retired.map(keyText);
    return edited.text;
  }, options);
  return { changed, commentsLost, dropped };
}

function retiredKeys({ document }: EditedText): KeyPath[] {
  return readLayer(document, "user").findings.filter((finding) => finding.kind === "retired")
    .map((finding) => finding.path);
}

async function refuseWrongTypes(edited: EditedText, file: string): Promise<void> {
  const wrong = readLayer(edited.document, "user").findings.filter((finding) => finding.kind === "type");
  const { problems } = await reportFindings(wrong, { file, text: edited.text });
  if (problems[0]) throw problems[0];
}
