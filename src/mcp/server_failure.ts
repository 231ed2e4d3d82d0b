/** What went wrong with a server, told apart by kind: never by the words of a message. */

export type FailureKind =
  /** It could not be reached or started. */
  | "unreachable"
  /** It wants a sign-in first. */
  | "sign_in"
  /** The connection ended while the call was under way. */
  | "lost"
  /** The HTTP session is no longer known there; the request was not carried out. */
  | "session_expired"
  /** The server answered with a protocol error. */
  | "answered"
  | "other";

export interface Failure {
  readonly kind: FailureKind;
  /** One line. */
  readonly text: string;
  /** Scope a sign-in should ask for. */
  readonly scope?: string;
}

const SESSION_NOT_FOUND = -32001;
const STREAM_ENDED = -32000;

export function toFailure(error: unknown): Failure {
  const text = messageWithCause(error);
  const { code, status, requiredScope } = fieldsOf(error);
  switch (brandOf(error)) {
    case "mcp.UnauthorizedError":
      return { kind: "sign_in", text: "it wants a sign-in" };
    case "mcp.InsufficientScopeError": {
      const scope = typeof requiredScope === "string" ? { scope: requiredScope } : {};
      return { kind: "sign_in", text: "it wants a sign-in with more rights", ...scope };
    }
  }
  if (status === 401) return { kind: "sign_in", text: "it refused the credentials (HTTP 401)" };
  if (status === 404 || code === SESSION_NOT_FOUND) return { kind: "session_expired", text };
  if (code === STREAM_ENDED) return { kind: "lost", text };
  if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED") return { kind: "lost", text: "the connection ended" };
  if (typeof code === "number") return { kind: "answered", text };
  if (error instanceof TypeError || typeof status === "number") return { kind: "unreachable", text };
  return { kind: "other", text };
}

/** Survives bundling, which class names may not. */
function brandOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  return (error.constructor as { mcpBrand?: unknown }).mcpBrand;
}

function fieldsOf(error: unknown): { code?: unknown; status?: unknown; requiredScope?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

/** The cause beside it when it says more: `fetch failed` alone helps nobody. */
function messageWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  return cause instanceof Error && cause.message !== "" && !message.includes(cause.message)
    ? `${message}: ${cause.message}`
    : message;
}
