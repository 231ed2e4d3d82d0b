import assert from "node:assert/strict";
import { ToolError } from "../contract/errors.ts";
import { createTestStore, fact } from "./_test_store.ts";
import { FactStore } from "./fact_store.ts";

const refused = (pattern: RegExp) => (error: unknown) => error instanceof ToolError && pattern.test(error.message);

Deno.test("a fact is a file with a head, a line of the index, and private to the person", async () => {
  // proves MEM-07, MEM-23
  await using test = await createTestStore();
  const saved = await test.store.create(fact({
    description: "Deploys go through the staging cluster",
    body: "Run `make stage` first.\n\nThen ask Lin.",
    title: "Deploy: order",
    keywords: ["deploy", "k8s"],
    subjectKey: "deploy/order",
  }));
  assert.match(saved.id, /^mem-[0-9a-f]{32}$/);
  assert.deepEqual((await test.store.load()).active, [saved]);
  assert.equal(
    await test.text("project/deploy-order.md"),
    `---
id: ${JSON.stringify(saved.id)}
revision: 1
created_at: "2026-01-31T09:45:12.123Z"
updated_at: "2026-01-31T09:45:12.123Z"
name: deploy-order
title: "Deploy: order"
description: Deploys go through the staging cluster
keywords: [deploy, k8s]
type: project
scope: project
activation: relevant
subject_key: deploy/order
---

Run \`make stage\` first.

Then ask Lin.
`.replace(JSON.stringify(saved.id), saved.id),
  );
  assert.equal(
    await test.text("project/MEMORY.md"),
    "# Memory\n\n- [Deploy: order](deploy-order.md) — [project/project] Deploys go through the staging cluster\n",
  );
  if (Deno.build.os !== "windows") {
    assert.equal(Deno.statSync(`${test.folders.project}/deploy-order.md`).mode! & 0o777, 0o600);
    assert.equal(Deno.statSync(test.folders.project).mode! & 0o777, 0o700);
  }
});

Deno.test("an update keeps id, name and birth, raises the revision and keeps what was there", async () => {
  // proves MEM-24
  await using test = await createTestStore();
  const first = await test.store.create(fact({ description: "Port is 8080", title: "Port" }));
  test.now += 1000;
  const second = await test.store.update(first.id, { description: "Port is 9090", body: "9090" }, 1);
  assert.deepEqual(second, {
    ...first,
    revision: 2,
    description: "Port is 9090",
    body: "9090",
    updatedAt: "2026-01-31T09:45:13.123Z",
  });
  const { fact: now, earlier } = await test.store.revisions("port");
  assert.deepEqual([now, earlier], [second, [first]]);
});

Deno.test("an update made from an old revision is refused with the present one, and changes nothing", async () => {
  await using test = await createTestStore();
  const { id } = await test.store.create(fact({ description: "one" }));
  await test.store.update(id, { description: "two", body: "two" }, 1);
  await assert.rejects(
    test.store.update(id, { description: "three", body: "three" }, 1),
    refused(/has revision 2, not 1.*expected_revision=2/),
  );
  assert.equal((await test.store.find(id)).description, "two");
});

Deno.test("of two writers creating the same fact at once one wins and the other is refused", async () => {
  await using test = await createTestStore();
  const other = new FactStore({ folders: test.folders });
  for (let round = 0; round < 20; round++) {
    const same = fact({ description: `fact ${round}`, name: `fact-${round}` });
    const settled = await Promise.allSettled([test.store.create(same), other.create(same), test.store.create(same)]);
    const lost = settled.filter((one) => one.status === "rejected");
    assert.equal(lost.length, 2);
    assert.ok(lost.every(({ reason }) => refused(/exists already/)(reason)));
  }
  assert.equal((await test.store.load()).active.length, 20);
  assert.equal((await test.text("project/MEMORY.md")).match(/^- /gm)?.length, 20);
});

