import assert from "node:assert/strict";
import { leadsOut, parseCommand, renderCommand } from "./command_file.ts";

Deno.test("a head gives description and argument hint; the rest is the text", () => { // proves CMD-09
  assert.deepEqual(
    parseCommand(
      "---\ndescription: Review the staged diff\nargument-hint: [focus-area]\nmodel: x\n---\nReview $ARGUMENTS.\n",
    ),
    { description: "Review the staged diff", argumentHint: "[focus-area]", body: "Review $ARGUMENTS." },
  );
});

Deno.test("without a head everything is the text, and its first line describes it", () => {
  assert.deepEqual(parseCommand("# Tidy up\n\nDo it."), {
    description: "Tidy up",
    argumentHint: "",
    body: "# Tidy up\n\nDo it.",
  });
});

for (
  const [what, text] of [
    ["an open head", "---\ndescription: x\nbody"],
    ["a head line that is no key and value", "---\n- a list\n---\nbody"],
    ["no text", "---\ndescription: x\n---\n\n"],
  ] as const
) {
  Deno.test(`a file with ${what} is no command`, () => assert.ok("problem" in parseCommand(text)));
}

for (
  const [body, args, expected] of [
    ["all: $ARGUMENTS.", "a  b c", "all: a b c."],
    ["$1-$2-$3", "a b", "a-b-"],
    ["$10 and $1", "1 2 3 4 5 6 7 8 9 ten", "ten and 1"],
    ["costs $$5, $$ARGUMENTS", "x", "costs $5, $ARGUMENTS"],
    ["$1", "$2 b", "$2"],
    ["$0 $x ${HOME} $", "a", "$0 $x ${HOME} $"],
    ["none", "a b", "none"],
    ["[$ARGUMENTS]", "", "[]"],
  ] as const
) {
  Deno.test(`${body} with "${args}" becomes ${expected}`, () => { // proves CMD-10, CMD-11
    assert.equal(renderCommand(body, args), expected);
  });
}

Deno.test("what leads out of the folder is found in the rendered text, unless the person typed it", () => {
  const out = (body: string, args = "") => leadsOut(renderCommand(body, args), args);
  assert.equal(out("See @/etc/passwd."), "/etc/passwd.");
  assert.equal(out('See @"/home/me/my notes"'), "/home/me/my notes");
  assert.equal(out("See @src/../../x and @~/.ssh/id"), "src/../../x");
  assert.equal(out("See @$9/etc/passwd"), "/etc/passwd", "an argument that is not there");
  assert.equal(out("See @$1", "/etc/hosts"), undefined);
  assert.equal(out("See $ARGUMENTS", "this: @/etc/hosts"), undefined);
  assert.equal(out("See @src/main.ts and me@example.com"), undefined);
});
