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
  return new JobTable(options);
}

class JobTable implements Jobs {
  readonly #options: JobTableOptions;
  /** Oldest first. */
  readonly #jobs = new Map<string, Job>();
  /** Those that have ended, in the order they did. */
  readonly #ended: Job[] = [];
  /** The last number of each kind. */
  readonly #numbers = new Map<string, number>();
  #closed = false;

  constructor(options: JobTableOptions) {
    this.#options = options;
    for (const view of options.earlier ?? []) this.#addEarlier(view);
  }

  add(work: JobWork): JobView {
    if (this.#closed) throw new ToolError("the session has ended: nothing is started in the background any more");
    if (this.#running().length >= MOST_RUNNING) {
      throw new ToolError(`${MOST_RUNNING} background jobs are running: stop one with kill_shell first`);
    }
    const ended = Promise.withResolvers<void>();
    const job: Job = {
      id: this.#nextId(work.kind),
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
    this.#jobs.set(job.id, job);
    this.#options.onStarted?.(this.#viewOf(job));
    this.#follow(job, work).then(ended.resolve, ended.resolve);
    return this.#viewOf(job);
  }

  list(): readonly JobView[] {
    return [...this.#jobs.values()].map((job) => this.#viewOf(job));
  }

  find(id: string): JobView | undefined {
    const job = this.#jobs.get(id);
    return job && this.#viewOf(job);
  }

  read(id: string): JobReading | undefined {
    const job = this.#jobs.get(id);
    if (job === undefined) return undefined;
    const output = job.output.since(job.read);
    job.read = job.output.position;
    return { ...this.#viewOf(job), output };
  }

  async wait(
    ids: readonly string[],
    { timeoutMs, signal, matches }: Parameters<Jobs["wait"]>[1],
  ): Promise<"ended" | "matched" | "timeout"> {
    const waited = ids.flatMap((id) => this.#jobs.get(id) ?? []);
    const found = Promise.withResolvers<"matched">();
    const all = Promise.all(waited.map((job) => job.ended)).then(() => "ended" as const);
    const unwatch = matches ? waited.map((job) => watchLines(job, { matches, found: found.resolve })) : [];
    const first = Promise.race([found.promise, all]);
    try {
      return await settledWithin(first, timeoutMs, signal) ? await first : "timeout";
    } finally {
      for (const stop of unwatch) stop();
    }
  }

  async kill(id: string): Promise<boolean> {
    const job = this.#jobs.get(id);
    return job !== undefined && await kill(job);
  }

  async closeAll(): Promise<void> {
    this.#closed = true;
    // Also those that somebody else is ending.
    await Promise.all([...this.#jobs.values()].map(kill));
  }

  #addEarlier(view: JobView): void {
    const [, kind, number] = /^(.*)-(\d+)$/.exec(view.id) ?? [];
    if (kind === undefined) return;
    this.#numbers.set(kind, Math.max(this.#numbers.get(kind) ?? 0, Number(number)));
    const job: Job = {
      ...view,
      status: view.status === "running" ? "interrupted" : view.status,
      lastOutputAt: 0,
      output: new BoundedOutput(),
      read: 0,
      stop: () => Promise.resolve(),
      ended: Promise.resolve(),
      watchers: new Set(),
    };
    this.#jobs.set(job.id, job);
    this.#ended.push(job);
  }

  #nextId(kind: string): string {
    const number = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, number);
    return `${kind}-${number}`;
  }

  async #follow(job: Job, work: JobWork): Promise<void> {
    let outcome: JobStatus;
    try {
      outcome = await work.run({ write: (bytes) => hear(job, bytes) });
    } catch (error) {
      hear(job, toBytes(`error: ${errorText(error)}\n`));
      outcome = "failed";
    }
    const rest = job.output.end();
    if (job.status === "running") job.status = outcome;
    job.endedAt = Date.now();
    for (const watcher of job.watchers) watcher(rest);
    this.#options.onEnded?.(this.#viewOf(job));
    this.#ended.push(job);
    if (this.#ended.length > MOST_ENDED) this.#jobs.delete(this.#ended.shift()!.id);
  }

  #running(): readonly Job[] {
    return [...this.#jobs.values()].filter((job) => job.status === "running");
  }

  #viewOf(job: Job): JobView {
    return {
      id: job.id,
      label: job.label,
      status: job.status,
      startedAt: job.startedAt,
      ...(job.endedAt === undefined ? {} : { endedAt: job.endedAt }),
      quiet: this.#isQuiet(job),
    };
  }

  #isQuiet(job: Job): boolean {
    const silence = this.#options.stalledWarningSeconds * 1000;
    return job.status === "running" && silence > 0 && Date.now() - job.lastOutputAt >= silence;
  }
}

function hear(job: Job, bytes: Uint8Array): void {
  job.lastOutputAt = Date.now();
  const text = job.output.write(bytes);
  for (const watcher of job.watchers) watcher(text);
}

/** Settles when it has ended. False when it was not running: it had ended, or somebody else is ending it. */
async function kill(job: Job): Promise<boolean> {
  const running = job.status === "running";
  if (running) {
    job.status = "killed";
    await job.stop();
  }
  await job.ended;
  return running;
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
