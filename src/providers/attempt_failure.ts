/** What can go wrong with one attempt, as typed classes: whether another follows never depends on a message. */
import type { ReasonixError } from "../contract/errors.ts";
import type { RetryCause } from "../contract/provider.ts";

export type FailureClass =
  /** 408, 429 and every 5xx. */
  | "status"
  /** The connection ended before the response headers. */
  | "drop"
  /** No connection was made: refused, unreachable, a name server that does not answer. */
  | "dial"
  /** No response headers in time. */
  | "silent"
  /** 401, 403. */
  | "auth"
  /** The stream ended before the model did. */
  | "cut"
  /** The stream fell silent. */
  | "stall"
  /** An error object inside the stream that a later try may not meet. */
  | "upstream"
  /** A complete answer with nothing in it. */
  | "empty"
  /** A complete answer that is not to be trusted yet. */
  | "doubt"
  /** Another try cannot help. */
  | "final";

export interface Failure {
  readonly class: FailureClass;
  readonly cause: RetryCause;
  /** What the caller is told when no try is left. */
  readonly error: ReasonixError;
  readonly status?: number;
  /** What the endpoint itself called it. */
  readonly saidCode?: string;
  /** The endpoint asked to wait so long. Milliseconds. */
  readonly retryAfterMs?: number;
  /** Overrides the table's number of retries. */
  readonly retries?: number;
}
