/** What is promised of saved states when files, settings, the disk or the store itself are not as hoped. */
import assert from "node:assert/strict";
import { CheckpointBed } from "./_checkpoint_bed.ts";

const kinds = (conflicts: readonly { readonly kind: string }[]) => conflicts.map(({ kind }) => kind);

/** A bed whose agent has written `a` over `before`. */
async function written(content = "agent"): Promise<CheckpointBed> {
  const bed = await CheckpointBed.start({ a: "before" });
  await bed.turn();
  await bed.write("a", content);
  return bed;
}

const CONFLICTS: readonly [kind: string, change: (bed: CheckpointBed) => Promise<void>][] = [
  ["manual_edit", (bed) => Deno.writeTextFile(`${bed.root}/a`, "by hand")],
  ["manual_edit", (bed) => Deno.remove(`${bed.root}/a`)],
  ["mode_change", (bed) => Deno.chmod(`${bed.root}/a`, 0o700)],
  ["type_change", async (bed) => {
    await Deno.remove(`${bed.root}/a`);
    await Deno.symlink("elsewhere", `${bed.root}/a`);
  }],
  ["type_change", async (bed) => {
    await Deno.remove(`${bed.root}/a`);
    await Deno.mkdir(`${bed.root}/a`);
    await Deno.writeTextFile(`${bed.root}/a/mine`, "mine");
  }],
  ["external_change", async (bed) => {
    await bed.call("mcp__x__y", () => Promise.resolve());
    await Deno.writeTextFile(`${bed.root}/a`, "by whom");
  }],
  ["missing_payload", (bed) => Deno.remove(`${bed.store}/blobs`, { recursive: true })],
];

for (const [kind, change] of CONFLICTS) {
  Deno.test(`${kind}: the file is named and left as it is: ${change.toString().slice(0, 60)}`, async () => {
    await using bed = await written();
    await change(bed);
    const tree = await bed.tree();
    const { plan } = await bed.back(bed.turns[0]!);
    assert.deepEqual(kinds(plan.conflicts), [kind]);
    assert.deepEqual(await bed.tree(), tree);
  });
}

Deno.test("a file the agent removed and somebody made again is left as it is", async () => {
  await using bed = await CheckpointBed.start({ a: "before" });
  await bed.turn();
  await bed.files.remove("a");
  await Deno.writeTextFile(`${bed.root}/a`, "mine");
  const { plan } = await bed.back(bed.turns[0]!);
  assert.deepEqual(kinds(plan.conflicts), ["deleted_and_recreated"]);
  assert.equal(await bed.workspace.text("a"), "mine");
});

Deno.test("nothing is written through a link that stands where a folder was", async () => {
  await using bed = await CheckpointBed.start({ "dir/a": "before" });
  await bed.turn();
  await bed.write("dir/a", "agent");
  await Deno.rename(`${bed.root}/dir`, `${bed.workspace.parent}/outside`);
  await Deno.symlink(`${bed.workspace.parent}/outside`, `${bed.root}/dir`);
  const { plan } = await bed.back(bed.turns[0]!, { force: true });
  assert.deepEqual(kinds(plan.conflicts), ["path_unsafe"]);
  assert.equal(await Deno.readTextFile(`${bed.workspace.parent}/outside/a`), "agent");
});

Deno.test("a damaged saved content is never put in place, and what was begun is taken back", async () => {
  await using bed = await CheckpointBed.start({ a: "before", b: "before b" });
  await bed.turn();
  await bed.write("a", "agent");
  await bed.write("b", "agent b");
  for await (const { name } of Deno.readDir(`${bed.store}/blobs`)) {
    for await (const blob of Deno.readDir(`${bed.store}/blobs/${name}`)) {
      const path = `${bed.store}/blobs/${name}/${blob.name}`;
      if ((await Deno.readTextFile(path)) === "before b") await Deno.writeTextFile(path, "damaged!");
    }
  }
  const tree = await bed.tree();
  const { report } = await bed.back(bed.turns[0]!);
  assert.equal(report.outcome, "aborted");
  assert.deepEqual(await bed.tree(), tree);
});

