/** One thing that was looked at, and what to do when it is not right. Texts may hold no secret; the printer checks. */
export interface Check {
  /** Stable: `config.user`, `program.rg`. */
  readonly name: string;
  readonly status: "ok" | "warning" | "error" | "skipped";
  readonly message: string;
  /** Of every warning and error. */
  readonly remedy?: string;
}

export function ok(name: string, message: string): Check {
  return { name, status: "ok", message };
}

export function warning(name: string, message: string, remedy: string): Check {
  return { name, status: "warning", message, remedy };
}

export function failed(name: string, message: string, remedy: string): Check {
  return { name, status: "error", message, remedy };
}

export function skipped(name: string, message: string): Check {
  return { name, status: "skipped", message };
}
