/** What happens in one episode, made from its seed alone: the same seed is the same plan. */
import { Dice } from "../../../tests/support/random.ts";
import { type KindName, KINDS } from "../../../tests/support/wire_speech.ts";
import { makeKey } from "./keys.ts";
import { type Round, Rounds } from "./rounds.ts";

/** Counted from what it names: the start, the n-th request of the step, the n-th line of its output. */
export interface Moment {
  readonly of: "start" | "request" | "line";
  readonly count: number;
  /** And so long after it. */
  readonly ms: number;
}

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL";

export interface Blow {
  readonly at: Moment;
  readonly signal: Signal;
  /** The same once more, so many milliseconds later: an impatient person. */
  readonly again?: number;
}

export type Trouble =
  /** From the moment on no more than `leaves` bytes fit; there is space again when the step is over. */
  | { readonly kind: "full_disk"; readonly at: Moment; readonly leaves: number }
  | { readonly kind: "read_only"; readonly place: "home" | "state" | "ws" }
  /** The clock of the program jumps while it runs. */
  | { readonly kind: "clock"; readonly at: Moment; readonly seconds: number }
  /** Everything stored so far was written on another day, says the disk. */
  | { readonly kind: "dates"; readonly days: number }
  /** After so many lines nobody reads the output any more: the reader waits, or is gone. */
  | { readonly kind: "reader"; readonly how: "waits" | "leaves"; readonly stopsAfter: number };

export type Format = "text" | "print" | "json" | "stream-json" | "events-jsonl" | "totals";

export interface RunStep {
  readonly kind: "run";
  readonly name: string;
  readonly session: "new" | "resume" | "continue" | "copy";
  /** Which of the sessions there are, modulo their number. */
  readonly choice: number;
  readonly wire: KindName;
  readonly format: Format;
  readonly prompt: string;
  readonly rounds: readonly Round[];
  readonly trajectory: boolean;
  readonly maxSteps: number;
  readonly blow?: Blow;
  readonly trouble?: Trouble;
  /** Nothing goes wrong, so nothing may come out wrong. */
  readonly healthy: boolean;
}

/** A second program wants the session that a first one is busy with. */
export interface RivalStep {
  readonly kind: "rival";
  readonly name: string;
  readonly wire: KindName;
  readonly choice: number;
  /** How the first one ends. */
  readonly end: Signal | "answer";
}

export type Typed =
  | { readonly do: "ask"; readonly prompt: string; readonly rounds: readonly Round[] }
  /** Asked, never answered, and stopped by this key. */
  | { readonly do: "stop"; readonly prompt: string; readonly key: "C-c" | "Escape"; readonly rounds: readonly Round[] }
  | { readonly do: "command"; readonly line: string };

/** A person at a terminal. */
export interface TerminalStep {
  readonly kind: "terminal";
  readonly name: string;
  readonly session: "new" | "resume";
  readonly choice: number;
  readonly typed: readonly Typed[];
  readonly leave: "C-d" | Signal | "closed";
}

/** Commands that look at what is stored, or tidy it. */
export interface LookStep {
  readonly kind: "look";
  readonly name: string;
  readonly choice: number;
}

export type Step = RunStep | RivalStep | TerminalStep | LookStep;

export interface Setting {
  readonly sandbox: "enforce" | "off";
  /** The whole bed on a small file system of its own. */
  readonly smallDisk: boolean;
  /** The workspace is a repository. */
  readonly repository: boolean;
  /** Tokens. */
  readonly window: number;
  readonly key: string;
  readonly serverKey: string;
  /** Manners of the MCP servers, see tests/support/mcp/odd_server.ts. */
  readonly servers: readonly string[];
}

export interface Episode {
  readonly number: number;
  readonly setting: Setting;
  readonly steps: readonly Step[];
}

const MANNERS = [
  ...["good", "dies at start", "floods", "grumbles", "stubborn", "never answers", "dies in the first call"],
  ...["never answers a call", "huge", "beyond all bounds", "banner", "slow", "changes", "odd names"],
];

const FORMATS: readonly Format[] = ["text", "print", "json", "stream-json", "stream-json", "events-jsonl", "totals"];