Deno.test("two processes creating facts at once lose none, and revisions only rise", async () => {
  await using test = await createTestStore();
  const { id } = await test.store.create(fact({ description: "counter" }));
  const writers = ["a", "b"].map((who) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `const { FactStore } = await import(${JSON.stringify(new URL("./fact_store.ts", import.meta.url).href)});
        const store = new FactStore({ folders: ${JSON.stringify(test.folders)} });
        for (let n = 0; n < 10; n++) {
          await store.create({ scope: "project", description: "${who} " + n, body: "x" });
          await store.update(${JSON.stringify(id)}, { description: "counter", body: "${who}" + n });
        }`,
      ],
      stderr: "inherit",
    }).output()
  );
  assert.ok((await Promise.all(writers)).every(({ success }) => success));
  assert.equal((await test.store.load()).active.length, 21);
  const { fact: now, earlier } = await test.store.revisions(id);
  assert.deepEqual([...earlier, now].map(({ revision }) => revision), Array.from({ length: 21 }, (_, at) => at + 1));
});

Deno.test("an unasked fact is refused when any fact says the same by name, title or description", async () => {
  // proves MEM-17
  await using test = await createTestStore();
  await test.store.create({ ...fact({ description: "Use tabs, always", title: "Tabs" }), scope: "global" });
  for (const same of [{ description: "use TABS always" }, { description: "other", title: "ta-bs" }]) {
    await assert.rejects(test.store.create(fact(same), { unasked: true }), refused(/global\/tabs.md exists already/));
  }
  await test.store.create(fact({ description: "use TABS always" }));
});

Deno.test("a subject belongs to one active fact of a scope", async () => {
  await using test = await createTestStore();
  const holder = await test.store.create(fact({ description: "a", subjectKey: "Build Tool" }));
  await assert.rejects(
    test.store.create(fact({ description: "b", subjectKey: "build  tool" })),
    refused(new RegExp(`belongs to ${holder.id}`)),
  );
  await test.store.create({ ...fact({ description: "c", subjectKey: "build tool" }), scope: "global" });
  await test.store.update(holder.id, { description: "a", body: "a", subjectKey: "" });
  await test.store.create(fact({ description: "b", subjectKey: "build tool" }));
});

Deno.test("forgetting moves the file whole to the archive and takes its line out of the index", async () => {
  // proves MEM-08
  await using test = await createTestStore();
  await test.store.create(fact({ description: "old way", name: "way" }));
  const text = await test.text("project/way.md");
  const { path } = await test.store.forget("way");
  assert.equal(path, "project/.archive/20260131-094512.123-way.md");
  assert.equal(await test.text(path), text);
  assert.deepEqual((await test.store.load()).active, []);
  assert.equal((await test.text("project/MEMORY.md")).includes("way"), false);
  await test.store.create(fact({ description: "old way", name: "way" }));
  assert.equal((await test.store.forget("way")).path, "project/.archive/20260131-094512.123-way-1.md");
  assert.deepEqual((await test.store.archived()).map(({ path }) => path), [
    "project/.archive/20260131-094512.123-way.md",
    "project/.archive/20260131-094512.123-way-1.md",
  ]);
});

Deno.test("restoring and recovering make higher revisions, and later changes rise from there", async () => {
  // proves MEM-24
  await using test = await createTestStore();
  const { id } = await test.store.create(fact({ description: "one", name: "n" }));
  await test.store.update(id, { description: "two", body: "two" });
  const restored = await test.store.restore(id, 1);
  assert.deepEqual([restored.revision, restored.description, restored.id], [3, "one", id]);
  assert.equal((await test.store.update(id, { description: "four", body: "4" }, 3)).revision, 4);
  const { path } = await test.store.forget(id);
  const recovered = await test.store.recover(path);
  assert.deepEqual([recovered.id, recovered.revision, recovered.description], [id, 5, "four"]);
  assert.equal((await test.store.verify(id)).revision, 6);
  const { earlier } = await test.store.revisions(id);
  assert.deepEqual(earlier.map(({ revision }) => revision), [1, 2, 3, 4, 5]);
});

