/** One room: its keeper, and the command that is in it. */
import type { RunningCommand } from "../contract/workspace.ts";
import { FileError } from "../contract/workspace.ts";
import { StreamReader } from "../lib/stream_reader.ts";
import { settledWithin } from "../lib/waiting.ts";
import {
  encodeFields,
  KEEPER_ENVIRONMENT,
  keeperArguments,
  KeeperWords,
  NO_COMMAND,
  OutputUntil,
  parseEnd,
  requestFields,
} from "./keeper.ts";
import { type ControlFacts, parseControl } from "./launch.ts";
import { createTree, endTree, type Tree } from "./process_tree.ts";
import { spawnLeader } from "./spawn_leader.ts";
import { OUTPUT_RESTS, watch } from "./watched_command.ts";

const CLOSE_MS = 500;
/** So long what a keeper saw when it was woken counts. */
const AWAKE_MS = 20;
/** The mark after a command's output is in the pipe when its end is told. Not come in so many turns, another read it. */
const MARK_TURN_MS = 20;
const MARK_TURNS = 25;
/** Also when others keep writing there. */
const MOST_MARK_TURNS = 10 * MARK_TURNS;

export interface RoomPlace {
  /** The walls, up to the program they start. */
  readonly argv: readonly string[];
  /** Path of the keeper inside. */
  readonly keeper: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** The mark that `env` holds. */
  readonly callId: string;
}

export interface Guest {
  readonly argv: readonly string[];
  readonly reporter: string;
  onOutput?: ((bytes: Uint8Array) => void) | undefined;
}

export interface RoomOptions {
  /** A keeper that says nothing for so long is ended. */
  readonly answerMs: number;
  /** Called each time a command has left the room. */
  onFree(room: Room): void;
}

export class Room {
  readonly #child: Deno.ChildProcess;
  readonly #tree: Tree;
  readonly #output: StreamReader;
  readonly #control: StreamReader;
  readonly #requests: WritableStreamDefaultWriter<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #up = Promise.withResolvers<boolean>();
  readonly #options: RoomOptions;
  #stay: Stay | undefined;
  /** A nonce that was sent ahead. */
  #woken: { readonly nonce: string; readonly until: number } | undefined;
  /** It takes no further command: it has ended or is being ended, or somebody else has a hand on its output. */
  #unfit = false;
  #said = "";

