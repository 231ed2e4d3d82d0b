/** Output styles in a whole session: where they stand, and that requests keep extending each other. */
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";

const say = (harness: Harness, line: string) => harness.controller.commands!.run(line);

const systemOf = (harness: Harness): string => harness.model.requests.at(-1)!.body.messages[0].content;
const lastWords = (harness: Harness): string => harness.model.requests.at(-1)!.body.messages.at(-1).content;

Deno.test("a style of the settings stands in the standing prompt of a conversation", async () => {
  await using harness = await Harness.start([{ text: "1" }], { config: '[agent]\noutput_style = "Concise"\n' });
  await harness.prompt("go");
  assert.match(systemOf(harness), /<output-style name="concise">\n[^]*as few words[^]*<\/output-style>/);
  assert.equal(lastWords(harness), "go");
});

Deno.test("a change is told with the next message, the prefix stays, and the next conversation begins with it", async () => {
  await using harness = await Harness.start([{ text: "1" }, { text: "2" }, { text: "3" }, { text: "4" }], {
    request: { interactive: true },
    files: { ".reasonix/output-styles/pirate.md": "---\ndescription: talks like a pirate\n---\nTalk like a pirate." },
  });
  await Deno.mkdir(`${harness.home}/output-styles`);
  await Deno.writeTextFile(`${harness.home}/output-styles/pirate.md`, "mine, and hidden by the folder's");
  await Deno.writeTextFile(`${harness.home}/output-styles/haiku.md`, "Answer in haiku.");
  const shown = await say(harness, "/output-style");
  assert.deepEqual(
    shown.kind === "screen" && shown.screen.rows.map(({ label, detail }) => `${label}: ${detail}`),
    [
      "default: no special style",
      "concise: as few words as carry the answer",
      "explanatory: says why, and what is worth knowing",
      "learning: leaves a piece of the work to you",
      "pirate: talks like a pirate (of this folder)",
      "haiku: Answer in haiku. (yours)",
    ],
  );
  await harness.prompt("first");
  const prompt = systemOf(harness);
  assert.deepEqual(await say(harness, "/output-style PIRATE"), {
    kind: "done",
    text: "Output style: pirate, from your next message on.",
  });
  assert.match(await Deno.readTextFile(`${harness.home}/config.toml`), /output_style = "pirate"/);
  await harness.prompt("second");
  assert.equal(systemOf(harness), prompt);
  assert.match(
    lastWords(harness),
    /^<output-style name="pirate">\n[^]*Talk like a pirate\.\n<\/output-style>\n\nsecond$/,
  );
  await harness.prompt("third");
  assert.equal(lastWords(harness), "third");
  await say(harness, "/new");
  harness.model.allowNextReset = true;
  await harness.prompt("fourth");
  assert.match(systemOf(harness), /<output-style name="pirate">/);
  assert.equal(lastWords(harness), "fourth");
});

Deno.test("a style that is not there is named, with those that are, and nothing changes", async () => {
  await using harness = await Harness.start([{ text: "1" }], {
    config: '[agent]\noutput_style = "terse"\n',
    request: { interactive: true },
    files: { ".reasonix/output-styles/escape.md": "x" },
  });
  assert.deepEqual(harness.controller.notices, [
    'agent.output_style: there is no output style "terse"; answers have no special style',
  ]);
  assert.deepEqual(await say(harness, "/output-style concice"), {
    kind: "error",
    text: 'there is no output style "concice"; did you mean concise?\nKnown: concise, explanatory, learning, escape.',
  });
  await harness.prompt("go");
  assert.doesNotMatch(systemOf(harness), /output-style/);
});

Deno.test("a folder's style that leads out of the folder is no style", async () => {
  await using harness = await Harness.start([], { request: { interactive: true } });
  await Deno.writeTextFile(`${harness.home}/secret.md`, "private notes");
  await Deno.mkdir(`${harness.root}/.reasonix/output-styles`, { recursive: true });
  await Deno.symlink(`${harness.home}/secret.md`, `${harness.root}/.reasonix/output-styles/leak.md`);
  const answer = await say(harness, "/output-style leak");
  assert.match("text" in answer ? answer.text! : "", /there is no output style "leak"/);
});
