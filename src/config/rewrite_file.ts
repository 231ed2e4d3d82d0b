/**
 * The one way this folder writes: the newest content is read under the file's lock, changed, and put in place whole.
 * A file that cannot be read is never written.
 */
import { ReasonixError } from "../contract/errors.ts";
import { removeStaleTemporaries, replaceFile } from "../lib/atomic_file.ts";
import { concatBytes } from "../lib/bytes.ts";
import { LockTimeout, withFileLock } from "../lib/file_lock.ts";
import { dirname } from "../lib/path.ts";
import { encodeText, markOf, type TextEncoding, UTF8 } from "../lib/text_encoding.ts";
import { readSourceFile } from "./source_file.ts";

export interface RewriteOptions {
  /** Permission bits of a file that is made. */
  readonly mode?: number;
  /** Give `mode` to a file that exists as well, instead of keeping its own. */
  readonly enforceMode?: boolean;
  readonly signal?: AbortSignal;
}

/** The change cannot be made in this file. The message is part of the error people read. */
export class ChangeConflict extends Error {
  override readonly name: string = "ChangeConflict";
}

/**
 * `change` gets the text, empty for a missing file, and answers the new one; the same text leaves the file alone.
 * Answers whether it was written. Throws what `change` throws, `config.unreadable`, and `config.write_failed`.
 */
export async function rewriteFile(
  path: string,
  change: (text: string) => string | Promise<string>,
  options: RewriteOptions = {},
): Promise<boolean> {
  try {
    const target = await realTarget(path);
    await Deno.mkdir(dirname(target), { recursive: true, ...(options.mode === 0o600 ? { mode: 0o700 } : {}) });
    return await withFileLock(target, () => rewriteHeld(target, change, options), { signal: options.signal });
  } catch (error) {
    throw toReasonixError(error, path);
  }
}

async function rewriteHeld(
  target: string,
  change: (text: string) => string | Promise<string>,
  options: RewriteOptions,
): Promise<boolean> {
  const source = await readSourceFile(target);
  if (source.state === "failed") throw source.problem;
  const old = source.state === "ok" ? source : undefined;
  const text = await change(old?.text ?? "");
  if (text === (old?.text ?? "")) return false;

  const bytes = await encoded(text, old?.encoding ?? UTF8);
  const stat = old ? await Deno.stat(target) : undefined;
  const kept = stat && !options.enforceMode ? (stat.mode ?? 0o600) & 0o7777 : options.mode;
  await replaceFile(target, bytes, {
    mode: kept,
    ...(stat && stat.uid !== null && stat.gid !== null ? { owner: { uid: stat.uid, gid: stat.gid } } : {}),
  });
  await removeStaleTemporaries(dirname(target));
  return true;
}

async function encoded(text: string, encoding: TextEncoding): Promise<Uint8Array> {
  const content = await encodeText(text, encoding);
  if (content === undefined) throw new ChangeConflict(`its encoding, ${encoding.name}, cannot be written`);
  return concatBytes(markOf(encoding), content);
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

function toReasonixError(error: unknown, path: string): unknown {
  const known = error instanceof ChangeConflict || error instanceof LockTimeout || isSystemError(error);
  if (!known) return error;
  return new ReasonixError("config.write_failed", `${path}: not changed: ${(error as Error).message.split("\n")[0]}`, {
    cause: error,
    retry: error instanceof LockTimeout,
    place: { file: path },
  });
}

/** What the operating system answers; a bug of ours is left as it is. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error &&
    (Object.values(Deno.errors).some((kind) => error instanceof kind) || "code" in error) &&
    !(error instanceof ReasonixError);
}
