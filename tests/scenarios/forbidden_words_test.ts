/** What `forbid_read` keeps from the agent does not reach the model in the words a folder brings with it. */
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";

const FORBIDDEN = '[sandbox]\nforbid_read = ["secrets"]\n';

Deno.test("instructions, links and a prompt of the folder carry nothing forbidden to the model", async () => {
  const files = { "secrets/key.txt": "the forbidden words\n", "AGENTS.md": "hello\n@secrets/key.txt\n@link.txt\n" };
  await using h = await Harness.start([{ text: "ok" }], { files, config: FORBIDDEN });
  await Deno.symlink("secrets/key.txt", `${h.root}/link.txt`);
  await Deno.symlink("secrets/key.txt", `${h.root}/CLAUDE.md`);
  await h.open({});
  await h.prompt("go");
  const { text } = h.model.requests[0]!;
  assert.ok(text.includes("hello"));
  assert.ok(!text.includes("the forbidden words"));
});

Deno.test("a folder's own prompt is no way to a forbidden file, nor to one that never ends", async () => {
  const files = {
    "secrets/key.txt": "the forbidden words\n",
    "reasonix.toml": '[agent]\nsystem_prompt_file = "secrets/key.txt"\n',
  };
  await assert.rejects(Harness.start([], { files, config: FORBIDDEN }), { code: "config.unreadable" });
});
