/** Holds each step against the invariants: knows what was acknowledged so far, and counts what it looks at. */
import * as checks from "./checks.ts";
import type { Served } from "./endpoint.ts";
import { endAll, leftOf } from "./processes.ts";
import { FILES } from "./rounds.ts";
import type { Ending } from "./started.ts";
import type { Tally } from "./tally.ts";
import { filesBelow, type World } from "./world.ts";

/** Control comes back within this time of a signal. */
const CONTROL_MS = 5_000;
/** How long after the end of a program its processes may take to go. */
const GRACE_MS = 3_000;
/** A killed program leaves at most so many files that stand for something under way. */
const LEFT_BY_A_KILL = 8;

export interface Facts {
  readonly step: string;
  readonly ending: Ending;
  readonly served: Served;
  /** The last signal it was sent, if any. */
  readonly blow?: string;
  /** From the first signal to the end; milliseconds, without what this machine itself was late. */
  readonly tookMs?: number;
  /** The output is lines of JSON. */
  readonly machine?: "events" | "lines";
  /** The reader of the output went away. */
  readonly readerLeft: boolean;
  /** The conversation it was to go on with. */
  readonly session?: string;
  readonly copy?: boolean;
  readonly trajectory?: string;
}

export class Referee {
  readonly #world: World;
  readonly #tally: Tally;
  readonly #episode: number;
  readonly #asks = new Set<string>();
  readonly #replies = new Set<string>();
  readonly prefixes = new checks.Prefixes();
  #leftovers = new Set<string>();
  kills = 0;

  constructor(world: World, tally: Tally, episode: number) {
    this.#world = world;
    this.#tally = tally;
    this.#episode = episode;
  }

  /** One check, and what it found. */
  judge(step: string, check: string, problems: readonly string[]): void {
    this.#tally.checks.add(check);
    for (const text of problems) this.#tally.violations.push({ episode: this.#episode, step, check, text });
  }

