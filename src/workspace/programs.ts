/**
 * Programs of the person on this machine, outside the walls of the model's commands. What runs over its limit is ended
 * with its whole tree, also what left the process group; what an ended program left behind on purpose stays.
 */
import type { ProgramEnd, Programs, ProgramSpec } from "../contract/program.ts";
import { errorText } from "../lib/error_text.ts";
import { StreamReader } from "../lib/stream_reader.ts";
import { LONGEST_DELAY, settled, settledWithin } from "../lib/waiting.ts";
import { commandEnvironment, inheritedEnvironment } from "./command_environment.ts";
import { createTree, endTree } from "./process_tree.ts";
import { findProgram, locateProgram, type SearchPlace } from "./program_search.ts";
import { chooseShell, type ShellPreference } from "./shell_choice.ts";
import { spawnLeader } from "./spawn_leader.ts";

export interface ProgramsOptions {
  /** The workspace: no program is looked up inside it. */
  readonly root: string;
  readonly shell?: ShellPreference;
  /** Variables that hold provider keys. */
  readonly secretNames?: readonly string[];
  /** What programs inherit; this program's own environment when absent. */
  readonly inherited?: Readonly<Record<string, string>>;
}

/** How long output is waited for when the program has ended and something else holds its pipes. Milliseconds. */
const DRAIN_MS = 500;

export function createPrograms(options: ProgramsOptions): Programs {
  const inherited = options.inherited ?? Deno.env.toObject();
  const place: SearchPlace = { root: options.root, env: inherited };
  return {
    async run(spec, signal) {
      signal?.throwIfAborted();
      const argv = argumentsFor(spec, { place, preference: options.shell ?? {} });
      if (argv === undefined) return { how: "not_started", reason: notFound(spec) };
      const callId = crypto.randomUUID().slice(-12);
      const { secretNames = [] } = options;
      const common = inheritedEnvironment(inherited, secretNames);
      const env = commandEnvironment({ inherited: common, own: spec.env, callId });
      let child: Deno.ChildProcess;
      try {
        child = spawnLeader(argv, { cwd: spec.cwd, env, stdin: "piped", stderr: "piped" });
      } catch (error) {
        return { how: "not_started", reason: errorText(error) };
      }
      return await attend(child, { spec, callId, signal });
    },
  };
}

interface Attended {
  readonly spec: ProgramSpec;
  readonly callId: string;
  readonly signal: AbortSignal | undefined;
}

async function attend(child: Deno.ChildProcess, { spec, callId, signal }: Attended): Promise<ProgramEnd> {
  const tree = createTree(child.pid, callId);
  const stdout = new Kept(child.stdout, spec.maxBytes);
  const stderr = new Kept(child.stderr, spec.maxBytes);
  const writer = child.stdin.getWriter();
  const written = settled(writer.write(new TextEncoder().encode(spec.stdin)).then(() => writer.close()));

  const cut = Promise.withResolvers<"timeout" | "stopped">();
  const stop = () => cut.resolve("stopped");
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const timer = setTimeout(() => cut.resolve("timeout"), Math.min(spec.limitMs, LONGEST_DELAY));
  try {
    const end = await Promise.race([child.status, cut.promise]);
    if (typeof end === "string") await endTree(tree);
    await settledWithin(Promise.all([stdout.closed, stderr.closed]), DRAIN_MS);
    await Promise.all([stdout.stop(), stderr.stop(), settled(writer.abort()), written]);
    const said = { stdout: stdout.text(), stderr: stderr.text() };
    if (typeof end !== "string") return { how: "exited", code: end.code, ...said };
    // The system may take its time to bury what was killed; nobody waits for that.
    await settledWithin(child.status, DRAIN_MS);
    if (end === "stopped") signal!.throwIfAborted();
    return { how: "timeout", ...said };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Undefined: the program or the shell is not on this machine. */
function argumentsFor(
  { command, cwd }: ProgramSpec,
  { place, preference }: { readonly place: SearchPlace; readonly preference: ShellPreference },
): readonly string[] | undefined {
  if ("argv" in command) {
    const [program = "", ...args] = command.argv;
    const path = locateProgram(program, { cwd, place });
    return path === undefined ? undefined : [path, ...args];
  }
  const { shell: text, by } = command;
  if (by === "cmd") return ["cmd.exe", "/d", "/s", "/c", text];
  if (by === "bash") {
    const bash = ["/bin/bash", "/usr/bin/bash"].map((path) => findProgram(path, place)).find((path) => path);
    const path = bash ?? findProgram("bash", place);
    return path === undefined ? undefined : [path, "-c", text];
  }
  if (by === "powershell") {
    const path = findProgram("pwsh", place) ?? findProgram("powershell", place);
    return path === undefined ? undefined : [path, "-NoProfile", "-NonInteractive", "-Command", text];
  }
  const chosen = chooseShell(preference, place);
  const isPowerShell = chosen.name === "pwsh" || chosen.name === "powershell";
  return isPowerShell ? [chosen.path, "-NoProfile", "-NonInteractive", "-Command", text] : [chosen.path, "-c", text];
}

function notFound({ command }: ProgramSpec): string {
  const name = "argv" in command ? command.argv[0] : command.by;
  return `${name} was not found outside the workspace`;
}

/** The start of a stream as text. What comes after is read, so that its writer is not held up, and dropped. */
class Kept extends StreamReader {
  readonly #pieces: Uint8Array[];

  constructor(stream: ReadableStream<Uint8Array>, maxBytes: number) {
    const pieces: Uint8Array[] = [];
    let left = maxBytes;
    super(stream, (bytes) => {
      if (left > 0) pieces.push(bytes.slice(0, left));
      left -= Math.min(left, bytes.length);
    });
    this.#pieces = pieces;
  }

  text(): string {
    const decoder = new TextDecoder();
    return this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
  }
}
