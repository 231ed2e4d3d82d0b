/**
 * How long anybody waits for a slow server. There are three waits, and a start goes on behind the first two:
 *
 * - the first prompt of a session, for servers nobody has heard of: `FIRST_PROMPT_WAIT_MS`, fixed;
 * - a call to a server that is not there yet, before the model is told so: `CALL_WAIT_MS`, fixed;
 * - the start itself, which then has failed: `startup_timeout_seconds` of the server, or
 *   `tools.mcp_startup_timeout_seconds` for all. It is `startupMs` in `settings.ts`.
 *
 * A server that is `required` has the whole of its start, whatever the first of them says.
 */
export const FIRST_PROMPT_WAIT_MS = 1_000;

export const CALL_WAIT_MS = 5_000;
