/**
 * Edits of a config text. Each one is spliced in, parsed again and compared with what the edit means as data; only when
 * splicing fails is the document written anew, which costs its comments and is said.
 */
import type { Document } from "../parse_document.ts";
import { parseDocument } from "../parse_document.ts";
import { plain } from "../schema.ts";
import { applyEdit, type ConfigEdit, type PlainEdit, resolveEdit, sameData } from "./data_edit.ts";

export interface EditedText {
  readonly text: string;
  readonly document: Document;
  /** Comments and order could not be kept. */
  readonly commentsLost: boolean;
}

/** Throws `EditConflict`, and the problem of a text that is not TOML. `file` is only named. */
export async function editText(
  text: string,
  edits: readonly ConfigEdit[] | ((document: Document) => readonly ConfigEdit[]),
  file: string,
): Promise<EditedText> {
  let state: EditedText = { text, document: await parseOrThrow(text, file), commentsLost: false };
  for (const edit of typeof edits === "function" ? edits(state.document) : edits) {
    const resolved = resolveEdit(state.document, edit);
    if (resolved) state = await editOnce(state, resolved, file);
  }
  return state;
}

async function editOnce(state: EditedText, edit: PlainEdit, file: string): Promise<EditedText> {
  const wanted = applyEdit(state.document, edit);
  if (sameData(wanted, state.document)) return state;
  const spliced = await trySplice(state.text, edit);
  if (spliced !== undefined) {
    const parsed = await parseDocument(spliced, file);
    if ("document" in parsed && meansTheSame(parsed.document, wanted, edit)) {
      return { ...state, text: spliced, document: parsed.document };
    }
  }
  const { stringify } = await import("smol-toml");
  const text = stringify(plain(wanted));
  return { text, document: await parseOrThrow(text, file), commentsLost: state.commentsLost || /#/.test(state.text) };
}

/** A list of tables without tables cannot be written with headers: it is then not there at all. */
function meansTheSame(actual: Document, wanted: Document, edit: PlainEdit): boolean {
  if (sameData(actual, wanted)) return true;
  if (edit.kind !== "remove" || typeof edit.path.at(-1) !== "number") return false;
  const list = edit.path.slice(0, -1);
  return sameData(actual, applyEdit(wanted, { kind: "remove", path: list })) &&
    sameData(wanted, applyEdit(wanted, { kind: "set", path: list, value: [] }));
}

/** Loaded here, because it brings a second parser along. */
async function trySplice(text: string, edit: PlainEdit): Promise<string | undefined> {
  const { spliceEdit } = await import("./splice.ts");
  try {
    return spliceEdit(text, edit);
  } catch {
    // An odd document that the second parser refuses; the caller has another way.
    return undefined;
  }
}

async function parseOrThrow(text: string, file: string): Promise<Document> {
  const parsed = await parseDocument(text, file);
  if ("problem" in parsed) throw parsed.problem;
  return parsed.document;
}
