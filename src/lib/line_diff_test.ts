import assert from "node:assert/strict";
import fc from "fast-check";
import { diffLines } from "./line_diff.ts";

Deno.test("a changed line stands between three lines of context", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  assert.deepEqual(diffLines(before, before.replace("5", "five")), {
    diff: "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    added: 1,
    removed: 1,
  });
});

Deno.test("a missing final newline is shown as such, and a change of line ends is a change", () => {
  assert.deepEqual(diffLines("a\nb", "a\r\nb\n"), {
    diff: "@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\r\n+b\n",
    added: 2,
    removed: 2,
  });
});

Deno.test("a file that appears or goes is one hunk from or to nothing", () => {
  assert.equal(diffLines("", "a\nb\n").diff, "@@ -0,0 +1,2 @@\n+a\n+b\n");
  assert.equal(diffLines("a\n", "").diff, "@@ -1 +0,0 @@\n-a\n");
  assert.deepEqual(diffLines("same\n", "same\n"), { diff: "", added: 0, removed: 0 });
});

Deno.test("git applies the diffs of random texts and gets the second text", async () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "", "d d"), { maxLength: 30 })
    .chain((lines) => fc.boolean().map((ended) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : "")));
  const folder = await Deno.makeTempDir();
  try {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        await Deno.writeTextFile(`${folder}/f`, before);
        const child = new Deno.Command("git", {
          args: ["apply", "--unidiff-zero", "--whitespace=nowarn", "-"],
          cwd: folder,
          stdin: "piped",
          stderr: "piped",
          env: { GIT_CEILING_DIRECTORIES: folder },
        }).spawn();
        const input = child.stdin.getWriter();
        await input.write(new TextEncoder().encode(`--- a/f\n+++ b/f\n${diffLines(before, after).diff}`));
        await input.close();
        const { code, stderr } = await child.output();
        assert.equal(code, 0, new TextDecoder().decode(stderr));
        assert.equal(await Deno.readTextFile(`${folder}/f`), after);
      }),
      { numRuns: 40 },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
