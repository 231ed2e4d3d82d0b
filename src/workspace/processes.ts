/**
 * Commands on this machine. Each runs in a session of its own without a terminal and with an empty standard input;
 * its end is the end of the direct child, whoever still holds the pipe. Windows knows neither sessions nor `/proc`:
 * there the tree is ended by `taskkill` and what left it is not found.
 */
import { FileError } from "../contract/workspace.ts";
import type { CommandSpec, ExitStatus, Processes, RunningCommand } from "../contract/workspace.ts";
import { isFolder } from "../lib/at_path.ts";
import { join } from "../lib/path.ts";
import { StreamReader } from "../lib/stream_reader.ts";
import { settledWithin } from "../lib/waiting.ts";
import { commandEnvironment } from "./command_environment.ts";
import { type ControlFacts, launch, parseControl } from "./launch.ts";
import { openProgram } from "./open_program.ts";
import { createTree, endTree, membersOf, type Tree } from "./process_tree.ts";
import { createProgramSearch } from "./program_search.ts";
import type { SessionTemp } from "./session_temp.ts";
import { chooseShell, type ShellPreference } from "./shell_choice.ts";
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

const RESTS = { after: 32 << 20, every: 1 << 20 };

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
      const watched = new WatchedCommand(child, { callId, control: how.control && !WINDOWS, spec });
      // Wrappers of this port spread what they are given.
      const { pid, ended } = watched;
      return { pid, ended, gone: () => watched.gone(), kill: () => watched.kill() };
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
      const text = "the command is too long for this system; put it into a file and run that";
      throw new FileError("too_large", cwd, text, { cause: error });
    }
    throw new FileError("failed", argv[0]!, `cannot start ${argv[0]}: ${(error as Error).message}`, { cause: error });
  }
}

interface Watched {
  readonly callId: string;
  /** The second pipe is the launcher's; else it is the command's standard error. */
  readonly control: boolean;
  readonly spec: CommandSpec;
}

/** A command from its start to the end of the last process it left behind. */
class WatchedCommand {
  readonly pid: number;
  readonly ended: RunningCommand["ended"];
  readonly #child: Deno.ChildProcess;
  readonly #spec: CommandSpec;
  readonly #tree: Tree;
  readonly #output: StreamReader;
  readonly #second: StreamReader | undefined;
  /** What came over the control channel so far. */
  #said = "";
  #leaderEnded = false;
  #killing: Promise<void> | undefined;
  readonly #killed = Promise.withResolvers<void>();
  /** The command has ended, and its launcher stays for what it left behind. */
  readonly #left = Promise.withResolvers<undefined>();

  constructor(child: Deno.ChildProcess, { callId, control, spec }: Watched) {
    this.pid = child.pid;
    this.#child = child;
    this.#spec = spec;
    this.#tree = createTree(child.pid, callId);
    child.status.then(() => this.#leaderEnded = true, () => {});
    const tell = (bytes: Uint8Array) => spec.onOutput?.(bytes);
    this.#output = new StreamReader(child.stdout, tell, RESTS);
    if (control) this.#second = new StreamReader(child.stderr, this.#hear(), RESTS);
    else if (WINDOWS) this.#second = new StreamReader(child.stderr, tell, RESTS);
    this.ended = this.#end();
  }

  async kill(): Promise<void> {
    this.#killing = endTree(this.#tree);
    await this.#killing;
    await settledWithin(this.#stop(), 200);
    this.#killed.resolve();
  }

  async gone(): Promise<void> {
    if ((await this.ended).survivors.length === 0) return;
    for (let pause = 50; (await this.#members()).length > 0; pause = Math.min(1000, pause * 1.5)) {
      if (await settledWithin(this.#killed.promise, pause)) return;
    }
    await settledWithin(this.#closed(), QUIET_TURNS * DRAIN_TURN_MS);
    await this.#stop();
  }

  async #end(): ReturnType<() => RunningCommand["ended"]> {
    const first = () => Promise.race([this.#child.status, this.#left.promise]);
    await first();
    await this.#drain();
    await this.#killing;
    const survivors = WINDOWS ? [] : await this.#members();
    const facts = parseControl(this.#said);
    const status = await first();
    if (survivors.length === 0) await Promise.all([this.#output.stop(), this.#second?.stop()]);
    return { ...exitStatus(status, facts, this.#spec), survivors };
  }

  /** Silence counts in turns of this program's own loop: what waits in the pipe is read even when it was busy. */
  async #drain(): Promise<void> {
    const closed = this.#closed();
    const deadline = performance.now() + DRAIN_MS;
    for (let turns = 1, quiet = 0;; turns++) {
      const before = this.#output.bytes;
      if (await settledWithin(closed, DRAIN_TURN_MS)) return;
      quiet = this.#output.bytes === before ? quiet + 1 : 0;
      const silent = quiet > 0 && quiet % QUIET_TURNS === 0;
      if (silent && (WINDOWS || (await this.#members()).length > 0)) return;
      if (turns >= QUIET_TURNS && performance.now() > deadline) return;
    }
  }

  #hear(): (bytes: Uint8Array) => void {
    const decoder = new TextDecoder();
    return (bytes) => {
      // Bounded, and read through only where it may tell of an end: a command that finds the channel writes what it likes.
      const before = this.#said.length;
      if (before >= 64_000) return;
      this.#said += decoder.decode(bytes, { stream: true });
      if (!this.#spec.within?.ownsTree || !this.#said.slice(Math.max(0, before - 16)).includes("\nexit ")) return;
      if (parseControl(this.#said).exit !== undefined) this.#left.resolve(undefined);
    };
  }

  /** What owns its tree takes it along when it ends: the kernel leaves nothing of a process namespace. */
  async #members(): Promise<readonly number[]> {
    return this.#leaderEnded && this.#spec.within?.ownsTree ? [] : await membersOf(this.#tree);
  }

  async #closed(): Promise<void> {
    await Promise.all([this.#output.closed, this.#second?.closed]);
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#output.stop(), this.#second?.stop(), this.#child.status]);
  }
}

function exitStatus(status: Deno.CommandStatus | undefined, facts: ControlFacts, spec: CommandSpec): ExitStatus {
  if (spec.within && !facts.up) return { code: status?.code ?? -1, wallFailure: facts.before || "it said nothing" };
  if (status?.signal) return { signal: status.signal };
  return {
    code: status?.code ?? facts.exit ?? -1,
    ...(facts.pipeStatus && { pipeStatus: facts.pipeStatus }),
  };
}