  stored(): checks.Stored[] {
    return checks.readStored(this.#world.sessions);
  }

  /** After a headless run. */
  async run(facts: Facts): Promise<void> {
    const { step, ending, served, blow } = facts;
    const killed = ending.signal !== null;
    if (ending.late) this.judge(step, "control comes back", ["it did not end and had to be killed"]);
    // A file that is asked for and cannot be written is a wrong call.
    const mayRefuse = facts.trajectory !== undefined && /--trajectory cannot write/.test(ending.err + ending.out);
    this.judge(step, "exit code", mayRefuse && ending.code === 2 ? [] : checks.oddExit(ending, blow));
    if (facts.tookMs !== undefined) this.control(step, facts.tookMs, blow!);
    this.judge(step, "no defect shows", checks.defects(`${ending.err}\n${ending.out}`));
    if (facts.machine) {
      this.judge(step, "output lines", checks.brokenOutput(ending.out, { mayBeTorn: killed || facts.readerLeft }));
      const told = checks.toldReplies(ending.out);
      for (const word of told) this.#replies.add(word);
    }
    if (facts.machine === "events") {
      this.judge(step, "nothing acknowledged is lost", checks.lostResults(ending.out, this.stored()));
      this.judge(step, "order of events", checks.oddEvents(ending.out, { ended: !killed && !facts.readerLeft }));
    } else if (ending.code === 0 && !facts.readerLeft) {
      for (const word of checks.wordsIn(ending.out)) {
        if (word.startsWith("reply-")) this.#replies.add(word);
      }
    }
    if (facts.trajectory !== undefined) {
      const text = await Deno.readTextFile(facts.trajectory).catch(() => "");
      this.judge(step, "output lines", checks.brokenOutput(text, { mayBeTorn: killed }));
      for (const word of checks.toldReplies(text)) this.#replies.add(word);
    }
    this.requests(step, served);
    const session = this.stored().findLast(({ messages }) =>
      messages.some((one) => one.role === "user" && JSON.stringify(one).includes(`ask-${step} `))
    );
    if (facts.copy && session && facts.session) this.prefixes.copy(facts.session, session.id);
    this.judge(step, "requests only grow", this.prefixes.follow(session?.id ?? facts.session, served.seen));
    await this.everything(step, {
      texts: [{ where: "stdout", text: ending.out }, { where: "stderr", text: ending.err }],
      killed,
      served,
    });
  }

  control(step: string, tookMs: number, blow: string): void {
    this.judge(step, "control comes back", tookMs > CONTROL_MS ? [`${Math.round(tookMs)} ms after ${blow}`] : []);
  }

  requests(step: string, served: Served): void {
    this.judge(step, "valid requests", checks.invalidRequests(served.seen));
    for (const { body } of served.seen) {
      for (const word of checks.wordsIn(JSON.stringify(body))) {
        if (word.startsWith("ask-")) this.#asks.add(word);
      }
    }
  }

  /** What holds after a step of any kind. `killed`: by a signal it did not hear. */
  async everything(
    step: string,
    facts: {
      readonly texts: readonly { readonly where: string; readonly text: string }[];
      readonly killed: boolean;
      readonly served?: Served;
      /** What may outlive a program that is killed without walls of a process namespace. */
      readonly mayLeave?: boolean;
    },
  ): Promise<void> {
    const { killed, served } = facts;
    if (killed) this.kills++;
    const stored = this.stored();
    this.judge(
      step,
      "nothing acknowledged is lost",
      checks.lostWords({ asks: this.#asks, replies: this.#replies }, stored),
    );
    this.judge(step, "session lines", checks.brokenLines(stored, { mayBeTorn: this.kills > 0 }));
    await this.#processes(step, killed);
    this.#secrets(step, [
      ...facts.texts,
      ...(served?.seen ?? []).map(({ head, text }, at) => ({
        where: `request ${at + 1}`,
        text: checks.withoutKeyLine(head) + text,
      })),
    ]);
    this.#files(step, killed);
    const logs = filesBelow(this.#world.state).filter((path) => /\.(?:jsonl|ndjson)$/.test(path))
      .map((path) => ({ path, text: new TextDecoder().decode(readOrNothing(path)) }));
    this.judge(step, "log lines", checks.brokenLogs(logs, this.kills));
    this.judge(
      step,
      "no stray requests",
      this.#world.endpoint.strays.splice(0).map((line) => `a stray request: ${line}`),
    );
  }

  async #processes(step: string, killed: boolean): Promise<void> {
    const left = await leftOf(step, GRACE_MS);
    endAll(left);
    // Nobody is there to end them, unless the kernel does it because walls stand around them.
    if (killed && this.#world.setting.sandbox === "off") {
      if (left.length > 0) this.#tally.skipped.add("processes of a killed program without walls", left.length);
      return;
    }
    this.judge(
      step,
      "no process is left",
      left.map(({ pid, parent, command }) => `process ${pid} of ${parent} is left: ${command}`),
    );
  }

  #secrets(step: string, texts: readonly { readonly where: string; readonly text: string }[]): void {
    const { bed, setting } = this.#world;
    const decoder = new TextDecoder("latin1");
    const files = filesBelow(bed.base)
      // Where the keys are meant to be.
      .filter((path) => path !== `${bed.home}/.env` && path !== `${bed.home}/config.toml`)
      .map((path) => ({ where: path, text: decoder.decode(readOrNothing(path)) }));
    this.judge(step, "no key shows", checks.shownSecrets([setting.key, setting.serverKey], [...files, ...texts]));
  }

  #files(step: string, killed: boolean): void {
    const { bed } = this.#world;
    const written = FILES.map((name) => `${bed.workspace}/${name}`).flatMap((path) => {
      const bytes = readOrNothing(path);
      return bytes.length === 0 && !exists(path) ? [] : [{ path, text: new TextDecoder().decode(bytes) }];
    });
    this.judge(step, "files are whole", checks.tornFiles(written));
    const now = new Set(checks.leftovers(this.#paths()));
    const fresh = [...now].filter((path) => !this.#leftovers.has(path));
    if (!killed) this.judge(step, "nothing is left lying", fresh.map((path) => `${path} is left`));
    else if (fresh.length > LEFT_BY_A_KILL) {
      this.judge(step, "nothing is left lying", [`${fresh.length} files are left: ${fresh.join(", ")}`]);
    }
    this.#leftovers = now;
  }

  /** At the end of an episode: what kills left has been tidied by the programs after them. */
  end(step: string): void {
    const left = checks.leftovers(this.#paths()).filter((path) => !path.startsWith("tmp/"));
    this.judge(
      step,
      "kills are tidied up",
      left.filter((path) => !/\.(?:lock|lease\.json)$/.test(path)).map((path) => `${path} is left`),
    );
  }

  #paths(): string[] {
    const { base } = this.#world.bed;
    const below = (folder: string): string[] => {
      try {
        return [...Deno.readDirSync(`${base}/${folder}`)].map(({ name }) => `${folder}/${name}`);
      } catch {
        return [];
      }
    };
    // Of the temporary folder only the entries themselves: what lies in a session's own is its own.
    const deep = ["home", "state", "ws"].flatMap((folder) => filesBelow(`${base}/${folder}`)).map((path) =>
      path.slice(base.length + 1)
    );
    return [...deep, ...below("tmp")];
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function readOrNothing(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}
