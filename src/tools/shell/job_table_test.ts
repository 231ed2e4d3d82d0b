import assert from "node:assert/strict";
import type { JobOutput, JobView, JobWork } from "../../contract/jobs.ts";
import { toBytes } from "../../lib/bytes.ts";
import { createJobs, type JobTableOptions } from "./job_table.ts";

/** Work that a test ends by hand. */
function work(kind = "bash") {
  const started = Promise.withResolvers<JobOutput>();
  const end = Promise.withResolvers<"done" | "failed">();
  let stops = 0;
  const job: JobWork = {
    kind,
    label: "a label",
    run(output) {
      started.resolve(output);
      return end.promise;
    },
    stop() {
      stops++;
      end.resolve("failed");
      return Promise.resolve();
    },
  };
  return {
    job,
    end: end.resolve,
    say: async (text: string) => (await started.promise).write(toBytes(text)),
    stops: () => stops,
  };
}

function table(options: Partial<JobTableOptions> = {}) {
  const ended: string[] = [];
  const jobs = createJobs({
    stalledWarningSeconds: 0,
    onEnded: (job) => void ended.push(`${job.id} ${job.status}`),
    ...options,
  });
  return { jobs, ended };
}

const patient = () => ({ timeoutMs: 60_000, signal: new AbortController().signal });

Deno.test("jobs are numbered by kind, read in turn, and told once when they end", async () => {
  const { jobs, ended } = table();
  const [one, two, task] = [work(), work(), work("task")];
  const ids = [one, two, task].map(({ job }) => jobs.add(job).id);
  assert.deepEqual(ids, ["bash-1", "bash-2", "task-1"]);
  await one.say("first\npart");
  assert.equal(jobs.read("bash-1")!.output, "first\npart");
  await one.say("ial\n");
  assert.equal(jobs.read("bash-1")!.output, "partial\n");
  assert.equal(jobs.read("bash-1")!.output, "");
  one.end("done");
  two.end("failed");
  assert.equal(await jobs.wait(["bash-1", "bash-2"], patient()), "ended");
  assert.deepEqual(jobs.list().map(({ id, status }) => `${id} ${status}`), [
    "bash-1 done",
    "bash-2 failed",
    "task-1 running",
  ]);
  assert.deepEqual(ended, ["bash-1 done", "bash-2 failed"]);
  await jobs.closeAll();
  assert.deepEqual(ended, ["bash-1 done", "bash-2 failed", "task-1 killed"]);
});

Deno.test("killing stops the work once and says whether it ran", async () => {
  const { jobs, ended } = table();
  const one = work();
  jobs.add(one.job);
  assert.deepEqual(await Promise.all([jobs.kill("bash-1"), jobs.kill("bash-1"), jobs.kill("bash-9")]), [
    true,
    false,
    false,
  ]);
  assert.equal(one.stops(), 1);
  assert.deepEqual(ended, ["bash-1 killed"]);
});

Deno.test("whoever kills a job that is being killed, or ends the session, waits for its end", async () => {
  const { jobs } = table();
  const held = Promise.withResolvers<void>();
  const one = work();
  jobs.add({ ...one.job, stop: () => held.promise });
  const order: string[] = [];
  const kills = [
    jobs.kill("bash-1").then((ran) => order.push(`first ${ran}`)),
    jobs.kill("bash-1").then((ran) => order.push(`second ${ran}`)),
    jobs.closeAll().then(() => order.push("closed")),
  ];
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(order, []);
  held.resolve();
  one.end("failed");
  await Promise.all(kills);
  assert.deepEqual(order.toSorted(), ["closed", "first true", "second false"]);
});

Deno.test("the end of the session ends every job and nothing starts after it", async () => {
  const { jobs } = table();
  const both = [work(), work()];
  both.forEach(({ job }) => jobs.add(job));
  await jobs.closeAll();
  assert.deepEqual(both.map(({ stops }) => stops()), [1, 1]);
  assert.throws(() => jobs.add(work().job), /session has ended/);
});

