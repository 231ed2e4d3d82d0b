/** Killed at any moment: nothing is lost that was saved, and going back has happened whole or not at all. */
import assert from "node:assert/strict";
import { CheckpointBed } from "./_checkpoint_bed.ts";

async function killed(bed: CheckpointBed, task: "work" | "rewind", afterMs: number): Promise<void> {
  const script = decodeURIComponent(new URL("_killed_agent.ts", import.meta.url).pathname);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, task, bed.workspace.parent],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
}

const FILES = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}`, `before ${at}`]));

Deno.test("an agent killed at work: every file it touched comes back, or is named", async () => {
  for (let run = 0; run < 3; run++) {
    await using bed = await CheckpointBed.start(FILES);
    const before = await bed.tree();
    await killed(bed, "work", Math.random() * 200);
    await bed.open();
    const start = { message: 0, at: 0 };
    const plan = await bed.checkpoints.plan(start);
    assert.equal((await bed.checkpoints.commit(plan)).outcome, "committed");
    const after = await bed.tree();
    const named = new Set(plan.conflicts.map(({ path }) => path?.slice(bed.root.length + 1)));
    // A folder that holds a file that is left stays as well.
    const isNamed = (path: string) => [...named].some((one) => one === path || one?.startsWith(`${path}/`));
    const wrong = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path])
      .filter((path) => !/\.tmp$/.test(path) && !isNamed(path));
    assert.deepEqual(wrong, []);
    // The last thing the agent did may not have been noted: the person decides about it.
    assert.ok(named.size <= 2, [...named].join());
  }
});

Deno.test("going back that is killed has happened whole or not at all", async () => {
  for (let run = 0; run < 3; run++) {
    await using bed = await CheckpointBed.start(FILES);
    const before = await bed.tree();
    await bed.turn();
    for (const name of Object.keys(FILES)) await bed.write(name, `agent ${name}`);
    await bed.write("new/made", "made");
    const after = await bed.tree();
    await killed(bed, "rewind", Math.random() * 120);
    await bed.open();
    const tree = await bed.tree();
    const isBefore = JSON.stringify(tree) === JSON.stringify(before);
    assert.deepEqual(tree, isBefore ? before : after);
  }
});
