import assert from "node:assert/strict";
import fc from "fast-check";
import { ToolError } from "../../contract/errors.ts";
import { type Edit, editText } from "./edit_text.ts";

function edit(text: string, old: string, replacement: string, all = false): string {
  return editText(text, [{ old, new: replacement, all }]).text;
}

function errorOf(text: string, ...edits: Edit[]): string {
  try {
    editText(text, edits);
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
  throw new Error("nothing failed");
}

Deno.test("LF in the arguments stands for the file's CRLF, and added lines end as their neighbours do", () => {
  const file = "def hi(n):\r\n\treturn n\r\n\r\ndef sum2(a, b):\r\n\treturn a + b\r\n";
  assert.equal(
    edit(file, "def hi(n):\n\treturn n\n", "def hi(n):\n\tn = n.strip()\n\treturn n\n"),
    "def hi(n):\r\n\tn = n.strip()\r\n\treturn n\r\n\r\ndef sum2(a, b):\r\n\treturn a + b\r\n",
  );
  assert.equal(edit(file, "\treturn n", "\tx\n\ty"), file.replace("\treturn n", "\tx\r\n\ty"));
});

Deno.test("in a file with mixed line ends only the match changes, and new lines follow their surroundings", () => {
  assert.equal(edit("a\r\nb\nc\r\nd\n", "b", "B"), "a\r\nB\nc\r\nd\n");
  assert.equal(edit("a\r\nb\nc\r\nd\n", "b", "B\nB2"), "a\r\nB\nB2\nc\r\nd\n");
  assert.equal(edit("a\r\nb\nc\r\nd\n", "c", "C\nC2"), "a\r\nb\nC\r\nC2\r\nd\n");
  assert.equal(edit("a\r\nb\nc\r\nd\n", "a\nb\nc\n", "a\nx\nb\nC\n"), "a\r\nx\nb\nC\r\nd\n");
  assert.equal(edit("a\r\nb", "b", "b\nc"), "a\r\nb\r\nc");
  assert.equal(edit("a\r\nb", "b", "b\nc\n"), "a\r\nb\r\nc\r\n");
});

Deno.test("a line end added after the last line, and no line with it, is written as given", () => {
  assert.equal(edit("a\r\nb", "b", "b\n"), "a\r\nb\n");
});

Deno.test("carriage returns the model writes itself are taken literally", () => {
  assert.equal(edit("a\r\nb\r\n", "a\r\nb", "a\nb"), "a\nb\r\n");
  assert.equal(edit("a\nb\n", "a", "a\r\nx"), "a\r\nx\nb\n");
  assert.equal(edit("a\nb\n", "a\r\nb\r\n", "a\r\nc\r\n"), "a\nc\n");
});

Deno.test("dollar sequences in the new text mean nothing, once or everywhere", () => {
  const replacement = "$$5 $& $1 $` $' end";
  assert.equal(edit("price = OLD;\n", "OLD", replacement), `price = ${replacement};\n`);
  assert.equal(edit("OLD OLD", "OLD", replacement, true), `${replacement} ${replacement}`);
});

Deno.test("the file's typographic quotes and dashes stay where new_string repeats old_string", () => {
  assert.equal(edit("He wrote, “Yes.”\n", 'He wrote, "Yes."', 'He wrote, "No."'), "He wrote, “No.”\n");
  assert.equal(edit("pages 3–5: ‘see’\n", "pages 3-5: 'see'", "pages 3-7: 'look'"), "pages 3–7: ‘look’\n");
  assert.equal(edit("fmt('%d')\n", "‘%d’", "‘%s’"), "fmt('%s')\n");
  assert.equal(edit("a\u00a0= 1\n", "a = 1", "a = 2"), "a\u00a0= 2\n");
});

Deno.test("a change from straight to typographic quotes is a change", () => {
  assert.equal(edit("fmt('%d')\n", "'%d'", "‘%d’"), "fmt(‘%d’)\n");
});

Deno.test("when new_string adds a character that old_string had mistaken for another, the edit is refused", () => {
  assert.equal(
    errorOf("He wrote, “Yes.”\n", { old: 'He wrote, "Yes."', new: '\'No\' he said, "well" and "no"' }),
    'line 1 of the file has “ (U+201C) where old_string has " (U+0022), and new_string adds more of it; ' +
      "nothing was changed. The real text is:\nHe wrote, “Yes.”\n" +
      "Copy its characters into old_string and new_string.",
  );
  assert.equal(edit("say “Yes” now\n", 'say "Yes" now', "say it now"), "say it now\n");
});

Deno.test("no edit through a tolerant match brings straight quotes into a place of curly ones", () => {
  const word = fc.constantFrom("a", "b", "he said", "no", ",", " ", "\n");
  const piece = fc.oneof(word, fc.constant('"'));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 2, maxLength: 12 }), fc.array(piece, { maxLength: 12 }), (a, b) => {
      const old = `x${a.join("")}x`;
      const replacement = `x${b.join("")}x`;
      fc.pre(old.includes('"') && old !== replacement);
      const file = `${old.replaceAll('"', "“")}\n`;
      let result: string;
      try {
        result = edit(file, old, replacement);
      } catch (error) {
        assert.ok(error instanceof ToolError);
        return;
      }
      assert.ok(!result.includes('"'), result);
    }),
  );
});

