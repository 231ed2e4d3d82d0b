/** What the model does in a turn: its words, its calls, and what goes wrong on the wire before each answer. */
import type { Dice } from "../../../tests/support/random.ts";
import { HEALTHY_IN_THE_END, WIRE_FAULTS, type WireFault } from "./wire_faults.ts";

export interface ModelCall {
  readonly name: string;
  /** Text is sent as it is, whether JSON or not. */
  readonly args: Readonly<Record<string, unknown>> | string;
}

export interface Round {
  /** One for each request that goes wrong before the answer is given. */
  readonly faults: readonly WireFault[];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ModelCall[];
  /** All calls have one id. */
  readonly sameIds: boolean;
  /** The answer never comes, or a call of it never ends. */
  readonly hangs: boolean;
}

export interface RoundsOrder {
  /** Of the step; part of every word that is looked for later. */
  readonly name: string;
  readonly setting: { readonly sandbox: "enforce" | "off"; readonly servers: readonly string[] };
  readonly healthy: boolean;
  readonly hangs: boolean;
  /** It begins with much output. */
  readonly loud?: boolean;
}

/** Files the model writes. Each holds one whole version at any time, see `wholeFile`. */
export const FILES = ["a.txt", "b.txt", "deep/er/c.txt"];

export class Rounds {
  readonly list: readonly Round[];
  /** Number of the first request that hangs. */
  readonly hangsAt: number | undefined;
  readonly #dice: Dice;
  readonly #order: RoundsOrder;
  #calls = 0;

