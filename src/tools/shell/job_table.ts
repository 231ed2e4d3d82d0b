/** The jobs of one session: output in bounded memory, a reading position each, ended together with the session. */
import { ToolError } from "../../contract/errors.ts";
import type { JobReading, Jobs, JobStatus, JobView, JobWork } from "../../contract/jobs.ts";
import { toBytes } from "../../lib/bytes.ts";
import { errorText } from "../../lib/error_text.ts";
import { settledWithin } from "../../lib/waiting.ts";
import { BoundedOutput } from "./bounded_output.ts";

export interface JobTableOptions {
  /** Seconds without output after which a running job counts as quiet; 0 never. */
  readonly stalledWarningSeconds: number;
  /** Jobs of an earlier run of the program; those that ran then are shown as interrupted. */
  readonly earlier?: readonly JobView[];
  /** Called once, before anything of it is heard. */
  onStarted?(job: JobView): void;
  /** Called once, when the last of it has ended, however it ended. */
  onEnded?(job: JobView): void;
}

/** Jobs that may run at once. */
const MOST_RUNNING = 32;

/** Ended jobs whose output can still be read. */
const MOST_ENDED = 50;

interface Job {
  readonly id: string;
  readonly label: string;
  readonly startedAt: number;
  status: JobStatus;
  endedAt?: number;
  lastOutputAt: number;
  output: BoundedOutput;
  /** Where the next reading begins. */
  read: number;
  stop(): Promise<void>;
  readonly ended: Promise<void>;
  readonly watchers: Set<(text: string) => void>;
}

export function createJobs(options: JobTableOptions): Jobs {
  const jobs = new Map<string, Job>();
  const counts = new Map<string, number>();
  const silence = options.stalledWarningSeconds * 1000;
  let closed = false;

  for (const view of options.earlier ?? []) {
    const [, kind, number] = /^(.*)-(\d+)$/.exec(view.id) ?? [];
    if (kind === undefined) continue;
    counts.set(kind, Math.max(counts.get(kind) ?? 0, Number(number)));
    jobs.set(view.id, {
      ...view,
      status: view.status === "running" ? "interrupted" : view.status,
      lastOutputAt: 0,
      output: new BoundedOutput(),
      read: 0,
      stop: () => Promise.resolve(),
      ended: Promise.resolve(),
      watchers: new Set(),
    });
  }

  const isQuiet = (job: Job) => job.status === "running" && silence > 0 && Date.now() - job.lastOutputAt >= silence;

  const viewOf = (job: Job): JobView => ({
    id: job.id,
    label: job.label,
    status: job.status,
    startedAt: job.startedAt,
    ...(job.endedAt === undefined ? {} : { endedAt: job.endedAt }),
    quiet: isQuiet(job),
  });

  const hear = (job: Job, bytes: Uint8Array): void => {
    job.lastOutputAt = Date.now();
    const text = job.output.write(bytes);
    for (const watcher of job.watchers) watcher(text);
  };

  const forgetOldest = (): void => {
    const ended = [...jobs.values()].filter((job) => job.status !== "running");
    for (const job of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) jobs.delete(job.id);
  };

  const follow = async (job: Job, run: JobWork["run"]): Promise<void> => {
    let outcome: JobStatus;
    try {
      outcome = await run({ write: (bytes) => hear(job, bytes) });
    } catch (error) {
      hear(job, toBytes(`error: ${errorText(error)}\n`));
      outcome = "failed";
    }
    const rest = job.output.end();
    if (job.status === "running") job.status = outcome;
    job.endedAt = Date.now();
    for (const watcher of job.watchers) watcher(rest);
    options.onEnded?.(viewOf(job));
    forgetOldest();
  };

  const kill = async (job: Job): Promise<boolean> => {
    if (job.status !== "running") return false;
    job.status = "killed";
    await job.stop();
    await job.ended;
    return true;
  };

  const running = () => [...jobs.values()].filter((job) => job.status === "running");

  return {
    add(work) {
      if (closed) throw new ToolError("the session has ended: nothing is started in the background any more");
      if (running().length >= MOST_RUNNING) {
        throw new ToolError(`${MOST_RUNNING} background jobs are running: stop one with kill_shell first`);
      }
      const number = (counts.get(work.kind) ?? 0) + 1;
      counts.set(work.kind, number);
      const ended = Promise.withResolvers<void>();
      const job: Job = {
        id: `${work.kind}-${number}`,
        label: work.label,
        startedAt: Date.now(),
        status: "running",
        lastOutputAt: Date.now(),
        output: new BoundedOutput(),
        read: 0,
        stop: () => work.stop(),
        ended: ended.promise,
        watchers: new Set(),
      };
      jobs.set(job.id, job);
      options.onStarted?.(viewOf(job));
      follow(job, (output) => work.run(output)).then(ended.resolve, ended.resolve);
      return viewOf(job);
    },

    list: () => [...jobs.values()].map(viewOf),

    find(id) {
      const job = jobs.get(id);
      return job && viewOf(job);
    },

    read(id): JobReading | undefined {
      const job = jobs.get(id);
      if (job === undefined) return undefined;
      const output = job.output.since(job.read);
      job.read = job.output.position;
      return { ...viewOf(job), output };
    },

    async wait(ids, { timeoutMs, signal, matches }) {
      const waited = ids.flatMap((id) => jobs.get(id) ?? []);
      const found = Promise.withResolvers<"matched">();
      const all = Promise.all(waited.map((job) => job.ended)).then(() => "ended" as const);
      const unwatch = matches ? waited.map((job) => watchLines(job, { matches, found: found.resolve })) : [];
      const first = Promise.race([found.promise, all]);
      try {
        return await settledWithin(first, timeoutMs, signal) ? await first : "timeout";
      } finally {
        for (const stop of unwatch) stop();
      }
    },

    async kill(id) {
      const job = jobs.get(id);
      return job !== undefined && await kill(job);
    },

    async closeAll() {
      closed = true;
      await Promise.all(running().map(kill));
    },
  };
}

/** Looks at what was not read yet, then at each new line, the unfinished one too. Each line is matched as it grows. */
function watchLines(
  job: Job,
  options: { readonly matches: (line: string) => boolean; found(outcome: "matched"): void },
): () => void {
  let rest = "";
  const look = (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    const unfinished = rest + job.output.pending;
    if (lines.some(options.matches) || (unfinished !== "" && options.matches(unfinished))) options.found("matched");
  };
  const unread = job.output.since(job.read);
  look(unread.slice(0, unread.length - job.output.pending.length));
  job.watchers.add(look);
  return () => void job.watchers.delete(look);
}