Deno.test("trailing blanks may differ, and those of untouched lines stay", () => {
  const file = "class A:\n    x = 1   \n    y = 2\n\tz = 3\n";
  assert.equal(
    edit(file, "class A:\n    x = 1\n    y = 2\n", "class A:\n    x = 7\n    y = 2\n"),
    "class A:\n    x = 7   \n    y = 2\n\tz = 3\n",
  );
  assert.equal(edit(file, "    y = 2  \n\tz = 3", "    y = 4\n\tz = 3"), file.replace("2", "4"));
  assert.equal(edit("foo()\nbar()\n", "foo()  ", "baz()"), "baz()\nbar()\n");
  assert.match(errorOf("foo();\nbar()\n", { old: "foo()  ", new: "baz()" }), /^old_string was not found/);
});

Deno.test("blanks inside a line, indentation and letter case are never forgiven", () => {
  const file = "class A:\n    x = 1   \n    y = 2\n";
  for (const old of ["    x  =  1", "\tx = 1", "    X = 1", "   x = 1\n   y"]) {
    assert.match(errorOf(file, { old, new: "z" }), /^old_string was not found/, old);
  }
});

Deno.test("a block whose inner line differs is refused, and the miss shows the real lines and names the difference", () => {
  const file = "func run() {\n\tretries := 3\n\tdelay := 10\n\tcall()\n}\n";
  assert.equal(
    errorOf(file, { old: file.replace("10", "250"), new: file.replace("3", "5") }),
    "old_string was not found in the file; nothing was changed.\n" +
      "Line 3 differs here: the file has `10`, old_string has `250`.\n" +
      "The nearest lines are below; read the file again if they are not the ones you mean.\n" +
      "1→func run() {\n2→\tretries := 3\n3→\tdelay := 10\n4→\tcall()\n5→}",
  );
});

Deno.test("a miss names indentation, letter case, inner blanks and a missing rest", () => {
  const file = "if (a) {\n\treturn Foo;\n}\n";
  const cases: [string, RegExp][] = [
    [
      "if (a) {\n    return Foo;\n}",
      /Line 2 differs in its indentation: the file has 1 tab, old_string has 4 spaces\./,
    ],
    ["if (a) {\n\treturn foo;\n}", /Line 2 differs in upper and lower case\./],
    ["if (a) {\n\treturn  Foo;\n}", /Line 2 differs in its blanks inside the line\./],
    ["\treturn Foo;\n}\nelse {", /The file ends before old_string does/],
    ["if (a) {\n\treturn Foo;\n}\n\n", /The file ends before old_string does/],
    ["\treturn Fo\n", /Line 2 differs here: the file has `Foo;`, old_string has `Fo`\./],
    ["completely other words", /No line resembles it: read the file again\./],
  ];
  for (const [old, said] of cases) assert.match(errorOf(file, { old, new: "x" }), said);
  assert.match(errorOf("", { old: "a", new: "b" }), /The file is empty\./);
  assert.match(errorOf("a\nb", { old: "b\n", new: "c\n" }), /The file has no line end after its last line\./);
});