  constructor(dice: Dice, order: RoundsOrder) {
    this.#dice = dice;
    this.#order = order;
    const rounds: Round[] = [];
    const working = dice.between(0, order.healthy ? 3 : 4);
    let requests = 0;
    if (order.loud) {
      const calls = LOUD.map((command) => ({ name: "bash", args: { command, timeout_seconds: 5 } }));
      rounds.push({ faults: [], text: this.#words(1), reasoning: "", calls, sameIds: false, hangs: false });
      requests++;
    }
    for (let at = 1; at <= working; at++) {
      const faults = this.#faults();
      requests += faults.filter((fault) => !HEALTHY_IN_THE_END.includes(fault)).length + 1;
      rounds.push({
        faults,
        text: dice.chance(0.5) ? this.#words(rounds.length + 1) : "",
        reasoning: dice.chance(0.3) ? `thinking about ${order.name} ${at}` : "",
        calls: dice.list(1, 3, () => this.#call(at)),
        sameIds: !order.healthy && dice.chance(0.1),
        hangs: false,
      });
    }
    if (order.hangs) {
      this.hangsAt = requests + 1;
      const calls = dice.chance(0.7) ? [{ name: "bash", args: { command: this.#hanging() } }] : [];
      rounds.push({ faults: [], text: "", reasoning: "", calls, sameIds: false, hangs: true });
    }
    const faults = this.#faults();
    rounds.push({
      faults,
      text: this.#words(rounds.length + 1),
      reasoning: "",
      calls: [],
      sameIds: false,
      hangs: false,
    });
    this.list = rounds;
  }

  #words(at: number): string {
    const words = `reply-${this.#order.name}r${at}`;
    return this.#dice.chance(0.1) ? `${words}\n\n${"a long story. ".repeat(2_000)}` : `${words} is said.`;
  }

  #faults(): WireFault[] {
    const dice = this.#dice;
    if (this.#order.healthy || dice.chance(0.6)) return [];
    // The largest one costs seconds.
    const faults = dice.list(
      1,
      2,
      () => dice.chance(0.9) ? dice.pick(WIRE_FAULTS.filter((fault) => fault !== "too_large")) : "cut_text",
    )
      .map((fault) => dice.chance(0.01) ? "too_large" : fault);
    // With one of these the answer has been given: the request is not made again, so no fault follows.
    const last = faults.findIndex((fault) => HEALTHY_IN_THE_END.includes(fault));
    return last < 0 ? faults : faults.slice(0, last + 1);
  }

  #call(at: number): ModelCall {
    this.#calls++;
    const dice = this.#dice;
    const { name, healthy, setting } = this.#order;
    const file = dice.pick(FILES);
    const kind = dice.weighted({
      write: 4,
      edit: 2,
      read: 2,
      look: 1,
      bash: 3,
      loud: 1,
      daemon: 1.5,
      job: 1.5,
      todo: 1,
      recall: 1,
      server: setting.servers.length > 0 ? 3 : 0,
      wrong: healthy ? 0 : 1,
      compress: healthy ? 0 : 0.5,
    });
    switch (kind) {
      case "write":
        return {
          name: "write_file",
          args: { path: file, content: wholeFile(`${name}r${at}`, dice.pick([1, 20, 3_000])) },
        };
      case "edit":
        return { name: "edit_file", args: { path: file, old_string: "middle", new_string: `middle of ${name}` } };
      case "read":
        return { name: "read_file", args: { path: file } };
      case "look":
        return dice.pick<ModelCall>([
          { name: "ls", args: { path: "." } },
          { name: "grep", args: { pattern: "begin" } },
          { name: "glob", args: { pattern: "**/*.txt" } },
        ]);
      case "bash":
        return { name: "bash", args: { command: dice.pick(SHORT), timeout_seconds: 2 } };
      case "loud":
        return { name: "bash", args: { command: dice.pick(LOUD), timeout_seconds: 5 } };
      case "daemon":
        return { name: "bash", args: { command: this.#daemon(), timeout_seconds: 2 } };
      case "job":
        return { name: "bash", args: { command: dice.pick(JOBS), run_in_background: true } };
      case "todo":
        return { name: "todo_write", args: { todos: [{ content: `do ${name}`, status: "in_progress", level: 0 }] } };
      case "recall":
        return dice.pick<ModelCall>([
          { name: "history", args: { operation: "search", query: "ask work" } },
          { name: "memory", args: { operation: "list" } },
          {
            name: "remember",
            args: { description: `number ${this.#calls} of ${name}`, body: `It is ${at}.`, type: "project" },
          },
        ]);
      case "server":
        return { name: `mcp__odd_${dice.between(1, setting.servers.length + 1)}__echo`, args: { text: name } };
      case "wrong":
        return dice.pick<ModelCall>([
          { name: "no_such_tool", args: {} },
          { name: "write_file", args: '{"path":"a.txt","content":"cut of' },
          { name: "write_file", args: { path: "/etc/chaos-was-here", content: "no" } },
          { name: "read_file", args: { path: "../home/.env" } },
          { name: "bash", args: { command: 42 } },
          { name: "bash", args: "[]" },
        ]);
      case "compress":
        return { name: "compress", args: { anchor: `ask-${name}`, direction: "before" } };
    }
  }

  #daemon(): string {
    const { name, setting } = this.#order;
    const dice = this.#dice;
    const quiet = ">/dev/null 2>&1 </dev/null";
    const daemons = [
      `setsid sh -c 'trap "" TERM HUP INT; sleep 600' ${quiet} & echo started`,
      `(setsid sleep 600 ${quiet} &); nohup sleep 600 ${quiet} & exit 0`,
      `sh -c 'sleep 600 & sleep 600 & wait' ${quiet} & disown; echo left`,
      // Without a mark in its environment only a process namespace holds it.
      ...(setting.sandbox === "enforce" ? [`env -i setsid sh -c 'sleep 600; : ${name}' ${quiet} & echo bare`] : []),
    ];
    return dice.pick(daemons);
  }

  #hanging(): string {
    return this.#dice.pick([
      "sleep 600",
      "trap '' TERM INT HUP; while :; do sleep 1; done",
      "sleep 600 | cat | cat",
      "sh -c \"trap '' TERM; sleep 600\" & wait",
      "yes",
      "setsid -w sleep 600",
    ]);
  }
}

const SHORT = [
  "echo hello; echo world >&2",
  "exit 3",
  "kill -9 $$",
  "sleep 1; echo late",
  "trap '' TERM INT HUP; sleep 5",
  "env; pwd; id",
  "printf '\\033[2J\\033]0;title\\007\\0 odd bytes \\377\\376'",
  "rm -f a.txt; echo gone",
  "mkdir -p made/by && echo x > made/by/hand.log",
];

const LOUD = [
  "yes a line of a loud program | head -c 20000000",
  "head -c 3000000 /dev/urandom | base64",
  "head -c 2000000 /dev/zero",
  "seq 1 400000; exit 1",
];

const JOBS = [
  "while :; do echo tick; sleep 0.2; done",
  "trap '' TERM INT HUP; while :; do sleep 1; done",
  "sleep 600",
  "yes in the background",
  "sleep 0.3; echo done",
];

/** A file that shows whether it is whole: its first and its last line name the same version. */
export function wholeFile(version: string, lines: number): string {
  return `begin ${version}\n${"middle\n".repeat(lines)}end ${version}\n`;
}

export function isWholeFile(text: string): boolean {
  const version = /^begin (\S+)\n/.exec(text)?.[1];
  return version !== undefined && text.endsWith(`\nend ${version}\n`);
}
