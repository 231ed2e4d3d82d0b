/**
 * Changing settings where they are written: under a lock, in place, atomically, from the file's newest content. A file
 * that cannot be understood is never written.
 */
import { ReasonixError } from "../../contract/errors.ts";
import { removeStaleTemporaries, replaceFile } from "../../lib/atomic_file.ts";
import { LockTimeout, withFileLock } from "../../lib/file_lock.ts";
import { dirname } from "../../lib/path.ts";
import { encodeText, markOf, UTF8 } from "../../lib/text_encoding.ts";
import { type KeyPath, keyText } from "../findings.ts";
import { readLayer } from "../read_layer.ts";
import { reportFindings } from "../report.ts";
import { readSourceFile } from "../source_file.ts";
import { type ConfigEdit, EditConflict } from "./data_edit.ts";
import { editText } from "./edit_text.ts";

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

/**
 * Edits in their order, all or none. The file and its folder come into being when missing; unknown keys stay, retired
 * ones go. Throws `config.syntax`, `config.type` and `config.unreadable` for a file in that state, and
 * `config.write_failed`.
 */
export async function editConfigFile(
  path: string,
  edits: readonly ConfigEdit[],
  options: EditOptions = {},
): Promise<EditResult> {
  try {
    const target = await realTarget(path);
    await Deno.mkdir(dirname(target), { recursive: true });
    return await withFileLock(target, () => editHeld(path, target, edits, options), { signal: options.signal });
  } catch (error) {
    throw toReasonixError(error, path, options.signal);
  }
}

async function editHeld(
  path: string,
  target: string,
  edits: readonly ConfigEdit[],
  options: EditOptions,
): Promise<EditResult> {
  const source = await readSourceFile(target);
  if (source.state === "failed") throw source.problem;
  const [text, encoding] = source.state === "ok" ? [source.text, source.encoding] : ["", UTF8];

  const wanted = await editText(text, edits, path);
  const retired = retiredKeys(wanted.document);
  const edited = retired.length === 0
    ? wanted
    : await editText(wanted.text, retired.map((remove) => ({ remove })), path);
  const dropped = retired.map(keyText);
  const commentsLost = wanted.commentsLost || edited.commentsLost;
  if (edited.text === text) return { changed: false, commentsLost: false, dropped: [] };
  await refuseWrongTypes(edited, path);

  const bytes = await encodeText(edited.text, encoding);
  if (bytes === undefined) {
    throw new ReasonixError("config.write_failed", `${path}: cannot be written in its encoding, ${encoding.name}`, {
      place: { file: path },
      remedy: "Save the file as UTF-8.",
    });
  }
  const stat = source.state === "ok" ? await Deno.stat(target) : undefined;
  await replaceFile(target, concat(markOf(encoding), bytes), {
    mode: stat ? (stat.mode ?? 0o600) & 0o7777 : options.mode,
    ...(stat && stat.uid !== null && stat.gid !== null ? { owner: { uid: stat.uid, gid: stat.gid } } : {}),
  });
  await removeStaleTemporaries(dirname(target));
  return { changed: true, commentsLost, dropped };
}

function retiredKeys(document: Record<string, unknown>): KeyPath[] {
  return readLayer(document, "user").findings.filter((finding) => finding.kind === "retired")
    .map((finding) => finding.path);
}

async function refuseWrongTypes(
  edited: { readonly text: string; readonly document: Record<string, unknown> },
  file: string,
): Promise<void> {
  const wrong = readLayer(edited.document, "user").findings.filter((finding) => finding.kind === "type");
  const { problems } = await reportFindings(wrong, { file, text: edited.text });
  if (problems[0]) throw problems[0];
}

/** A link stays a link: what it points to is replaced. */
async function realTarget(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return path;
    throw error;
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function toReasonixError(error: unknown, path: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof ReasonixError || signal?.aborted) return error;
  const known = error instanceof EditConflict || error instanceof LockTimeout || isSystemError(error);
  if (!known) return error;
  const reason = (error as Error).message.split("\n")[0]!;
  return new ReasonixError("config.write_failed", `${path}: not changed: ${reason}`, {
    cause: error,
    retry: error instanceof LockTimeout,
    place: { file: path },
  });
}

/** What the operating system answers; a bug of ours is left as it is. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error &&
    (Object.values(Deno.errors).some((kind) => error instanceof kind) || "code" in error);
}
