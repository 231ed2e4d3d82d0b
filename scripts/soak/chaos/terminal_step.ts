/** A person at a real terminal: asks, stops, goes back, branches, folds, and leaves in one of many ways. */
import { Pane } from "../../../tests/support/tmux.ts";
import type { Round } from "./rounds.ts";
import { moment, pause, Stopwatch, within } from "./moments.ts";
import type { TerminalStep, Typed } from "./plan.ts";
import { leftOf, livingOf } from "./processes.ts";
import type { Stage } from "./run_steps.ts";

/** The model is asked by then, whatever commands run before. */
const ASKED_MS = 45_000;
const READY = /· ready/;
const WORKS = /· Esc stops/;
const CODES: Readonly<Record<string, number>> = { "C-d": 0, SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: 137 };

export async function terminalStep(stage: Stage, step: TerminalStep): Promise<void> {
  const { world, referee, tally } = stage;
  const { name } = step;
  if (!world.means.terminal) return tally.skipped.add("terminal (tmux)");
  world.configure(name);
  // The question about working without questions has been answered.
  Deno.writeTextFileSync(`${world.state}/yolo-accepted`, "", { mode: 0o600 });
  const served = world.endpoint.serve(name, []);
  const sessions = referee.stored().map(({ id }) => id);
  const session = step.session === "resume" ? sessions[step.choice % sessions.length] : undefined;
  const env = world.bed.env(world.env(name));
  let killed = false;
  let text = "";
  /** Where in the requests another conversation, or a shortened one, begins. */
  const cuts = [0];
  {
    await using pane = await Pane.open({ columns: 100, rows: 30, cwd: world.bed.workspace, env });
    try {
      const resume = session === undefined ? "" : ` --resume ${session}`;
      await pane.line(`${Pane.program(`--yolo --model openai${resume}`)}; echo CODE=$?`);
      await pane.shows(READY);
      for (const typed of step.typed) {
        if (typed.do === "command") {
          await say(pane, typed.line);
          await pause(700);
          await pane.shows(READY);
          await clear(pane);
          cuts.push(served.conversation.length);
          continue;
        }
        served.next(roundsOf(typed));
        const expected = served.conversation.length + roundsOf(typed).length;
        await say(pane, typed.prompt);
        if (typed.do === "stop") await stop(stage, { pane, typed, expected, name, served });
        else {
          await within(served.request(expected), ASKED_MS, `request ${expected}`);
          await said(pane, `reply-${/ask-(\S+)/.exec(typed.prompt)![1]}r${roundsOf(typed).length}`);
          await pane.shows(READY);
        }
      }
      if (step.leave === "closed") tally.faults.add("terminal closed");
      else {
        const watch = new Stopwatch();
        await leave(step.leave, pane, name);
        if (step.leave.startsWith("SIG")) tally.faults.add(step.leave);
        killed = step.leave === "SIGKILL";
        const shown = await pane.shows(/CODE=\d+/, 15_000);
        const took = watch.stop();
        if (!killed) referee.control(name, took, step.leave);
        const code = Number(/CODE=(\d+)/.exec(shown)![1]);
        referee.judge(name, "exit code", code === CODES[step.leave] ? [] : [`${code} after ${step.leave}`]);
      }
      text = await pane.everything();
    } catch (error) {
      text = await pane.everything().catch(() => "");
      const living = livingOf(name).map(({ pid, parent, command }) => `${pid} of ${parent}: ${command}`);
      const said = error instanceof Error ? error.message : String(error);
      referee.judge(name, "the terminal goes on", [[said, ...living, await pane.screen().catch(() => "")].join("\n")]);
    }
  }
  await leftOf(name, 5_000);
  referee.requests(name, served);
  if (session) referee.prefixes.forget(session);
  cuts.push(served.conversation.length);
  for (let at = 1; at < cuts.length; at++) {
    const part = served.conversation.slice(cuts[at - 1], cuts[at]);
    referee.judge(name, "requests only grow", referee.prefixes.follow(undefined, part));
  }
  await referee.everything(name, { texts: [{ where: "the screen", text }], killed, served });
}

const roundsOf = (typed: Exclude<Typed, { do: "command" }>): readonly Round[] =>
  typed.do === "stop" ? typed.rounds.filter(({ hangs }) => hangs) : typed.rounds;

/**
 * Types a line and then, when the composer holds it, Enter: on a slow machine an Enter that follows at once is part of a
 * paste. The same words may stand further up.
 */
async function say(pane: Pane, line: string): Promise<void> {
  await pane.type(line);
  await pane.shows(new RegExp(`^──.*\\n *${RegExp.escape(line)} *\\n──`, "m"));
  await pause(300);
  await pane.key("Enter");
}

/** Waits for words that may have gone into the scrollback already. */
async function said(pane: Pane, words: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if ((await pane.everything()).includes(words)) return;
    await pause(200);
  }
  throw new Error(`the terminal never showed ${words}:\n${await pane.screen()}`);
}

/** Closes a panel, and empties the composer, where words may be again. Keys close to each other would be one. */
async function clear(pane: Pane): Promise<void> {
  for (let times = 0; times < 2; times++) {
    await pane.key("Escape");
    await pause(800);
  }
}

interface Stopping {
  readonly pane: Pane;
  readonly typed: Extract<Typed, { do: "stop" }>;
  readonly expected: number;
  readonly name: string;
  readonly served: Parameters<typeof moment>[2];
}

async function stop({ referee, tally }: Stage, { pane, typed, expected, name, served }: Stopping): Promise<void> {
  await within(served.request(expected), ASKED_MS, `request ${expected}`);
  await pause(900);
  // What has ended by itself is not stopped.
  await pane.shows(WORKS, 5_000);
  tally.faults.add(`stopped by ${typed.key}`);
  const watch = new Stopwatch();
  await pane.key(typed.key);
  await pane.shows(READY, 15_000);
  referee.control(name, watch.stop(), typed.key);
  await clear(pane);
}

async function leave(how: Exclude<TerminalStep["leave"], "closed">, pane: Pane, name: string): Promise<void> {
  if (how === "C-d") {
    await pane.key("C-d");
    await pause(700);
    // Where work goes on in the background the key is asked for twice.
    if (!/CODE=\d/.test(await pane.screen())) await pane.key("C-d");
    return;
  }
  const program = livingOf(name).find(({ command }) =>
    / --yolo --model openai/.test(command) && !/^(?:sh|tmux)/.test(command)
  );
  if (program === undefined) throw new Error("the program is not there any more");
  Deno.kill(program.pid, how);
}
