/** Steps without a terminal: one headless run, two that want one session, and commands that look at what is stored. */
import * as checks from "./checks.ts";
import type { Served } from "./endpoint.ts";
import { moment, pause, Stopwatch } from "./moments.ts";
import type { Blow, Format, LookStep, RivalStep, RunStep, Trouble } from "./plan.ts";
import type { Referee } from "./referee.ts";
import { type Ending, Started, type StartOptions } from "./started.ts";
import type { Tally } from "./tally.ts";
import type { World } from "./world.ts";

export interface Stage {
  readonly world: World;
  readonly referee: Referee;
  readonly tally: Tally;
}

const FORMS: Readonly<Record<Format, readonly string[]>> = {
  text: [],
  print: ["--print"],
  json: ["--output-format", "json"],
  "stream-json": ["--output-format", "stream-json"],
  "events-jsonl": ["--events-jsonl"],
  totals: ["--json"],
};

export async function runStep(stage: Stage, step: RunStep): Promise<void> {
  const { world, referee, tally } = stage;
  const { name, format } = step;
  world.configure(name);
  const served = world.endpoint.serve(name, step.rounds);
  const sessions = referee.stored().map(({ id }) => id);
  const session = step.session === "new" ? undefined : sessions[step.choice % sessions.length];
  const trouble = possible(step.trouble, stage);
  const trajectory = step.trajectory ? `${world.bed.base}/${name}.trajectory.jsonl` : undefined;
  const args = [
    ...["run", "--yolo", "--model", step.wire, ...FORMS[format]],
    ...(session === undefined ? [] : step.session === "continue" ? ["--continue"] : ["--resume", session]),
    ...(session !== undefined && step.session === "copy" ? ["--copy"] : []),
    ...(trajectory === undefined ? [] : ["--trajectory", trajectory]),
    ...(step.maxSteps > 0 ? ["--max-steps", String(step.maxSteps)] : []),
    step.prompt,
  ];
  const calm = begin(trouble, stage);
  const started = new Started(world, name, args, calm.options);
  const ending = await watched(started, served, { blow: step.blow, trouble: calm, tally });
  calm.end();
  for (const fault of served.faults) tally.faults.add(fault);
  const readerLeft = trouble?.kind === "reader";
  await referee.run({
    step: name,
    ending,
    served,
    ...(ending.tookMs === undefined ? {} : { tookMs: ending.tookMs }),
    ...(ending.blow === undefined ? {} : { blow: ending.blow }),
    ...(format === "stream-json"
      ? { machine: "events" }
      : format === "text" || format === "print"
      ? {}
      : { machine: "lines" }),
    readerLeft,
    ...(session === undefined || step.session === "continue" ? {} : { session }),
    copy: step.session === "copy",
    ...(trajectory === undefined ? {} : { trajectory }),
  });
  if (step.healthy) {
    referee.judge(name, "a healthy run is healthy", [
      ...(ending.code === 0
        ? []
        : [`it ended with ${ending.signal ?? ending.code}: ${ending.err || ending.out.slice(-600)}`]),
      ...(served.conversation.length >= step.rounds.length ? [] : ["the model was not asked to the end"]),
    ]);
  }
}

/** What of the troubles this machine can have. */
function possible(trouble: Trouble | undefined, { world: { means, setting }, tally }: Stage): Trouble | undefined {
  if (trouble === undefined) return undefined;
  const missing = trouble.kind === "clock"
    ? means.clock === undefined && "clock jumps (libfaketime)"
    : trouble.kind === "full_disk"
    ? !(means.mounts && setting.smallDisk) && "full disk (mounts)"
    : trouble.kind === "read_only" && !means.mounts && "read-only folders (mounts)";
  if (missing) {
    tally.skipped.add(missing);
    return undefined;
  }
  tally.faults.add(
    trouble.kind === "read_only"
      ? `read-only ${trouble.place}`
      : trouble.kind === "reader"
      ? `reader ${trouble.how}`
      : trouble.kind,
  );
  return trouble;
}

interface Calm {
  readonly options: StartOptions;
  /** Makes the trouble, when its moment comes. */
  readonly strike?: { readonly at: Extract<Trouble, { kind: "full_disk" | "clock" }>["at"]; now(): void };
  /** All is as it was. */
  end(): void;
}

function begin(trouble: Trouble | undefined, { world }: Stage): Calm {
  const nothing = () => {};
  switch (trouble?.kind) {
    case undefined:
      return { options: {}, end: nothing };
    case "dates":
      world.shiftDates(trouble.days);
      return { options: {}, end: nothing };
    case "read_only":
      return { options: {}, end: world.readOnly(trouble.place) };
    case "reader":
      return { options: { reader: trouble }, end: nothing };
    case "clock": {
      const clock = world.ownClock();
      return {
        options: { env: clock.env },
        strike: { at: trouble.at, now: () => clock.jump(trouble.seconds) },
        end: nothing,
      };
    }
    case "full_disk":
      return {
        options: {},
        strike: { at: trouble.at, now: () => world.fillDisk(trouble.leaves) },
        end: () => world.freeDisk(),
      };
  }
}