Deno.test("several matches are refused with count and lines, overlapping ones included", () => {
  assert.equal(
    errorOf("one\ntwo\none\n", { old: "one", new: "x" }),
    "old_string occurs 2 times, in lines 1, 3; it must occur exactly once. Add surrounding lines that only one place " +
      "has, or use multi_edit with replace_all to change every one.",
  );
  assert.match(errorOf("aaa", { old: "aa", new: "b" }), /^old_string occurs 2 times/);
  assert.match(errorOf("a\r\nb\nx\na\nb\n", { old: "a\nb", new: "c" }), /^old_string occurs 2 times, in lines 1, 4;/);
  assert.match(errorOf("“a”\n‘’\n“a”", { old: '"a"', new: "b" }), /^old_string occurs 2 times, in lines 1, 3;/);
});

Deno.test("matches that lie over each other count as one when each gives the same result", () => {
  assert.equal(edit("a\n\n\n\nb", "\n\n\n", "\n"), "a\n\nb");
  assert.match(errorOf("a\n\n\n\nb", { old: "\n\n\n", new: "x" }), /^old_string occurs 2 times/);
});

Deno.test("replace_all changes every occurrence once, from left to right", () => {
  assert.equal(edit("aaaa b aa", "aa", "a", true), "aa b a");
  assert.equal(edit("x\r\ny\nx\r\n", "x\n", "z\n", true), "z\r\ny\nz\r\n");
});

Deno.test("an empty old_string and identical texts are told", () => {
  assert.equal(errorOf("a", { old: "", new: "b" }), "old_string is required");
  assert.equal(
    errorOf("a", { old: "a", new: "a" }),
    "old_string and new_string are identical: there is nothing to change",
  );
});

Deno.test("receipts show the changed lines of each replacement, and how it matched", () => {
  const { steps } = editText("a\nb\nc “q”\nb2\n", [
    { old: "a\nb\n", new: "a\nB\nBB\n" },
    { old: 'c "q"', new: 'd "q"' },
    { old: "2", new: "3" },
  ]);
  assert.deepEqual(steps, [
    { kind: "exact", occurrences: 1, receipt: "@@ replacement 1 of 3 (1 occurrence) @@\n-b\n+B\n+BB" },
    { kind: "tolerant", occurrences: 1, receipt: "@@ replacement 2 of 3 (1 occurrence) @@\n-c “q”\n+d “q”" },
    { kind: "exact", occurrences: 1, receipt: "@@ replacement 3 of 3 (1 occurrence) @@\n-b2\n+b3" },
  ]);
});

Deno.test("edits see the result of those before, and one that fails undoes all", () => {
  const edits = [{ old: "a", new: "b" }, { old: "bc", new: "d" }];
  assert.equal(editText("ac", edits).text, "d");
  assert.throws(
    () => editText("ac", [...edits, { old: "zzz", new: "y" }], { numbered: true }),
    (error) => error instanceof ToolError && error.message.startsWith("edit 3: old_string was not found"),
  );
});

Deno.test("a random replacement changes its match and nothing else", () => {
  const line = fc.constantFrom("a", "b b", "\tc", "“q”", "", "é", "x  ", "中文");
  const end = fc.constantFrom("\n", "\r\n");
  const text = fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 12 })
    .map((lines) => lines.map(([content, ended]) => content + ended).join(""));
  fc.assert(fc.property(text, fc.nat(), fc.nat(), fc.string({ maxLength: 6 }), (before, from, length, added) => {
    const start = from % before.length;
    const end = start + 1 + length % (before.length - start);
    const old = before.slice(start, end);
    const at = before.indexOf(old);
    fc.pre(at === start && before.indexOf(old, at + 1) < 0 && !added.includes("\n") && added !== old);
    fc.pre(!old.includes("\n") || old.includes("\r"));
    assert.equal(edit(before, old, added), before.slice(0, start) + added + before.slice(end));
  }));
});