const STEPS = 14;

export function makeEpisode(seed: number, number: number): Episode {
  const dice = new Dice((Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b)) >>> 0);
  const setting: Setting = {
    sandbox: dice.chance(0.6) ? "enforce" : "off",
    smallDisk: dice.chance(0.6),
    repository: dice.chance(0.5),
    window: dice.pick([64_000, 200_000]),
    key: makeKey(dice),
    serverKey: makeKey(dice),
    servers: dice.chance(0.5) ? dice.list(1, 2, () => dice.pick(MANNERS)) : [],
  };
  const steps = Array.from({ length: STEPS }, (_, at) => {
    const name = `e${number}s${at + 1}`;
    // The first step makes a session, the last tells whether one can still go on.
    if (at === 0) return makeRun(dice, { name, setting, kind: "healthy" });
    if (at === STEPS - 1) return { ...makeRun(dice, { name, setting, kind: "healthy" }), session: "continue" as const };
    const kind = dice.weighted({ healthy: 3, wild: 12, rival: 1.5, terminal: 2.5, look: 1.5 });
    switch (kind) {
      case "healthy":
      case "wild":
        return makeRun(dice, { name, setting, kind });
      case "rival":
        return {
          kind,
          name,
          wire: dice.pick(KINDS),
          choice: dice.between(0, 1000),
          end: dice.pick(["answer", "SIGINT", "SIGTERM", "SIGKILL"] as const),
        };
      case "terminal":
        return makeTerminal(dice, name, setting);
      case "look":
        return { kind, name, choice: dice.between(0, 1000) };
    }
  });
  return { number, setting, steps };
}

interface RunOrder {
  readonly name: string;
  readonly setting: Setting;
  readonly kind: "healthy" | "wild";
}

function makeRun(dice: Dice, { name, setting, kind }: RunOrder): RunStep {
  const healthy = kind === "healthy";
  const trouble = healthy ? undefined : makeTrouble(dice, setting);
  // A program whose reader waits may wait for it; then it has to be ended.
  const blown = !healthy && (dice.chance(0.55) || (trouble?.kind === "reader" && trouble.how === "waits"));
  // A reader that stops is felt only when much is said.
  const loud = trouble?.kind === "reader";
  const rounds = new Rounds(dice, { name, setting, healthy, hangs: blown && dice.chance(0.5), loud });
  const blow = blown ? makeBlow(dice, { hangsAt: rounds.hangsAt, trouble }) : undefined;
  return {
    kind: "run",
    name,
    session: dice.pick(["new", "resume", "resume", "continue", "copy"]),
    choice: dice.between(0, 1000),
    wire: dice.chance(0.6) ? "openai" : dice.pick(KINDS),
    format: loud ? "stream-json" : dice.pick(FORMATS),
    prompt: makePrompt(dice, name),
    rounds: rounds.list,
    trajectory: dice.chance(0.3),
    maxSteps: !healthy && dice.chance(0.1) ? 1 : 0,
    ...(blow ? { blow } : {}),
    ...(trouble ? { trouble } : {}),
    healthy,
  };
}

function makePrompt(dice: Dice, name: string): string {
  const ask = `ask-${name} do the work`;
  switch (dice.weighted({ plain: 5, marked: 1, many_lines: 1, long: 1, odd: 1 })) {
    case "plain":
      return ask;
    case "marked":
      return `[[keep]] ${ask}`;
    case "many_lines":
      return `${ask}\n${"one more line of it\n".repeat(dice.between(1, 400))}`;
    case "long":
      return `${ask} ${"word ".repeat(dice.between(1_000, 8_000))}`;
    case "odd":
      return `${ask} größer \u4f60\u597d 🎉 \u2028 "quoted" \\ back\u0007slash <tag> $HOME \`x\``;
  }
}

function makeMoment(dice: Dice, ofs: readonly Moment["of"][]): Moment {
  const of = dice.pick(ofs);
  const count = of === "start" ? 1 : dice.between(1, of === "request" ? 4 : 12);
  return { of, count, ms: dice.between(0, of === "start" ? 1_200 : 500) };
}

