/**
 * The rooms of one session: walls that stand from one command to the next, so that most commands need no start of a
 * sandbox. A room serves only commands that would get the very same walls, folder and environment.
 */
import type { RunningCommand, StandingWall } from "../contract/workspace.ts";
import { isFolder } from "../lib/at_path.ts";
import { MARKER } from "./command_environment.ts";
import { canKeep, LONGEST_REQUEST } from "./keeper.ts";
import { type Guest, Room, type RoomPlace } from "./room.ts";

/** A room nobody has needed for so long is closed. */
const IDLE_MS = 30_000;
const MOST_IDLE = 2;
/** Longer than a start takes on any machine at work: one that hangs must not hold the command. */
const ANSWER_MS = 10_000;

export interface RoomRequest extends Omit<RoomPlace, "argv" | "keeper">, Guest {
  readonly standing: StandingWall;
}

export class Rooms {
  readonly #free = new Map<Room, { readonly key: string; readonly timer: ReturnType<typeof setTimeout> }>();
  readonly #answerMs: number;
  #unusable = false;

  constructor({ answerMs = ANSWER_MS }: { readonly answerMs?: number | undefined } = {}) {
    this.#answerMs = answerMs;
  }

  /** A command is about to come. It most likely fits the room that was used last. */
  expect(): void {
    [...this.#free.keys()].at(-1)?.wake();
  }

  /** Undefined when the command has to have a start of its own. */
  async start(request: RoomRequest): Promise<RunningCommand | undefined> {
    const { argv } = request;
    if (this.#unusable || !argv[0]!.startsWith("/")) return undefined;
    // A request ends its words with NUL; what the system says of one in a word is said by a start of its own.
    if (argv.some((word) => word.includes("\0"))) return undefined;
    if (argv.reduce((length, word) => length + word.length, 0) > LONGEST_REQUEST) return undefined;
    const key = keyOf(request);
    for (let room; (room = this.#take(key)) !== undefined;) {
      const running = await room.take(request);
      if (running) return running;
    }
    const room = canKeep(request.env) ? await this.#open(request, key) : undefined;
    return await room?.take(request);
  }

  async close(): Promise<void> {
    const rooms = [...this.#free.keys()];
    for (const room of rooms) this.#remove(room);
    await Promise.all(rooms.map((room) => room.close()));
  }

  /** Undefined when there is none; then none is tried again, unless for want of the folder: what hinders it stays. */
  async #open({ standing, cwd, env, callId }: RoomRequest, key: string): Promise<Room | undefined> {
    if (!isFolder(cwd)) return undefined;
    try {
      const room = new Room({ ...standing, cwd, env, callId }, {
        answerMs: this.#answerMs,
        onFree: (free) => this.#keep(free, key),
      });
      if (await room.comesUp()) return room;
      await room.close();
    } catch {
      // The walls' own start will say why.
    }
    this.#unusable = true;
    return undefined;
  }

  /** The one that was used last, which is awake. All others go back to rest. */
  #take(key: string): Room | undefined {
    const fitting = [...this.#free].findLast(([, free]) => free.key === key)?.[0];
    if (fitting) this.#remove(fitting);
    for (const room of this.#free.keys()) room.rest();
    return fitting;
  }

  #keep(room: Room, key: string): void {
    const timer = setTimeout(() => this.#end(room), IDLE_MS);
    Deno.unrefTimer(timer as unknown as number);
    this.#free.set(room, { key, timer });
    const [oldest] = this.#free.keys();
    if (this.#free.size > MOST_IDLE) this.#end(oldest!);
  }

  #end(room: Room): void {
    this.#remove(room);
    void room.close();
  }

  #remove(room: Room): void {
    clearTimeout(this.#free.get(room)?.timer);
    this.#free.delete(room);
  }
}

function keyOf({ standing, cwd, env }: RoomRequest): string {
  const { [MARKER]: _mark, ...same } = env;
  return JSON.stringify([standing, cwd, same]);
}
