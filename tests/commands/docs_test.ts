/** The pages that come with the program, as `/docs` reads and searches them. */
import assert from "node:assert/strict";
import { loadDocuments } from "../../src/assembly/embedded_docs.ts";
import type { CommandAnswer } from "../../src/controller/mod.ts";
import { Harness } from "../support/harness.ts";

const run = (harness: Harness, line: string): Promise<CommandAnswer> => harness.controller.commands!.run(line);

const textOf = (answer: CommandAnswer): string => "text" in answer ? answer.text ?? "" : "";

Deno.test("a question finds the section that answers it", async () => {
  const documents = await loadDocuments();
  const best = (question: string) => documents.search(question).slice(0, 2).map(({ address }) => address);
  const questions = {
    "how do I go back to an earlier turn?": "guide/going-back-rewind",
    "proxy": "config/all-keys-network",
    "what does exit code 2 of a hook mean": "events/codes-of-hooks",
    "its TLS certificate is not trusted": "troubleshooting/the-model-cannot-be-reached",
    "what does --takeover do": "commands/reasonix-run",
    "trust a folder": "guide/folders-that-bring-settings-reasonix-trust",
    "compact_ratio": "config/all-keys-agent",
    "如何安装": "readme-zh/安装",
  };
  for (const [question, address] of Object.entries(questions)) {
    assert.ok(best(question).includes(address), `${question}: ${best(question)}`);
  }
  assert.deepEqual(documents.search("what is the"), []);
});

Deno.test("every section has an address of its own, and is found whole by it", async () => {
  const documents = await loadDocuments();
  const addresses = documents.pages.flatMap(({ sections }) => sections.map(({ address }) => address));
  assert.deepEqual(addresses, [...new Set(addresses)]);
  const missing = addresses.filter((address) => (documents.section(address)?.text ?? "") === "");
  assert.deepEqual(missing, []);
});

Deno.test("/docs lists pages, then sections, and answers without a model", async () => {
  await using harness = await Harness.start([], { request: { interactive: true } });
  const pages = await run(harness, "/docs");
  assert.ok(pages.kind === "screen");
  assert.deepEqual(pages.screen.rows[0]?.actions.enter?.line, "/docs guide");
  const sections = await run(harness, "/docs guide");
  assert.ok(sections.kind === "screen");
  const hooks = sections.screen.rows.find(({ label }) => label === "Hooks");
  assert.match(textOf(await run(harness, hooks!.actions.enter!.line)), /^## guide › Hooks\n\nPrograms of yours/);
  assert.match(textOf(await run(harness, "/docs compact_ratio")), /\| `compact_ratio` /);
  assert.match(textOf(await run(harness, "/docs xyzzyplugh")), /^Nothing in the documentation has these words/);
  assert.deepEqual(harness.model.requests, []);
});

Deno.test("a command called docs of somebody else comes first, and the pages are at /reasonix:docs", async () => {
  await using harness = await Harness.start([], {
    request: { interactive: true },
    files: { ".reasonix/commands/docs.md": "Write the docs of $ARGUMENTS." },
  });
  await run(harness, "/reload-cmd");
  assert.deepEqual(await run(harness, "/docs the parser"), { kind: "prompt", text: "Write the docs of the parser." });
  assert.equal((await run(harness, "/reasonix:docs")).kind, "screen");
  const listed = harness.controller.commands!.list().filter(({ name }) => name.endsWith("docs"));
  assert.deepEqual(listed.map(({ name, group }) => [name, group]), [["reasonix:docs", "built_in"], ["docs", "custom"]]);
});