Deno.test("a file that changes between plan and commit stops everything", async () => {
  await using bed = await CheckpointBed.start({ a: "before", b: "before" });
  await bed.turn();
  await bed.write("a", "agent");
  await bed.write("b", "agent");
  const plan = await bed.checkpoints.plan(bed.turns[0]!);
  await Deno.writeTextFile(`${bed.root}/b`, "by hand");
  const report = await bed.checkpoints.commit(plan);
  assert.deepEqual([report.outcome, report.outcome === "stale" && kinds(report.conflicts)], ["stale", ["stale_plan"]]);
  assert.equal(await bed.workspace.text("a"), "agent");
  const fresh = await bed.checkpoints.plan(bed.turns[0]!);
  await bed.write("a", "more");
  assert.equal((await bed.checkpoints.commit(fresh)).outcome, "stale");
});

Deno.test("a change whose snapshot cannot be stored does not happen", async () => {
  await using bed = await CheckpointBed.start({ a: "before" });
  await bed.turn();
  await Deno.writeTextFile(bed.store, "no folder");
  await assert.rejects(bed.write("a", "agent"), /a was left alone: what it holds could not be saved first/);
  await assert.rejects(bed.files.remove("a"), /was left alone/);
  await assert.rejects(bed.files.move("a", "b"), /was left alone/);
  assert.deepEqual(Object.keys(await bed.tree()), ["a"]);
  assert.equal(await bed.workspace.text("a"), "before");
});

Deno.test("each turn saves a file once, and only turns that change something leave a mark", async () => {
  await using bed = await CheckpointBed.start({ a: "before" });
  await bed.turn("talk");
  assert.deepEqual([...Deno.readDirSync(bed.workspace.parent)].map(({ name }) => name), ["ws"]);
  await bed.turn("work");
  for (const text of ["1", "2", "3"]) await bed.write("a", text);
  await bed.turn("more work");
  await bed.write("a", "4");
  const views = await bed.checkpoints.describe(bed.turns);
  assert.deepEqual(views, [
    { files: 0, coverage: "complete" },
    { files: 1, coverage: "complete" },
    { files: 1, coverage: "complete" },
  ]);
  const log = (await Deno.readTextFile(`${bed.store}/log.jsonl`)).trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(log.filter(({ type }) => type === "file").map(({ path, encoding }) => [path, encoding]), [
    [`${bed.root}/a`, "utf-8"],
    [`${bed.root}/a`, "utf-8"],
  ]);
  await bed.back(bed.turns[2]!);
  assert.equal(await bed.workspace.text("a"), "3");
});

Deno.test("what cannot be seen beforehand makes a gap, once a turn", async () => {
  await using bed = await CheckpointBed.start({}, { hooksRun: true, running: () => ["bash-1 (npm run dev)"] });
  await bed.turn();
  await bed.call("bash", () => Promise.resolve());
  await bed.call("bash", () => Promise.resolve());
  await bed.call("mcp__files__write", () => Promise.resolve());
  const plan = await bed.checkpoints.plan(bed.turns[0]!);
  assert.deepEqual(plan.gaps, [
    { reason: "background_writer_cross_turn", subject: "bash-1 (npm run dev)" },
    { reason: "bash_side_effect" },
    { reason: "hook_write" },
    { reason: "mcp_external", subject: "mcp__files__write" },
  ]);
  assert.deepEqual(await bed.checkpoints.describe(bed.turns), [{ files: 0, coverage: "none" }]);
});

Deno.test("a file too large to save is written all the same, and named when it would have to come back", async () => {
  await using bed = await CheckpointBed.start();
  await bed.workspace.put("big", new Uint8Array(33 * 1024 * 1024));
  await bed.turn();
  await bed.write("big", "small now");
  const { plan } = await bed.back(bed.turns[0]!);
  assert.deepEqual(kinds(plan.conflicts), ["missing_payload"]);
  assert.deepEqual(plan.gaps.map(({ reason }) => reason), ["oversized"]);
  assert.equal(await bed.workspace.text("big"), "small now");
});

Deno.test("old contents give way by number and by size; what was touched stays known", async () => {
  for (const limits of [{ turns: 2 }, { bytes: 10 }]) {
    await using bed = await CheckpointBed.start({ a: "before" }, limits);
    for (const text of ["one...", "two...", "three."]) {
      await bed.turn();
      await bed.write("a", text);
    }
    const { plan } = await bed.back(bed.turns[0]!);
    assert.deepEqual(kinds(plan.conflicts), ["expired_payload"]);
    assert.equal((await bed.back(bed.turns[2]!)).report.outcome, "committed");
    assert.equal(await bed.workspace.text("a"), "two...");
  }
});

