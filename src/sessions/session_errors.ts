/** What the disk refuses, in the words and codes of the contract. */
import { ReasonixError } from "../contract/errors.ts";
import { errorText } from "../lib/error_text.ts";
import { toPreview } from "./preview.ts";
import type { Holder } from "./ownership.ts";

export function writeFailed(path: string, cause: unknown): ReasonixError {
  const [why, remedy] = explain(cause);
  return new ReasonixError("session.write_failed", `the session could not be saved to ${path}: ${why}`, {
    cause,
    retry: true,
    remedy,
  });
}

export function unreadable(path: string, cause: unknown): ReasonixError {
  const [why, remedy] = explain(cause);
  return new ReasonixError("session.unreadable", `the session at ${path} cannot be read: ${why}`, { cause, remedy });
}

export function notFound(ref: string, hint?: string): ReasonixError {
  return new ReasonixError("session.not_found", `no session matches "${toPreview(ref)}"`, { remedy: hint });
}

/** The session has a writer. */
export class SessionLocked extends ReasonixError {
  /** Undefined when the holder left no name. */
  readonly holder: Holder | undefined;

  constructor(id: string, holder: Holder | undefined, options: { readonly takeover?: boolean } = {}) {
    const who = holder === undefined ? "another process" : describeHolder(holder);
    super(
      "session.locked",
      `session ${id} is in use by ${who}${options.takeover ? ", which does not hand it over" : ""}`,
      {
        retry: true,
        remedy: options.takeover
          ? "End it there, or continue in a copy with --copy."
          : "End it there, continue in a copy with --copy, or, where a resident server holds it, use --takeover.",
      },
    );
    this.holder = holder;
  }
}

function describeHolder(holder: Holder): string {
  const since = new Date(holder.startedAt).toISOString().replace(/\.\d+Z$/, "Z");
  return `${holder.program} (process ${holder.pid} on ${holder.host}, since ${since})`;
}

/** Operating-system code such as `ENOSPC`, where there is one. */
export function systemCode(error: unknown): string | undefined {
  if (error instanceof Deno.errors.NotFound) return "ENOENT";
  if (error instanceof Deno.errors.PermissionDenied) return "EACCES";
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

function explain(error: unknown): [why: string, remedy: string | undefined] {
  switch (systemCode(error)) {
    case "ENOSPC":
      return ["no space left on the device", "Free some space and try again; what was saved before is whole."];
    case "EDQUOT":
      return ["the disk quota is used up", "Free some space and try again; what was saved before is whole."];
    case "EIO":
      return ["the device reported an input/output error", "Check the disk; what was saved before is kept."];
    case "EROFS":
      return ["the file system is read-only", "Set REASONIX_STATE_HOME to a folder that can be written."];
    case "EACCES":
    case "EPERM":
      return ["permission denied", "Give yourself access to the folder, or set REASONIX_STATE_HOME to another."];
    case "ENOENT":
      return ["it does not exist", undefined];
    default:
      return [errorText(error), undefined];
  }
}
