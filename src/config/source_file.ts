/**
 * Reading one file of settings. Missing is an answer; anything else that keeps the text away is a problem that stops
 * the run. Special files are told by their kind and never opened: a pipe in a repository would hang the start.
 */
import { ReasonixError } from "../contract/errors.ts";
import { decodeText, type TextEncoding } from "../lib/text_encoding.ts";
import type { ConfigProblem } from "./findings.ts";

export type SourceFile =
  | { readonly state: "missing" }
  | { readonly state: "ok"; readonly text: string; readonly encoding: TextEncoding }
  | { readonly state: "failed"; readonly problem: ConfigProblem };

const LARGEST = 1024 * 1024;

export async function readSourceFile(path: string): Promise<SourceFile> {
  let bytes: Uint8Array;
  try {
    const stat = Deno.statSync(path);
    if (!stat.isFile) return failed(path, stat.isDirectory ? "it is a folder" : "it is not a regular file");
    if (stat.size > LARGEST) return failed(path, `it is larger than ${LARGEST / 1024 / 1024} MiB`);
    bytes = Deno.readFileSync(path);
  } catch (error) {
    return isMissing(path, error) ? { state: "missing" } : failed(path, reasonOf(error), error);
  }
  const decoded = await decodeText(bytes);
  if (decoded.kind !== "text") return failed(path, "it is not text");
  return { state: "ok", text: decoded.text, encoding: decoded.encoding };
}

/** A link to nowhere is a file that cannot be read, not a missing one. */
function isMissing(path: string, error: unknown): boolean {
  if (error instanceof Deno.errors.NotADirectory) return true;
  if (!(error instanceof Deno.errors.NotFound)) return false;
  try {
    Deno.lstatSync(path);
    return false;
  } catch {
    return true;
  }
}

function failed(path: string, reason: string, cause?: unknown): SourceFile {
  const problem = new ReasonixError("config.unreadable", `${path}: cannot be read: ${reason}`, {
    cause,
    place: { file: path },
    remedy: "Make the file readable, or move it away.",
  });
  return { state: "failed", problem };
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.NotCapable) return "the program was not given the right to read it";
  if (error instanceof Deno.errors.NotFound) return "it is a link to a file that does not exist";
  if (error instanceof Deno.errors.FilesystemLoop) return "its links go round in a circle";
  return error instanceof Error ? error.message.split("\n")[0]! : "unknown reason";
}