interface Watched extends Ending {
  /** The last signal that was sent. */
  readonly blow?: string;
  readonly tookMs?: number;
}

/** Waits for the end, and does on the way what the plan says. */
async function watched(
  started: Started,
  served: Served,
  how: { readonly blow?: Blow | undefined; readonly trouble?: Calm; readonly tally: Tally },
): Promise<Watched> {
  const { blow, trouble, tally } = how;
  let over = false;
  const ended = started.ended.finally(() => over = true);
  const unless = (work: Promise<void>, act: () => void) => void work.then(() => over || act());
  if (trouble?.strike) unless(moment(trouble.strike.at, started, served), trouble.strike.now);
  let watch: Stopwatch | undefined;
  if (blow) {
    unless(moment(blow.at, started, served), () => {
      tally.faults.add(blow.signal);
      watch = new Stopwatch();
      started.kill(blow.signal);
      if (blow.again !== undefined) {
        unless(pause(blow.again), () => {
          tally.faults.add(`${blow.signal} twice`);
          started.kill(blow.signal);
        });
      }
    });
  }
  const ending = await ended;
  const took = watch?.stop();
  return {
    ...ending,
    ...(watch === undefined ? {} : { blow: blow!.signal }),
    ...(took === undefined || blow!.signal === "SIGKILL" ? {} : { tookMs: took }),
  };
}

const quiet = { faults: [], reasoning: "", sameIds: false, hangs: false } as const;

export async function rivalStep(stage: Stage, step: RivalStep): Promise<void> {
  const { world, referee, tally } = stage;
  const { name, wire, end } = step;
  world.configure(name);
  const served = world.endpoint.serve(name, [
    { ...quiet, text: "", calls: [{ name: "bash", args: { command: end === "answer" ? "sleep 4" : "sleep 60" } }] },
    { ...quiet, text: `reply-${name}r2 by the first`, calls: [] },
  ]);
  const sessions = referee.stored().map(({ id }) => id);
  const session = sessions[step.choice % sessions.length];
  if (session === undefined) return;
  const begun = ["run", "--yolo", "--model", wire, "--output-format", "stream-json", "--resume", session];
  const first = new Started(world, name, [...begun, `ask-${name} first`]);
  await Promise.race([served.request(1).then(() => pause(300)), first.ended]);
  tally.faults.add("two programs on one session");
  const second = await new Started(world, name, [...begun, `ask-${name} second`]).ended;
  const result = second.out.split("\n").map(checks.toJson).findLast((record) => record?.type === "result");
  referee.judge(name, "one writer", [
    ...(second.code === 1 && result?.code === "session.locked"
      ? []
      : [`the second ended with ${second.code}, ${result?.code}`]),
    ...(served.conversation.length === 1 ? [] : [`${served.conversation.length} requests came`]),
  ]);
  if (end !== "answer") {
    tally.faults.add(end);
    first.kill(end);
  }
  const watch = new Stopwatch();
  const ending = await first.ended;
  const took = watch.stop();
  await referee.run({
    step: name,
    ending,
    served,
    ...(end === "answer" || end === "SIGKILL" ? {} : { tookMs: took }),
    ...(end === "answer" ? {} : { blow: end }),
    machine: "events",
    readerLeft: false,
    session,
  });
}

/** Commands about what is stored; `ID` is one of the sessions. */
const LOOKS: readonly (readonly string[])[] = [
  ["session", "list", "--json"],
  ["session", "show", "ID", "--json"],
  ["session", "status", "ID", "--json"],
  ["session", "recovery", "--json"],
  ["sessions", "diagnose", "--json"],
  ["sessions", "reindex", "--json"],
  ["sessions", "cleanup", "--json"],
  ["cache", "ID", "--json"],
  ["doctor", "--offline", "--json"],
  ["config", "show", "--json"],
  ["mcp", "list", "--json"],
  ["report", "list"],
];

export async function lookStep(stage: Stage, { name, choice }: LookStep): Promise<void> {
  const { world, referee } = stage;
  world.configure(name);
  const ids = referee.stored().map(({ id }) => id);
  const id = ids[choice % ids.length] ?? "none";
  const texts: { where: string; text: string }[] = [];
  const start = choice % LOOKS.length;
  for (const look of [...LOOKS, ...LOOKS].slice(start, start + 4)) {
    const line = look.join(" ");
    const { code, signal, out, err } = await new Started(world, name, look.map((word) => word === "ID" ? id : word))
      .ended;
    const wrong = code !== 0 || (look.includes("--json") && checks.toJson(out) === undefined);
    referee.judge(
      name,
      "what is stored can be looked at",
      wrong ? [`${line}: ${signal ?? code} ${err} ${out.slice(0, 300)}`] : [],
    );
    referee.judge(name, "no defect shows", checks.defects(err));
    texts.push({ where: line, text: out + err });
  }
  await referee.everything(name, { texts, killed: false });
}