  /** Throws when the walls cannot be started. */
  constructor({ argv, keeper, cwd, env, callId }: RoomPlace, options: RoomOptions) {
    this.#child = spawnLeader([...argv, ...keeperArguments(keeper, cwd)], {
      cwd,
      env: { ...env, ...KEEPER_ENVIRONMENT },
      stdin: "piped",
      stderr: "piped",
    });
    this.#tree = createTree(this.#child.pid, callId);
    this.#requests = this.#child.stdin.getWriter();
    this.#options = options;
    this.#output = new StreamReader(this.#child.stdout, (bytes) => this.#write(bytes), OUTPUT_RESTS);
    this.#control = new StreamReader(this.#child.stderr, (bytes) => this.#hear(bytes), OUTPUT_RESTS);
    void this.#output.closed.then(() => this.#stay?.release());
    const gone = async () => {
      this.#unfit = true;
      // What it said last may be on its way: a command that was begun must not be begun again.
      await settledWithin(this.#control.closed, CLOSE_MS);
      this.#up.resolve(false);
      this.#stay?.gone();
    };
    this.#child.status.then(gone, gone);
  }

  /** False when no room came about. */
  async comesUp(): Promise<boolean> {
    return await settledWithin(this.#up.promise, this.#options.answerMs) && await this.#up.promise;
  }

  /** A command may come at once: its walls are still looked up, and meanwhile the keeper looks at those that stand. */
  wake(): void {
    this.rest();
    if (this.#unfit) return;
    this.#woken = { nonce: crypto.randomUUID(), until: performance.now() + AWAKE_MS };
    this.#send([this.#woken.nonce]);
  }

  /** It went elsewhere. What the keeper saw is of no use to the next one, which may come after a change. */
  rest(): void {
    if (this.#woken) this.#send(NO_COMMAND);
    this.#woken = undefined;
  }

  /** Undefined when the room was not fit for it: the command was not begun then, and the room is no more. */
  async take(guest: Guest): Promise<RunningCommand | undefined> {
    if (this.#unfit) {
      await this.close();
      return undefined;
    }
    if (this.#woken === undefined || performance.now() > this.#woken.until) this.wake();
    const { nonce } = this.#woken!;
    this.#woken = undefined;
    const stay = this.#stay = new Stay(guest, nonce);
    this.#child.ref();
    this.#send(requestFields(guest));
    if (!await settledWithin(stay.begun, this.#options.answerMs)) {
      await endTree(this.#tree);
      await this.close();
      throw new FileError(
        "failed",
        guest.argv[0]!,
        "the sandbox did not answer and was ended; the command did not run to its end",
      );
    }
    if (!await stay.begun) {
      await this.close();
      return undefined;
    }
    const running = watch({
      pid: this.#child.pid,
      tree: this.#tree,
      status: this.#child.status,
      output: this.#output,
      second: this.#control,
      left: stay.left,
      over: stay.over,
      facts: () => stay.facts,
      ownsTree: true,
      confined: true,
    });
    void stay.over.then(() => this.#leave(stay));
    return {
      ...running,
      kill: () => {
        // Also when the command ends by itself in the meantime.
        if (this.#stay === stay) this.#unfit = true;
        return running.kill();
      },
    };
  }

  /** Ends the room. What is left of a command in it goes too. */
  async close(): Promise<void> {
    await this.#requests.close().catch(() => {});
    if (!await settledWithin(this.#child.status, CLOSE_MS)) await endTree(this.#tree, { graceMs: 0 });
    await Promise.all([this.#output.stop(), this.#control.stop()]);
  }

  #send(fields: readonly string[]): void {
    // A keeper that is no more is noticed by its end.
    this.#requests.write(encodeFields(fields)).catch(() => {});
  }

  #leave(stay: Stay): void {
    this.#stay = undefined;
    this.#child.unref();
    if (this.#unfit || stay.isDisturbed) void this.close();
    else this.#options.onFree(this);
  }

  #write(bytes: Uint8Array): void {
    if (this.#stay) this.#stay.write(bytes);
    else this.#unfit = true;
  }

  #hear(bytes: Uint8Array): void {
    const piece = this.#decoder.decode(bytes, { stream: true });
    if (this.#stay) return this.#stay.hear(piece);
    this.#said = (this.#said + piece).slice(-1000);
    if (/^up$/m.test(this.#said)) this.#up.resolve(true);
  }
}

/** One command's time in a room. */
class Stay {
  readonly #words: KeeperWords;
  readonly #output: OutputUntil;
  readonly #begun = Promise.withResolvers<boolean>();
  readonly #left = Promise.withResolvers<undefined>();
  readonly #over = Promise.withResolvers<undefined>();
  #end: ReturnType<typeof parseEnd> | undefined;
  /** Turns since the end was told in which nothing came. */
  #quiet = 0;
  #missesMark = false;

  constructor({ onOutput }: Guest, nonce: string) {
    this.#words = new KeeperWords(nonce);
    this.#output = new OutputUntil(nonce, (bytes) => onOutput?.(bytes));
  }

  /** False when the keeper would not begin it, or could not. */
  get begun(): Promise<boolean> {
    return this.#begun.promise;
  }

  /** It has ended and left something behind. */
  get left(): Promise<undefined> {
    return this.#left.promise;
  }

  /** It has ended, all it wrote is here, and nothing of it is left. */
  get over(): Promise<undefined> {
    return this.#over.promise;
  }

  get facts(): ControlFacts {
    const { code, stages } = this.#end ?? {};
    return { ...parseControl(`up\n${stages ?? ""}\n`), ...(code === undefined ? {} : { exit: code }) };
  }

  /** Somebody outside the room writes or reads where commands write. */
  get isDisturbed(): boolean {
    return this.#missesMark || this.#output.strays;
  }

  write(bytes: Uint8Array): void {
    this.#quiet = 0;
    this.#output.add(bytes);
    this.#settle();
  }

  /** Nothing more is the keeper's. */
  release(): void {
    this.#output.release();
  }

  hear(piece: string): void {
    for (const { word, text } of this.#words.add(piece)) {
      if (word === "begun" || word === "stale") this.#begun.resolve(word === "begun");
      else if (word === "ended") this.#end = parseEnd(text);
      else if (word === "left") this.#leaveBehind();
      else if (word === "free" && !this.#output.done) this.#awaitMark();
    }
    this.#settle();
  }

  /** The keeper is no more. */
  gone(): void {
    this.#begun.resolve(false);
  }

  /** The end is the keeper's word; the mark alone could come from others who have the pipe. */
  #settle(): void {
    if (this.#end !== undefined && this.#output.done) this.#over.resolve(undefined);
  }

  #leaveBehind(): void {
    this.#output.release();
    this.#left.resolve(undefined);
  }

  /** In turns of this program's own loop: what waits in the pipe is read even when it was busy. */
  #awaitMark(): void {
    let turns = 0;
    const timer = setInterval(() => {
      if (!this.#output.done && ++this.#quiet < MARK_TURNS && ++turns < MOST_MARK_TURNS) return;
      clearInterval(timer);
      if (this.#output.done) return;
      this.#missesMark = true;
      this.#output.release();
      this.#over.resolve(undefined);
    }, MARK_TURN_MS);
  }
}
