// The first hour of the guide, followed in a real terminal. Needs the Debian package `tmux`.
import assert from "node:assert/strict";
import { Pane, TMUX } from "../support/tmux.ts";
import { page } from "./_markdown.ts";
import { Reader, scriptOf } from "./_reader.ts";

const guide = page("docs/GUIDE.md");
const HOUR = "Ask something";
const cards = guide.blocks.filter(({ language }) => language === "screen").map(({ text }) => text.trimEnd());

Deno.test({ name: "the first hour of the guide goes as it says", ignore: !TMUX }, async () => {
  await using reader = await Reader.create();
  const setUp = guide.blocks.filter(({ heading, language }) => heading === HOUR && language === "sh");
  const { script } = scriptOf({ ...guide, blocks: setUp });
  const { code, err } = await reader.shell(script);
  assert.equal(code, 0, err);
  const folder = `${reader.bed.workspace}/first-hour`;
  const add = () => Deno.readTextFile(`${folder}/add.sh`);
  const before = await add();

  await using pane = await Pane.open({ columns: 100, rows: 40, cwd: folder, env: reader.env });
  // tmux gives its panes the path of its client.
  await pane.line(`PATH='${reader.env.PATH}'; clear`);
  await pane.line("reasonix");
  await pane.shows("ready");
  await pane.line("sh test.sh fails; mend add.sh");
  for (const [index, key] of ["y", "a"].entries()) {
    const screen = await pane.shows(cards[index]!.split("\n")[0]!);
    assert.ok(plain(screen).includes(cards[index]!), `${screen}\n\ndoes not show\n\n${cards[index]}`);
    // A key pressed as the card appears is taken for typing.
    await new Promise((done) => setTimeout(done, 500));
    await pane.key(key);
  }
  await pane.shows("Now the test says: right.");
  await pane.shows("ready");
  assert.notEqual(await add(), before);

  await pane.line("/rewind");
  await pane.shows("Go back to before");
  await pane.key("Enter");
  await pane.shows("❯   Files and conversation");
  await pane.key("Enter");
  await pane.shows("Do it, and cut the conversation before that turn");
  await pane.key("Enter");
  await pane.shows("1 file restored");
  assert.equal(await add(), before);
  await pane.shows(/^sh test\.sh fails; mend add\.sh$/m);
  await pane.key("C-c");
  await pane.line("/rewind undo");
  await pane.shows("Took the rewind back");
  assert.notEqual(await add(), before);

  await pane.key("BTab");
  await pane.shows("[Auto]");
  await pane.key("BTab");
  await pane.shows("Plan mode");
  await pane.line("# always run sh test.sh after a change");
  await pane.shows(/Noted in `?REASONIX\.md/);
  assert.match(await Deno.readTextFile(`${folder}/REASONIX.md`), /always run sh test\.sh after a change/);
  await pane.key("C-d");
  await pane.shows("Go on with it: reasonix --resume ");
  await pane.line("reasonix trust");
  await pane.shows("Trust this folder?");
  await pane.line("y");
  await pane.shows("It is trusted.");
  assert.equal(cards.length, 2, "each screen of the guide is looked for above");
});

/** Without the blanks at the ends of lines. */
function plain(screen: string): string {
  return screen.split("\n").map((line) => line.trimEnd()).join("\n");
}
