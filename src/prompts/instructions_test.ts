import assert from "node:assert/strict";
import { loadInstructions, toInstructionPrompt } from "./instructions.ts";

async function setUp(files: Record<string, string>, links: Record<string, string> = {}) {
  const base = await Deno.realPath(await Deno.makeTempDir());
  for (const folder of ["home", "ws", "user"]) await Deno.mkdir(`${base}/${folder}`);
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${base}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${base}/${path}`, text);
  }
  for (const [path, target] of Object.entries(links)) {
    await Deno.symlink(target.replace("<base>", base), `${base}/${path}`);
  }
  return {
    base,
    load: () =>
      loadInstructions({
        home: `${base}/home`,
        root: `${base}/ws`,
        userHome: `${base}/user`,
        isForbidden: (real) => real.includes("/hidden"),
      }),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}

Deno.test("documents come in order of rank, the workspace's own and the local ones last", async () => {
  await using place = await setUp({
    "home/AGENTS.md": "from home",
    "ws/CLAUDE.md": "claude",
    "ws/REASONIX.md": "reasonix",
    "ws/AGENTS.local.md": "local",
  });
  const { documents } = await place.load();
  assert.deepEqual(documents.map((one) => one.origin), [
    "user/AGENTS.md",
    "workspace/REASONIX.md",
    "workspace/CLAUDE.md",
    "workspace/AGENTS.local.md",
  ]);
  assert.match(
    toInstructionPrompt({ documents, notes: [] })!,
    /^# Instructions\n\n[\s\S]*## user\/AGENTS.md \(applies to .*\/home\)\n\nfrom home\n\n## workspace/,
  );
});

Deno.test("of equal documents the one of higher rank stays", async () => {
  await using place = await setUp({ "home/AGENTS.md": "same", "ws/AGENTS.md": "same\n", "ws/CLAUDE.md": "same" });
  assert.deepEqual((await place.load()).documents.map((one) => one.origin), ["workspace/CLAUDE.md"]);
});

Deno.test("imports are put in place, but not in a code fence", async () => {
  await using place = await setUp({
    "ws/AGENTS.md": "before\n@docs/rules.md\n```\n@docs/rules.md\n```\n@mention\nafter",
    "ws/docs/rules.md": "Never edit gen/.",
  });
  const { documents, notes } = await place.load();
  assert.equal(
    documents[0]!.text,
    'before\n<instruction-import path="docs/rules.md">\nNever edit gen/.\n</instruction-import>\n```\n@docs/rules.md\n```\n@mention\nafter',
  );
  assert.deepEqual(notes, []);
});

Deno.test("imports cannot loop, leave the project, follow links out, or reach what is missing or too large", async () => {
  await using place = await setUp({
    "ws/AGENTS.md": "@A.md\n@../secret.md\n@~/.ssh/config\n@/etc/hosts\n@out.md\n@gone.md\n@big.md",
    "ws/A.md": "@B.md",
    "ws/B.md": "b\n@A.md",
    "secret.md": "secret",
    "ws/big.md": "x".repeat(70_000),
  }, { "ws/out.md": "<base>/secret.md" });
  const { documents, notes } = await place.load();
  const text = documents[0]!.text;
  assert.doesNotMatch(text, /secret\n|xxx/);
  assert.deepEqual(notes.map((note) => /\((\w+)\)/.exec(note)?.[1]), [
    "import_cycle",
    "import_outside_source",
    "import_outside_source",
    "import_outside_source",
    "import_symlink_escape",
    "import_unreadable",
    "import_unreadable",
  ]);
  assert.match(text, /<!-- import @gone.md refused: import_unreadable -->/);
});

Deno.test("what is imported twice stands once, and imports that import more and more come to an end", async () => {
  const lines = (text: string) => `${text}\n`.repeat(300);
  await using place = await setUp({
    "ws/AGENTS.md": "@./a.md\n@./a.md",
    "ws/a.md": "once",
    "ws/CLAUDE.md": lines("@./b.md"),
    "ws/b.md": lines("@./c.md"),
    "ws/c.md": lines("@./d.md"),
    "ws/d.md": lines("@./e.md"),
    "ws/e.md": "deep",
  });
  const { documents } = place.load();
  const [agents, claude] = documents;
  assert.equal(
    agents!.text,
    '<instruction-import path="./a.md">\nonce\n</instruction-import>\n<!-- import @./a.md left out: it is above -->',
  );
  assert.equal(claude!.text.split("deep").length, 2);
});

Deno.test("of more imports than anybody writes the rest is refused, and not each is told", async () => {
  const names = Array.from({ length: 150 }, (_, at) => `p${at}.md`);
  await using place = await setUp({
    ...Object.fromEntries(names.map((name) => [`ws/${name}`, `the text of ${name}`])),
    "ws/AGENTS.md": names.map((name) => `@./${name}`).join("\n"),
  });
  const { documents, notes } = place.load();
  assert.equal(documents[0]!.text.split("refused: import_too_many").length - 1, 50);
  assert.equal(notes.length, 20);
});

Deno.test("a document that is a link out of its folder, or no plain file, is named and not read", async () => {
  await using place = await setUp({ "secret.md": "secret" }, {
    "ws/AGENTS.md": "<base>/secret.md",
    "ws/CLAUDE.md": "/dev/zero",
  });
  const { documents, notes } = await place.load();
  assert.deepEqual(documents, []);
  assert.equal(notes.length, 2);
});

Deno.test("all documents together stay within a stated bound, the highest in rank kept", async () => {
  const files = Object.fromEntries(
    ["REASONIX", "AGENTS", "CLAUDE"].map((name) => [`ws/${name}.md`, name + "x".repeat(60_000)]),
  );
  await using place = await setUp(files);
  const { documents, notes } = await place.load();
  assert.deepEqual(documents.map((one) => one.origin), ["workspace/AGENTS.md", "workspace/CLAUDE.md"]);
  assert.match(notes[0]!, /workspace\/REASONIX.md was left out/);
});

Deno.test("what the agent may not read comes in neither as a document nor by an import", async () => {
  await using place = await setUp({
    "ws/AGENTS.md": "@hidden/key.md\n@link.md",
    "ws/hidden/key.md": "secret",
    "home/hidden.md": "secret",
  }, { "ws/link.md": "hidden/key.md", "home/AGENTS.md": "hidden.md" });
  const { documents } = await place.load();
  assert.deepEqual(documents.map(({ origin, text }) => [origin, text]), [[
    "workspace/AGENTS.md",
    "<!-- import @hidden/key.md refused: import_unreadable -->\n" +
    "<!-- import @link.md refused: import_unreadable -->",
  ]]);
});