Deno.test("a wait ends with a line that was not read before", async () => {
  const { jobs } = table();
  const one = work();
  jobs.add(one.job);
  const matches = (line: string) => line.startsWith("ready");
  await one.say("ready once\n");
  assert.equal(await jobs.wait(["bash-1"], { ...patient(), matches }), "matched");
  jobs.read("bash-1");
  const waiting = jobs.wait(["bash-1"], { ...patient(), matches });
  await one.say("not ready\nrea");
  await one.say("dy? ");
  assert.equal(await waiting, "matched");
  await jobs.closeAll();
});

Deno.test("a wait ends at its limit and the job goes on", async () => {
  const { jobs } = table();
  jobs.add(work().job);
  assert.equal(await jobs.wait(["bash-1"], { ...patient(), timeoutMs: 1 }), "timeout");
  assert.equal(jobs.find("bash-1")!.status, "running");
  await jobs.closeAll();
});

Deno.test("a stopped turn ends its wait and nothing else", async () => {
  const { jobs } = table();
  jobs.add(work().job);
  const stop = new AbortController();
  const waiting = jobs.wait(["bash-1"], { timeoutMs: 60_000, signal: stop.signal });
  stop.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  assert.equal(jobs.find("bash-1")!.status, "running");
  await jobs.closeAll();
});

Deno.test("a job that is silent for long is flagged until it speaks", async () => {
  const { jobs } = table({ stalledWarningSeconds: 0.2 });
  const one = work();
  assert.equal(jobs.add(one.job).quiet, false);
  while (!jobs.find("bash-1")!.quiet) await new Promise((rested) => setTimeout(rested, 5));
  await jobs.closeAll();
  assert.equal(jobs.find("bash-1")!.quiet, false);
});

Deno.test("work that throws fails its job and nothing else", async () => {
  const { jobs } = table();
  jobs.add({ ...work().job, run: () => Promise.reject(new Error("no such thing")) });
  await jobs.wait(["bash-1"], patient());
  const { status, output } = jobs.read("bash-1")!;
  assert.deepEqual({ status, output }, { status: "failed", output: "error: no such thing\n" });
});

Deno.test("jobs of an earlier run are shown as interrupted and their numbers are not used again", async () => {
  const before: JobView = { id: "bash-4", label: "server", status: "running", startedAt: 1, quiet: false };
  const { jobs } = table({ earlier: [before, { ...before, id: "bash-2", status: "done", endedAt: 2 }] });
  assert.deepEqual(jobs.list(), [{ ...before, status: "interrupted" }, {
    ...before,
    id: "bash-2",
    status: "done",
    endedAt: 2,
  }]);
  assert.equal(jobs.add(work().job).id, "bash-5");
  await jobs.closeAll();
});

Deno.test("too many jobs are refused, and old ones are forgotten", async () => {
  const { jobs } = table();
  for (let i = 0; i < 32; i++) jobs.add(work().job);
  assert.throws(() => jobs.add(work().job), /32 background jobs are running/);
  await Promise.all(jobs.list().map(({ id }) => jobs.kill(id)));
  for (let i = 0; i < 40; i++) {
    const one = work();
    jobs.add(one.job);
    one.end("done");
    await jobs.wait([`bash-${33 + i}`], patient());
  }
  assert.equal(jobs.list().length, 50);
  assert.equal(jobs.find("bash-1"), undefined);
});

Deno.test("of many jobs those are forgotten first that ended first, however old they are", async () => {
  const { jobs } = table();
  const old = work();
  jobs.add(old.job);
  for (let i = 2; i <= 61; i++) {
    const one = work();
    jobs.add(one.job);
    one.end("done");
    await jobs.wait([`bash-${i}`], patient());
  }
  await old.say("the result\n");
  old.end("done");
  await jobs.wait(["bash-1"], patient());
  assert.equal(jobs.read("bash-1")!.output, "the result\n");
  assert.equal(jobs.find("bash-11"), undefined);
  assert.ok(jobs.find("bash-13"));
});
