/** What the operating system said about a file, as a `FileError`. Codes decide, never the words of a message. */
import { FileError, type FileFailure } from "../contract/workspace.ts";

const BY_CODE: Readonly<Record<string, FileFailure>> = {
  ENOENT: "not_found",
  ENOTDIR: "not_a_directory",
  EISDIR: "not_a_file",
  EEXIST: "exists",
  ENOTEMPTY: "exists",
  EACCES: "denied",
  EPERM: "denied",
  EROFS: "denied",
  ENAMETOOLONG: "bad_path",
  EINVAL: "bad_path",
  ELOOP: "bad_path",
  ENOSPC: "no_space",
  EDQUOT: "no_space",
  EFBIG: "no_space",
};

const WORDS: Readonly<Record<FileFailure, (path: string) => string>> = {
  not_found: (path) => `${path} does not exist`,
  not_a_file: (path) => `${path} is a directory, not a file`,
  not_a_directory: (path) => `a part of ${path} is a file, not a directory`,
  exists: (path) => `${path} already exists`,
  denied: (path) => `the operating system does not allow access to ${path}`,
  too_large: (path) => `${path} is too large`,
  changed: (path) => `${path} has changed`,
  bad_path: (path) => `${path} is not a usable path`,
  no_space: (path) => `no space is left on the disk that holds ${path}; nothing was changed`,
  failed: (path) => `${path} could not be accessed`,
};

export function errorCode(error: unknown): string | undefined {
  if (error instanceof Deno.errors.NotCapable) return "EACCES";
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** True when nothing stands at the path: missing, or below something that is not a directory. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

export function toFileError(error: unknown, path: string): FileError {
  if (error instanceof FileError) return error;
  if (error instanceof Deno.errors.NotCapable) {
    // The runtime keeps /proc, /sys and most of /dev from itself.
    const message = `${path} is closed to this program's own file access; a shell command may reach it`;
    return new FileError("denied", path, message, { cause: error });
  }
  const code = errorCode(error);
  const failure = (code === undefined ? undefined : BY_CODE[code]) ?? "failed";
  const detail = failure === "failed" ? `: ${code ?? String(error)}` : "";
  return new FileError(failure, path, WORDS[failure](path) + detail, { cause: error });
}