Deno.test("a file edited by hand under an old number is a revision of its own", async () => {
  await using test = await createTestStore();
  const { id } = await test.store.create(fact({ description: "one", name: "n" }));
  await test.store.update(id, { description: "two", body: "two" });
  const text = await test.text("project/n.md");
  await test.put("project/n.md", text.replace("revision: 2", "revision: 1").replace("\ntwo\n", "\nby hand\n"));
  const after = await test.store.update(id, { description: "three", body: "three" });
  assert.equal(after.revision, 3);
  const { earlier } = await test.store.revisions(id);
  assert.deepEqual(earlier.map(({ revision, body }) => [revision, body]), [[1, "one"], [2, "by hand"]]);
});

Deno.test("recovery refuses paths outside the archive, links, and whatever is in the way", async () => {
  // proves MEM-25
  await using test = await createTestStore();
  await test.store.create(fact({ description: "kept", name: "kept" }));
  const { path } = await test.store.forget("kept");
  await test.put("secret.md", "---\ndescription: secret\n---\nsecret\n");
  await Deno.symlink(`${test.base}/secret.md`, `${test.folders.project}/.archive/20260101-000000.000-link.md`);
  for (
    const bad of [
      ...["../secret.md", "project/../secret.md", "/etc/passwd", "project/.archive/../../secret.md", ""],
      ...["project/.archive/20260101-000000.000-link.md", "20260101-000000.000-none.md", "MEMORY.md", "a\\b.md"],
    ]
  ) await assert.rejects(test.store.recover(bad), ToolError, bad);
  await test.store.create(fact({ description: "new", name: "kept" }));
  await assert.rejects(test.store.recover(path), refused(/in the way; nothing was overwritten/));
  assert.equal((await test.store.find("kept")).description, "new");
});

Deno.test("restoring refuses revisions that are links, and unknown ones", async () => {
  // proves MEM-25
  await using test = await createTestStore();
  const { id } = await test.store.create(fact({ description: "one" }));
  await test.store.update(id, { description: "two", body: "two" });
  await test.put("secret.md", "---\ndescription: secret\n---\nsecret\n");
  await Deno.symlink(`${test.base}/secret.md`, `${test.folders.project}/.revisions/${id}/r7.md`);
  for (const revision of [0, 2, 7, 99]) await assert.rejects(test.store.restore(id, revision), ToolError);
  assert.equal((await test.store.find(id)).description, "two");
});

Deno.test("a link in the store is no fact, and nothing is written through one", async () => {
  // proves MEM-25
  await using test = await createTestStore();
  await test.put("outside.md", "---\ndescription: outside\n---\noutside\n");
  await Deno.mkdir(test.folders.project);
  await Deno.symlink(`${test.base}/outside.md`, `${test.folders.project}/linked.md`);
  const { active, problems } = await test.store.load();
  assert.deepEqual([active, problems], [[], ["project/linked.md is a link, which is not followed"]]);
  await assert.rejects(test.store.create(fact({ description: "x", name: "linked" })), refused(/exists already/));
  assert.equal(await test.text("outside.md"), "---\ndescription: outside\n---\noutside\n");
});

Deno.test("an archive that is a link leads nowhere", async () => {
  // proves MEM-25
  await using test = await createTestStore();
  await test.store.create(fact({ description: "x", name: "x" }));
  await Deno.mkdir(`${test.base}/elsewhere`);
  await Deno.symlink(`${test.base}/elsewhere`, `${test.folders.project}/.archive`);
  await assert.rejects(test.store.forget("x"), refused(/no folder/));
  assert.deepEqual(test.names("elsewhere"), []);
});

