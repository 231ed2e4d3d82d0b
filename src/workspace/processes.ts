/**
 * Commands on this machine. Each runs in a session of its own without a terminal and with an empty standard input;
 * its end is the end of the direct child, whoever still holds the pipe. Windows knows neither sessions nor `/proc`:
 * there the tree is ended by `taskkill` and what left it is not found.
 */
import { FileError } from "../contract/workspace.ts";
import type { CommandSpec, ExitStatus, Processes, RunningCommand } from "../contract/workspace.ts";
import { join } from "../lib/path.ts";
import { settledWithin } from "../lib/waiting.ts";
import { commandEnvironment } from "./command_environment.ts";
import { type ControlFacts, launch, parseControl } from "./launch.ts";
import { openProgram } from "./open_program.ts";
import { endTree, membersOf, type Tree } from "./process_tree.ts";
import type { SessionTemp } from "./session_temp.ts";
import { chooseShell, createProgramSearch, type ShellPreference } from "./shell_choice.ts";
import { spawnLeader } from "./spawn_leader.ts";
import { windowsLaunch } from "./windows_launch.ts";

export interface LocalProcessesOptions {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly shell?: ShellPreference;
  /** Names of saved provider keys: no command sees them. */
  readonly secretNames?: readonly string[];
  readonly temp?: SessionTemp;
  /** What commands inherit; this program's own environment when absent. */
  readonly inherited?: Readonly<Record<string, string>>;
}

/** Longest wait for output after the direct child has ended. What lives on and is silent for some turns ends it earlier. */
const DRAIN_MS = 1000;
const DRAIN_TURN_MS = 20;
const QUIET_TURNS = 4;

/** Past this much output reading pauses now and then, so that a flood costs neither a core nor the screen its life. */
const FLOOD_BYTES = 32 << 20;

const WINDOWS = Deno.build.os === "windows";

export function createLocalProcesses(options: LocalProcessesOptions): Processes {
  const { root, secretNames = [], temp } = options;
  const inherited = options.inherited ?? Deno.env.toObject();
  const shell = chooseShell(options.shell ?? {}, { root, env: inherited });
  const findProgram = createProgramSearch({ root, env: inherited });

  return {
    shell,
    which: (program) => Promise.resolve(findProgram(program)),
    async open(program) {
      const callId = crypto.randomUUID().slice(-12);
      const own = program.env;
      const env = commandEnvironment({ inherited, secretNames, temp: await temp?.path(), own, callId });
      return openProgram(program, { env, callId, place: { root, env: inherited } });
    },
    async start(spec) {
      const callId = crypto.randomUUID().slice(-12);
      const env = commandEnvironment({ inherited, secretNames, temp: await temp?.path(), own: spec.env, callId });
      const { command, within } = spec;
      const how = WINDOWS
        ? windowsLaunch({ command, shell })
        : launch({ command, shell, ...(within && { within }), bashEnv: env.BASH_ENV });
      const cwd = spec.cwd === undefined ? root : join(root, spec.cwd);
      const child = spawn({ argv: how.argv, cwd, env: { ...env, ...how.env }, stderr: how.control });
      return watch(child, { callId, control: how.control && !WINDOWS, spec });
    },
  };
}

interface Spawn {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly stderr: boolean;
}

