/** A command from its start to the end of the last process it left behind. */
import type { ExitStatus, RunningCommand } from "../contract/workspace.ts";
import type { Rests, StreamReader } from "../lib/stream_reader.ts";
import { settledWithin } from "../lib/waiting.ts";
import type { ControlFacts } from "./launch.ts";
import { endTree, membersOf, type Tree } from "./process_tree.ts";

/** Longest wait for output after the direct child has ended. What lives on and is silent for some turns ends it earlier. */
const DRAIN_MS = 1000;
const DRAIN_TURN_MS = 20;
const QUIET_TURNS = 4;

export const OUTPUT_RESTS: Rests = { after: 32 << 20, every: 1 << 20 };

const WINDOWS = Deno.build.os === "windows";

type Reading = Pick<StreamReader, "bytes" | "closed" | "stop">;

/** A command that has just been started, as a process of its own or as a guest in a room. */
export interface Started {
  readonly pid: number;
  readonly tree: Tree;
  /** The end of the tree's leader. */
  readonly status: Promise<Deno.CommandStatus>;
  readonly output: Reading;
  /** The control channel, or the command's standard error. */
  readonly second?: Reading | undefined;
  /** The command has ended, and the leader stays for what it left behind. */
  readonly left?: Promise<undefined>;
  /** The command has ended and left nothing, all it wrote has come, and the leader is for others from now on. */
  readonly over?: Promise<unknown>;
  /** What the control channel told so far. */
  facts(): ControlFacts;
  /** Every process of the tree ends with the leader. */
  readonly ownsTree: boolean;
  /** A wall stands before the command and tells when it has let it start. */
  readonly confined: boolean;
}

/** The command that has been started. */
export function watch(started: Started): RunningCommand {
  const watched = new WatchedCommand(started);
  // Wrappers of the port spread what they are given.
  const { pid, ended } = watched;
  return { pid, ended, gone: () => watched.gone(), kill: () => watched.kill() };
}

class WatchedCommand {
  readonly pid: number;
  readonly ended: RunningCommand["ended"];
  readonly #started: Started;
  #leaderEnded = false;
  #over = false;
  #killing: Promise<void> | undefined;
  readonly #killed = Promise.withResolvers<void>();

  constructor(started: Started) {
    this.pid = started.pid;
    this.#started = started;
    started.status.then(() => this.#leaderEnded = true, () => {});
    this.ended = this.#end();
  }

  async kill(): Promise<void> {
    if (this.#over) return;
    this.#killing = endTree(this.#started.tree);
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
    const { status, left, over, output, second, facts, confined } = this.#started;
    const first = () => Promise.race(left ? [status, left] : [status]);
    void over?.then(() => this.#over = true);
    await Promise.race(over ? [first(), over] : [first()]);
    if (this.#over) return { ...exitStatus(undefined, facts(), confined), survivors: [] };
    await this.#drain();
    await this.#killing;
    const survivors = WINDOWS ? [] : await this.#members();
    const end = await first();
    if (survivors.length === 0) await Promise.all([output.stop(), second?.stop()]);
    return { ...exitStatus(end, facts(), confined), survivors };
  }

  /** Silence counts in turns of this program's own loop: what waits in the pipe is read even when it was busy. */
  async #drain(): Promise<void> {
    const { output } = this.#started;
    const closed = this.#closed();
    const deadline = performance.now() + DRAIN_MS;
    for (let turns = 1, quiet = 0;; turns++) {
      const before = output.bytes;
      if (await settledWithin(closed, DRAIN_TURN_MS)) return;
      quiet = output.bytes === before ? quiet + 1 : 0;
      const silent = quiet > 0 && quiet % QUIET_TURNS === 0;
      if (silent && (WINDOWS || (await this.#members()).length > 0)) return;
      if (turns >= QUIET_TURNS && performance.now() > deadline) return;
    }
  }

  /** What owns its tree takes it along when it ends: the kernel leaves nothing of a process namespace. */
  async #members(): Promise<readonly number[]> {
    return this.#leaderEnded && this.#started.ownsTree ? [] : await membersOf(this.#started.tree);
  }

  async #closed(): Promise<void> {
    await Promise.all([this.#started.output.closed, this.#started.second?.closed]);
  }

  async #stop(): Promise<void> {
    const { output, second, status } = this.#started;
    await Promise.all([output.stop(), second?.stop(), status]);
  }
}

function exitStatus(status: Deno.CommandStatus | undefined, facts: ControlFacts, confined: boolean): ExitStatus {
  if (confined && !facts.up) return { code: status?.code ?? -1, wallFailure: facts.before || "it said nothing" };
  if (status?.signal) return { signal: status.signal };
  return {
    code: status?.code ?? facts.exit ?? -1,
    ...(facts.pipeStatus && { pipeStatus: facts.pipeStatus }),
  };
}