Deno.test("work after going back ends the way to take it back", async () => {
  await using bed = await written();
  await bed.back(bed.turns[0]!);
  assert.equal((await bed.checkpoints.undoable())?.files, 1);
  await bed.turn();
  assert.equal(await bed.checkpoints.undoable(), undefined);
  await bed.open();
  assert.equal(await bed.checkpoints.undoable(), undefined);
});

Deno.test("a torn last line and a damaged one cost themselves; the next record is whole", async () => {
  await using bed = await written();
  const log = `${bed.store}/log.jsonl`;
  await Deno.writeTextFile(log, `{"type":"gap"`, { append: true });
  await bed.open();
  await bed.turn();
  await bed.write("a", "again");
  await bed.open();
  await bed.back(bed.turns[0]!);
  assert.equal(await bed.workspace.text("a"), "before");
});

Deno.test("records of another version make the plan say that it may not know all", async () => {
  await using bed = await written();
  await Deno.writeTextFile(`${bed.store}/log.jsonl`, `{"schema_version":9,"type":"file"}\n`, { append: true });
  await bed.open();
  const { plan } = await bed.back(bed.turns[0]!);
  assert.deepEqual(kinds(plan.conflicts), ["legacy_unverified"]);
  assert.deepEqual((await bed.checkpoints.describe(bed.turns)).map(({ coverage }) => coverage), ["legacy"]);
});

Deno.test("a program that died while going back is followed by one that takes it back", async () => {
  await using bed = await CheckpointBed.start({ a: "before", b: "before" });
  await bed.turn();
  await bed.write("a", "agent");
  await bed.write("b", "agent");
  const plan = await bed.checkpoints.plan(bed.turns[0]!);
  await bed.checkpoints.commit(plan);
  // As if it had died before the last word, with one of two files done.
  const log = `${bed.store}/log.jsonl`;
  const lines = (await Deno.readTextFile(log)).trimEnd().split("\n");
  assert.match(lines.at(-1)!, /"committed"/);
  await Deno.writeTextFile(log, lines.slice(0, -1).join("\n") + "\n");
  await Deno.writeTextFile(`${bed.root}/b`, "agent");
  await bed.open();
  assert.match(bed.notices.join(), /cut off when the program ended; the files are as they were before it$/);
  assert.equal(await bed.workspace.text("a"), "agent");
  assert.equal(await bed.workspace.text("b"), "agent");
  await bed.open();
  assert.deepEqual(bed.notices, []);
  assert.equal((await bed.back(bed.turns[0]!)).report.outcome, "committed");
});

Deno.test("when the conversation was cut already, what died is finished", async () => {
  await using bed = await written();
  const plan = await bed.checkpoints.plan(bed.turns[0]!);
  await bed.checkpoints.commit(plan, { finish: (id) => bed.transcript.rewind(0, { id }) });
  const log = `${bed.store}/log.jsonl`;
  const lines = (await Deno.readTextFile(log)).trimEnd().split("\n");
  await Deno.writeTextFile(log, lines.slice(0, -1).join("\n") + "\n");
  await bed.open();
  assert.deepEqual(bed.notices, []);
  assert.equal(await bed.workspace.text("a"), "before");
  assert.equal((await bed.checkpoints.undoable())?.conversation, true);
});

Deno.test("a conversation that cannot be cut leaves the files as they were", async () => {
  await using bed = await written();
  const plan = await bed.checkpoints.plan(bed.turns[0]!);
  const report = await bed.checkpoints.commit(plan, {
    finish: () => {
      throw new Error("the disk is full");
    },
  });
  assert.deepEqual(report, { outcome: "aborted", text: "the disk is full", left: [] });
  assert.equal(await bed.workspace.text("a"), "agent");
});

Deno.test("another conversation begins with what this one has saved, and cannot take back what this one did", async () => {
  await using bed = await written();
  await bed.back(bed.turns[0]!);
  await bed.checkpoints.copyTo(`${bed.workspace.parent}/t.jsonl`);
  Object.assign(bed.transcript, { path: `${bed.workspace.parent}/t.jsonl` });
  await bed.open();
  assert.deepEqual(await bed.checkpoints.describe(bed.turns), [{ files: 1, coverage: "complete" }]);
  assert.equal(await bed.checkpoints.undoable(), undefined);
});
