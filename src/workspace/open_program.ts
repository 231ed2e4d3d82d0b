/**
 * A program with its three streams open, in a process group of its own. Its end is asked for gently first: closed
 * input, then SIGTERM, then SIGKILL for the whole tree.
 */
import { FileError, type OpenProgram, type ProgramToOpen } from "../contract/workspace.ts";
import { errorText } from "../lib/error_text.ts";
import { join } from "../lib/path.ts";
import { settledWithin } from "../lib/waiting.ts";
import { createTree, endTree } from "./process_tree.ts";
import { locateProgram, type SearchPlace } from "./program_search.ts";
import { spawnLeader } from "./spawn_leader.ts";

export interface OpenContext {
  readonly env: Record<string, string>;
  readonly callId: string;
  readonly place: SearchPlace & { readonly root: string };
}

/** How long a program may take to leave by itself once its input is closed. Milliseconds. */
const LEAVE_MS = 250;
/** And how long what is left of it has between SIGTERM and SIGKILL. */
const TERM_MS = 250;
const BOUND_MS = 1_200;

export function openProgram(program: ProgramToOpen, { env, callId, place }: OpenContext): OpenProgram {
  const cwd = program.cwd === undefined ? place.root : join(place.root, program.cwd);
  const argv = [...(program.within?.argv ?? []), ...resolveProgram(program.argv, { cwd, place })];
  const child = spawn(argv, { cwd, env });
  const tree = createTree(child.pid, callId);
  const ended = child.status.then(({ code, signal }) => signal === null ? { code } : { signal });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await settledWithin(child.stdin.close(), 50);
    await settledWithin(ended, LEAVE_MS);
    // A program that left may have left others behind.
    await endTree(tree, { graceMs: TERM_MS, boundMs: BOUND_MS });
    await settledWithin(ended, 100);
  };
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    close: () => closing ??= close(),
  };
}

function resolveProgram(
  [name = "", ...args]: readonly string[],
  at: { readonly cwd: string; readonly place: SearchPlace },
): string[] {
  const path = locateProgram(name, at);
  if (path === undefined) throw new FileError("not_found", name, `${name} was not found on the PATH`);
  return [path, ...args];
}

function spawn(argv: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }) {
  try {
    return spawnLeader(argv, { cwd, env, stdin: "piped", stderr: "piped" });
  } catch (error) {
    const failure = error instanceof Deno.errors.NotFound ? "not_found" : "failed";
    throw new FileError(failure, argv[0]!, `cannot start ${argv[0]}: ${errorText(error)}`, { cause: error });
  }
}
