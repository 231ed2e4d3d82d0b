/**
 * Commands on this machine. Each runs without a terminal and with an empty standard input, in a session of its own or in
 * that of a room; its end is the end of the direct child, whoever still holds the pipe. Windows knows neither sessions
 * nor `/proc`: there the tree is ended by `taskkill` and what left it is not found.
 */
import { FileError } from "../contract/workspace.ts";
import type { CommandSpec, Processes, Wall } from "../contract/workspace.ts";
import { isFolder } from "../lib/at_path.ts";
import { join } from "../lib/path.ts";
import { StreamReader } from "../lib/stream_reader.ts";
import { behindWall, commandEnvironment, inheritedEnvironment } from "./command_environment.ts";
import { launch, parseControl, plainCommand } from "./launch.ts";
import { openProgram } from "./open_program.ts";
import { createTree } from "./process_tree.ts";
import { createProgramSearch } from "./program_search.ts";
import type { Rooms } from "./rooms.ts";
import type { SessionTemp } from "./session_temp.ts";
import { chooseShell, type ShellPreference } from "./shell_choice.ts";
import { spawnLeader } from "./spawn_leader.ts";
import { OUTPUT_RESTS, type Started, watch } from "./watched_command.ts";
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

const WINDOWS = Deno.build.os === "windows";

export function createLocalProcesses(options: LocalProcessesOptions): Processes {
  const { root, secretNames = [], temp } = options;
  const inherited = options.inherited ?? Deno.env.toObject();
  const shell = chooseShell(options.shell ?? {}, { root, env: inherited });
  const findProgram = createProgramSearch({ root, env: inherited });
  // Made with the first command: a start does without.
  let common: ReturnType<typeof inheritedEnvironment> | undefined;
  const environment = async (own: CommandSpec["env"], callId: string) => {
    common ??= inheritedEnvironment(inherited, secretNames);
    return commandEnvironment({ inherited: common, temp: await temp?.path(), own, callId });
  };
  let loading: Promise<Rooms> | undefined;
  let rooms: Rooms | undefined;

  return {
    shell,
    which: (program) => Promise.resolve(findProgram(program)),
    async open(program) {
      const callId = crypto.randomUUID().slice(-12);
      const whole = await environment(program.env, callId);
      const { within, env } = enclosed(program.within, whole);
      return openProgram({ ...program, within }, { env, callId, place: { root, env: inherited } });
    },
    async start(spec) {
      const callId = crypto.randomUUID().slice(-12);
      const whole = await environment(spec.env, callId);
      const { command } = spec;
      const { within, env, words } = enclosed(spec.within, whole);
      const cwd = spec.cwd === undefined ? root : join(root, spec.cwd);
      if (within?.standing && words.length === 0) {
        rooms ??= await (loading ??= import("./rooms.ts").then(({ Rooms }) => new Rooms()));
        const plain = plainCommand({ command, shell, bashEnv: env.BASH_ENV });
        const { onOutput } = spec;
        const running = await rooms.start({ ...plain, standing: within.standing, cwd, env, callId, onOutput });
        if (running) return running;
      }
      const how = WINDOWS
        ? windowsLaunch({ command, shell })
        : launch({ command, shell, ...(within && { within }), bashEnv: env.BASH_ENV });
      const child = spawn({ argv: how.argv, cwd, env: { ...env, ...how.env }, stderr: how.control });
      return watch(ownProcess(child, { callId, control: how.control && !WINDOWS, spec }));
    },
    expect: () => rooms?.expect(),
    async close() {
      await rooms?.close();
    },
  };
}

/** A wall and what it starts with. */
function enclosed(within: Wall | undefined, env: Record<string, string>) {
  if (within === undefined) return { within, env, words: [] };
  const { outside, words } = behindWall(env);
  return { within: { ...within, argv: [...within.argv, ...words] }, env: outside, words };
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

interface Own {
  readonly callId: string;
  /** The second pipe is the launcher's; else it is the command's standard error. */
  readonly control: boolean;
  readonly spec: CommandSpec;
}

/** A command that has a process tree of its own. */
function ownProcess(child: Deno.ChildProcess, { callId, control, spec }: Own): Started {
  const { onOutput, within } = spec;
  const ownsTree = within?.ownsTree === true;
  const tell = (bytes: Uint8Array) => onOutput?.(bytes);
  const left = Promise.withResolvers<undefined>();
  const decoder = new TextDecoder();
  let said = "";
  const hear = (bytes: Uint8Array) => {
    // Bounded, and read through only where it may tell of an end: a command that finds the channel writes what it likes.
    const before = said.length;
    if (before >= 64_000) return;
    said += decoder.decode(bytes, { stream: true });
    if (!ownsTree || !said.slice(Math.max(0, before - 16)).includes("\nexit ")) return;
    if (parseControl(said).exit !== undefined) left.resolve(undefined);
  };
  const hasSecond = control || WINDOWS;
  return {
    pid: child.pid,
    tree: createTree(child.pid, callId),
    status: child.status,
    output: new StreamReader(child.stdout, tell, OUTPUT_RESTS),
    second: hasSecond ? new StreamReader(child.stderr, control ? hear : tell, OUTPUT_RESTS) : undefined,
    left: left.promise,
    facts: () => parseControl(said),
    ownsTree,
    confined: within !== undefined,
  };
}