function spawn({ argv, cwd, env, stderr }: Spawn): Deno.ChildProcess {
  try {
    return spawnLeader(argv, { cwd, env, stdin: "null", stderr: stderr ? "piped" : "null" });
  } catch (error) {
    if (!isFolder(cwd)) throw new FileError("not_a_directory", cwd, `no such folder: ${cwd}`, { cause: error });
    if (error instanceof Error && /os error 7\b|E2BIG/.test(error.message)) {
      throw new FileError(
        "too_large",
        cwd,
        "the command is too long for this system; put it into a file and run that",
        {
          cause: error,
        },
      );
    }
    throw new FileError("failed", argv[0]!, `cannot start ${argv[0]}: ${(error as Error).message}`, { cause: error });
  }
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

interface Watched {
  readonly callId: string;
  readonly control: boolean;
  readonly spec: CommandSpec;
}

function watch(child: Deno.ChildProcess, { callId, control, spec }: Watched): RunningCommand {
  const tree: Tree = { leader: child.pid, callId, startedAt: performance.now() };
  const output = new PipeReader(child.stdout, (bytes) => spec.onOutput?.(bytes));

  let said = "";
  const decoder = new TextDecoder();
  let killing: Promise<void> | undefined;
  let leaderEnded = false;
  child.status.then(() => leaderEnded = true, () => {});
  // What owns its tree takes it along when it ends: the kernel leaves nothing of a process namespace.
  const members = async () => leaderEnded && spec.within?.ownsTree ? [] : await membersOf(tree);
  const killed = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const second = control || WINDOWS
    ? new PipeReader(child.stderr, (bytes) => {
      if (!control) return spec.onOutput?.(bytes);
      // Bounded: a command that finds the channel may write what it likes.
      if (said.length < 64_000) said += decoder.decode(bytes, { stream: true });
      if (spec.within?.ownsTree && parseControl(said).exit !== undefined) left.resolve();
    })
    : undefined;

  // Silence counts in turns of this program's own loop: what waits in the pipe is read even when it was busy.
  const drained = async (): Promise<void> => {
    const closed = Promise.all([output.closed, second?.closed]);
    const deadline = performance.now() + DRAIN_MS;
    for (let turns = 1, quiet = 0;; turns++) {
      const before = output.bytes;
      if (await settledWithin(closed, DRAIN_TURN_MS)) return;
      quiet = output.bytes === before ? quiet + 1 : 0;
      const silent = quiet > 0 && quiet % QUIET_TURNS === 0;
      if (silent && (WINDOWS || (await members()).length > 0)) return;
      if (turns >= QUIET_TURNS && performance.now() > deadline) return;
    }
  };

  const ended = (async () => {
    await Promise.race([child.status, left.promise]);
    await drained();
    await killing;
    const survivors = WINDOWS ? [] : await members();
    const facts = parseControl(said);
    const status = await Promise.race([child.status, left.promise]);
    if (survivors.length === 0) await Promise.all([output.stop(), second?.stop()]);
    return { ...exitStatus(status ?? undefined, facts, spec), survivors };
  })();

  const stop = () => Promise.all([output.stop(), second?.stop(), child.status]);

  return {
    pid: child.pid,
    ended,
    async kill() {
      killing = endTree(tree);
      await killing;
      await settledWithin(stop(), 200);
      killed.resolve();
    },
    async gone() {
      if ((await ended).survivors.length === 0) return;
      for (let pause = 50; (await members()).length > 0; pause = Math.min(1000, pause * 1.5)) {
        if (await settledWithin(killed.promise, pause)) return;
      }
      await settledWithin(Promise.all([output.closed, second?.closed]), QUIET_TURNS * DRAIN_TURN_MS);
      await stop();
    },
  };
}

function exitStatus(status: Deno.CommandStatus | undefined, facts: ControlFacts, spec: CommandSpec): ExitStatus {
  if (spec.within && !facts.up) return { code: status?.code ?? -1, wallFailure: facts.before || "it said nothing" };
  if (status?.signal) return { signal: status.signal };
  return {
    code: status?.code ?? facts.exit ?? -1,
    ...(facts.pipeStatus && { pipeStatus: facts.pipeStatus }),
  };
}

/** Reads a pipe to its end or until told to stop. */
class PipeReader {
  readonly closed: Promise<void>;
  /** Received so far. */
  bytes = 0;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(stream: ReadableStream<Uint8Array>, onBytes: (bytes: Uint8Array) => void) {
    this.#reader = stream.getReader();
    this.closed = this.#read(onBytes);
  }

  async #read(onBytes: (bytes: Uint8Array) => void): Promise<void> {
    let sinceRest = 0;
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return;
        this.bytes += value.length;
        onBytes(value);
        sinceRest += value.length;
        if (this.bytes > FLOOD_BYTES && sinceRest > 1 << 20) {
          sinceRest = 0;
          await new Promise((rested) => setTimeout(rested, 4));
        }
      }
    } catch {
      // A pipe that breaks has ended.
    }
  }

  async stop(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
    await this.closed;
  }
}
