import assert from "node:assert/strict";
import type { MemoryCommands } from "../contract/memory.ts";
import { createTestStore, fact, type TestStore } from "./_test_store.ts";
import { createMemory, type Memory } from "./memory.ts";

interface Bed extends AsyncDisposable {
  readonly test: TestStore;
  readonly memory: Memory;
  readonly commands: MemoryCommands;
  readonly root: string;
}

async function createBed(): Promise<Bed> {
  const test = await createTestStore();
  const root = `${test.base}/ws`;
  await Deno.mkdir(root);
  const memory = createMemory({
    folders: test.folders,
    root,
    settings: { pinnedBudgetChars: 1500, recallLimit: 4, recallMaxChars: 2400, autoConfirmProjectRemember: true },
    homes: [],
    instructions: () =>
      Promise.resolve({
        documents: [{ origin: "workspace/AGENTS.md", path: `${root}/AGENTS.md`, characters: 12 }],
        notes: ["workspace/CLAUDE.md: the import @../x was refused (import_outside_source)"],
      }),
    now: () => test.now,
  });
  return {
    test,
    memory,
    commands: await memory.commands(),
    root,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

const turn = async ({ memory }: Bed, text: string) =>
  (await memory.observer.turnBegins!({ id: "t1", text, first: true }, new AbortController().signal))?.after?.join("\n");

Deno.test("the list shows active and archived facts and the sources of instructions", async () => {
  // proves MEM-09
  await using bed = await createBed();
  const { store } = bed.test;
  await store.create(fact({ description: "Deploys [go] through `staging`", name: "deploy" }));
  await store.create(fact({ description: "old", name: "old" }));
  await store.forget("old");
  const { id } = await store.find("deploy");
  assert.equal(
    await bed.commands.list(),
    `**Active facts**

- \`project/deploy.md\` deploy — Deploys \\[go\\] through \\\`staging\\\` (project, fresh; id ${id}, revision 1)

**Archived facts**

- \`project/.archive/20260131-094512.123-old.md\` old — old

**Instructions**

- \`workspace/AGENTS.md\` ${bed.root}/AGENTS.md (12 characters)`,
  );
  assert.match(await bed.commands.instructions(), /\*\*Refused or cut\*\*\n\n- workspace\/CLAUDE\.md: the import/);
});

Deno.test("what the person changes takes effect at once and is told to the model with the next turn, once", async () => {
  // proves MEM-26
  await using bed = await createBed();
  const { store } = bed.test;
  const { id } = await store.create(fact({ description: "one", name: "n", subjectKey: "Number" }));
  await store.update(id, { description: "two", body: "two" });
  assert.match(await bed.commands.revisions("n"), /- revision 2 \(now\), .*: two\n- revision 1, .*: one$/);
  assert.equal(
    await bed.commands.restore("n", 1),
    "restored `project/n.md`, now revision 3. It says what revision 1 said.",
  );
  assert.equal(await bed.commands.pin("n"), "pinned `project/n.md`, now revision 4. New sessions begin with it.");
  assert.equal(
    await bed.commands.pin("n"),
    "unpinned `project/n.md`, now revision 5. It is recalled where it matters.",
  );
  assert.equal(await bed.commands.verify("n"), "verified `project/n.md`, now revision 6.");
  assert.equal(await bed.commands.subjects(), "**Subjects**\n\n- `Number` — `project/n.md`");
  assert.match(
    await bed.commands.forget("n"),
    /^Archived `project\/n\.md`\. `\/memory recover project\/\.archive\/\S+-n\.md` brings/,
  );
  const [path] = /project\/\.archive\/\S+\.md/.exec(await bed.commands.archived())!;
  assert.equal(await bed.commands.recover(path), "recovered `project/n.md`, now revision 7.");
  const said = await turn(bed, "hello");
  assert.match(
    said!,
    /^<memory-update>\nrestored: project\/n\.md id=mem-\w+ revision=3\n[\s\S]+revision=7\n<\/memory-update>$/,
  );
  assert.equal(await turn(bed, "hello"), undefined);
});

Deno.test("what cannot be done is an answer, not an error", async () => {
  await using bed = await createBed();
  assert.match(await bed.commands.restore("nothing", 1), /^no saved fact nothing/);
  assert.match(await bed.commands.recover("../../x"), /names no file of the archive/);
  assert.equal(await bed.commands.note("  # "), "The note is empty.");
});

Deno.test("the last recall is shown with scores, reasons, freshness and budget, and why there was none", async () => {
  await using bed = await createBed();
  assert.equal(await bed.commands.recall(), "No turn has been looked at yet.");
  await bed.test.store.create(fact({ description: "The staging database listens on 5544", name: "port" }));
  await turn(bed, "which port has the staging database?");
  assert.match(
    await bed.commands.recall(),
    /- `project\/port\.md` score 1\.00, fresh, matches port, staging, database \(id mem-\w+, revision 1\)\n\nBudget: 4 facts, 2400 characters\.$/,
  );
  await turn(bed, "ok");
  assert.match(await bed.commands.recall(), /^Nothing was looked for: the message named no subject\. Budget/);
});

Deno.test("without any folder a turn loads nothing and adds nothing", async () => {
  await using bed = await createBed();
  assert.equal(await turn(bed, "which port has the staging database?"), undefined);
  assert.equal(await bed.memory.pinned(), undefined);
  assert.equal(await bed.commands.recall(), "No turn has been looked at yet.");
});

Deno.test("a note goes to the end of the project's document, and every byte before it stays", async () => {
  await using bed = await createBed();
  assert.equal(await bed.commands.note("# use tabs\n\u001b[2J always"), "Noted in `REASONIX.md`.");
  assert.equal(await bed.test.text("ws/REASONIX.md"), "- use tabs \u241b[2J always\n");
  await Deno.remove(`${bed.root}/REASONIX.md`);
  await Deno.writeTextFile(`${bed.root}/AGENTS.md`, "\ufeff# Rules\r\n\r\nno end", { mode: 0o640 });
  await bed.commands.note("second");
  assert.equal(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await Deno.readFile(`${bed.root}/AGENTS.md`)),
    "\ufeff# Rules\r\n\r\nno end\r\n- second\r\n",
  );
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(`${bed.root}/AGENTS.md`)).mode! & 0o777, 0o640);
});

Deno.test("a note is not written through a link that leaves the project", async () => {
  await using bed = await createBed();
  await bed.test.put("outside.md", "mine\n");
  await Deno.symlink(`${bed.test.base}/outside.md`, `${bed.root}/REASONIX.md`);
  assert.match(await bed.commands.note("x"), /leads out of the project/);
  assert.equal(await bed.test.text("outside.md"), "mine\n");
});