Deno.test("files of earlier versions and of people are facts with an id that stays", async () => {
  // proves MEM-23
  await using test = await createTestStore();
  await test.put("project/old-note.md", "---\ntitle: Old\ndescription: from before\ntags: [x]\n---\n\nText\n");
  await test.put("global/plain.md", "# Just a file\n\nwith text");
  await test.put("project/empty.md", "");
  const once = await test.store.load();
  const again = await new FactStore({ folders: test.folders }).load();
  assert.deepEqual(once, again);
  assert.deepEqual(
    once.active.map(({ id, revision, scope, description }) => [/^legacy-/.test(id), revision, scope, description]),
    [
      [true, 1, "project", "from before"],
      [true, 1, "global", "Just a file"],
    ],
  );
  assert.deepEqual(once.problems, [
    "project/empty.md says nothing: it has neither description nor text, or cannot be read",
  ]);
  const after = await test.store.update("old-note", { description: "updated", body: "New" });
  assert.deepEqual([after.id, after.revision], [once.active[0]!.id, 2]);
  assert.match(await test.text("project/old-note.md"), /^tags: \[x\]$/m);
});

Deno.test("two files with one id are told, and the copy has an id of its own", async () => {
  await using test = await createTestStore();
  const { id } = await test.store.create(fact({ description: "a", name: "a" }));
  await test.put("project/b.md", await test.text("project/a.md"));
  const { active, problems } = await test.store.load();
  assert.deepEqual(active.map((one) => one.id), [id, `copy-b-${id}`]);
  assert.deepEqual(problems, ["project/b.md has the id of project/a.md"]);
});

Deno.test("names are slugs that no file system takes for something else", async () => {
  await using test = await createTestStore();
  const names = [];
  for (const title of ["../../etc/passwd", "MEMORY", "CON", "数据库 端口", "A b_C.d", "!!!", "x".repeat(400)]) {
    names.push((await test.store.create(fact({ description: title, title }))).name);
  }
  assert.deepEqual(names.slice(0, 5), ["etc-passwd", "memory-fact", "con-fact", "数据库-端口", "a-b-c-d"]);
  assert.match(names[5]!, /^fact-[0-9a-f]{8}$/);
  assert.equal(names[6]!.length, 120);
});

Deno.test("text around the list of the index stays where it is", async () => {
  await using test = await createTestStore();
  const own = "# My notes\n\nRead [this](guide.md) first.\n\n";
  await test.put(
    "project/MEMORY.md",
    `${own}- [Gone](gone.md) — [project/project] is not there\n- [mine](mine.md) by hand\n\nThe end.\n`,
  );
  const { id } = await test.store.create(fact({ description: "one [x]", title: "T [1]", name: "one" }));
  await test.store.setActivation(id, "pinned");
  assert.equal(
    await test.text("project/MEMORY.md"),
    `${own}- [T \\[1\\]](one.md) — [project/project pinned] one [x]\n- [mine](mine.md) by hand\n\nThe end.\n`,
  );
});

Deno.test("a fact is found by id, by name, and by store and name; a wrong name gets a hint", async () => {
  await using test = await createTestStore();
  const project = await test.store.create(fact({ description: "a", name: "editor" }));
  const global = await test.store.create({ ...fact({ description: "b", name: "editor" }), scope: "global" });
  assert.deepEqual(await test.store.find(global.id), global);
  assert.deepEqual(await test.store.find("project/editor.md"), project);
  await assert.rejects(test.store.find("editor"), refused(/in both stores/));
  await assert.rejects(test.store.find("edittor"), refused(/did you mean editor\?/));
});

Deno.test("an index that is a link or no file is left alone, and facts are saved all the same", async () => {
  await using test = await createTestStore();
  await test.put("outside.md", "mine\n");
  await Deno.mkdir(test.folders.project);
  await Deno.symlink(`${test.base}/outside.md`, `${test.folders.project}/MEMORY.md`);
  await test.store.create(fact({ description: "one", name: "one" }));
  assert.equal(await test.text("outside.md"), "mine\n");
  assert.deepEqual((await test.store.load()).active.map(({ name }) => name), ["one"]);
});
