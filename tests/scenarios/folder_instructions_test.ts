/** Instructions of folders in whole sessions: told before anything is written there, once, behind what was sent before. */
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";

const FILES = {
  "AGENTS.md": "Root rules.",
  "src/AGENTS.md": "Tabs in src.",
  "src/main.ts": "export {};\n",
};

const results = (harness: Harness): string[] =>
  harness.model.requests.at(-1)!.body.messages.filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: string }) => content);

Deno.test("a folder's instructions come with the first result from it and stand in no earlier bytes", async () => {
  await using harness = await Harness.start([
    { calls: [{ name: "read_file", args: { path: "src/main.ts" } }] },
    { calls: [{ name: "read_file", args: { path: "src/main.ts" } }] },
    { text: "read" },
  ], { files: FILES });
  await harness.prompt("read it twice");
  const [first = "", second = ""] = results(harness);
  assert.match(first, /export \{\};[^]*<folder-instructions folder="src">[^]*Tabs in src\.\n<\/folder-instructions>$/);
  assert.doesNotMatch(second, /folder-instructions/);
  const system = harness.model.requests[0]!.body.messages[0].content;
  assert.match(system, /Root rules\./);
  assert.doesNotMatch(system, /Tabs in src/);
});

Deno.test("a new file is written only after the folder's instructions were read, and no approval is asked for before", async () => {
  const write = { name: "write_file", args: { path: "src/new/added.ts", content: "\tx\n" } };
  await using harness = await Harness.start([{ calls: [write] }, { calls: [write] }, { text: "written" }], {
    files: FILES,
  });
  await harness.prompt("add a file");
  const [first = "", second = ""] = results(harness);
  assert.match(first, /^error: not run yet, nothing was changed[^]*Tabs in src\./);
  assert.doesNotMatch(second, /error|blocked/);
  assert.equal(await Deno.readTextFile(`${harness.root}/src/new/added.ts`), "\tx\n");
});