function makeBlow(
  dice: Dice,
  plan: { readonly hangsAt?: number | undefined; readonly trouble?: Trouble | undefined },
): Blow {
  const { hangsAt, trouble } = plan;
  const signal = dice.weighted({ SIGKILL: 4, SIGINT: 3, SIGTERM: 3, SIGHUP: 2 });
  if (trouble?.kind === "reader") {
    return { at: { of: "line", count: trouble.stopsAfter, ms: dice.between(500, 4_000) }, signal };
  }
  // What hangs has to be hanging, or the blow might miss it.
  const at = hangsAt === undefined
    ? makeMoment(dice, ["start", "request", "line"])
    : { of: "request" as const, count: hangsAt, ms: dice.between(100, 1_500) };
  return { at, signal, ...(signal !== "SIGKILL" && dice.chance(0.25) ? { again: dice.between(1, 900) } : {}) };
}

function makeTrouble(dice: Dice, setting: Setting): Trouble | undefined {
  switch (
    dice.weighted({ none: 6, full_disk: setting.smallDisk ? 2 : 0, read_only: 0.7, clock: 1, dates: 0.7, reader: 1 })
  ) {
    case "none":
      return undefined;
    case "full_disk":
      return {
        kind: "full_disk",
        at: makeMoment(dice, ["start", "request", "line"]),
        leaves: dice.pick([0, 0, 4_096, 40_000, 400_000]),
      };
    case "read_only":
      return { kind: "read_only", place: dice.pick(["home", "state", "ws"]) };
    case "clock":
      return {
        kind: "clock",
        at: makeMoment(dice, ["request", "line"]),
        seconds: dice.pick([-86_400, -3_600, 3_600, 40 * 86_400, 400 * 86_400]),
      };
    case "dates":
      return { kind: "dates", days: dice.pick([-4_000, -30, 1, 400, 4_000]) };
    case "reader":
      return { kind: "reader", how: dice.pick(["waits", "leaves"]), stopsAfter: dice.between(1, 12) };
  }
}

function makeTerminal(dice: Dice, name: string, setting: Setting): TerminalStep {
  const typed: Typed[] = [];
  const ask = () => {
    const own = `${name}t${typed.length + 1}`;
    typed.push({
      do: "ask",
      prompt: `ask-${own} at the terminal`,
      rounds: new Rounds(dice, { name: own, setting, healthy: true, hangs: false }).list,
    });
  };
  ask();
  for (const _ of dice.list(1, 4, () => 0)) {
    switch (dice.weighted({ ask: 2, stop: 1, rewind: 2, branch: 1, compact: 1, new: 0.5, undo: 0.5 })) {
      case "ask":
        ask();
        break;
      case "stop": {
        const own = `${name}t${typed.length + 1}`;
        const rounds = new Rounds(dice, { name: own, setting, healthy: false, hangs: true });
        typed.push({
          do: "stop",
          prompt: `ask-${own} to be stopped`,
          key: dice.pick(["C-c", "Escape"]),
          rounds: rounds.list,
        });
        break;
      }
      case "rewind":
        typed.push({ do: "command", line: `/rewind 1 ${dice.pick(["both", "conversation", "code"])} --yes` });
        ask();
        break;
      case "undo":
        typed.push({ do: "command", line: "/rewind 1 conversation --yes" }, { do: "command", line: "/rewind undo" });
        break;
      case "branch":
        typed.push({ do: "command", line: dice.chance(0.5) ? "/branch" : "/rewind 1 fork" });
        ask();
        break;
      case "compact":
        typed.push({ do: "command", line: dice.pick(["/compact", "/rewind 1 after", "/compact the plan"]) });
        ask();
        break;
      case "new":
        typed.push({ do: "command", line: "/new" });
        ask();
        break;
    }
  }
  return {
    kind: "terminal",
    name,
    session: dice.chance(0.7) ? "resume" : "new",
    choice: dice.between(0, 1000),
    typed,
    leave: dice.pick(["C-d", "C-d", "SIGTERM", "SIGHUP", "SIGKILL", "closed"]),
  };
}
