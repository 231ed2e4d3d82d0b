/** What comes back is what was there, to the byte, for any work of the file tools over several turns. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { FileError } from "../../src/contract/workspace.ts";
import { CheckpointBed } from "./_checkpoint_bed.ts";

const utf16 = (text: string) =>
  new Uint8Array([0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8])]);

const CONTENTS: readonly Uint8Array[] = [
  new TextEncoder().encode("plain\ntext\r\nno end"),
  new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0a]),
  utf16("wide \u4e2d\u6587\r\n"),
  // GB18030
  new Uint8Array([0xd6, 0xd0, 0xce, 0xc4, 0x0a, 0x81, 0x30, 0x84, 0x36]),
  new Uint8Array([0, 1, 2, 0, 255]),
  new Uint8Array(),
];

const PATHS = ["a", "b", "dir/c", "dir/d", "dir/deep/e", "other/f", "dir", "other"];

type Op =
  | { readonly kind: "write"; readonly path: string; readonly content: number }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "remove"; readonly path: string };

const path = fc.constantFrom(...PATHS);
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, content: fc.nat(CONTENTS.length - 1) }),
  fc.record({ kind: fc.constant("move" as const), path, to: path }),
  fc.record({ kind: fc.constant("remove" as const), path }),
);

const start = fc.record({
  files: fc.dictionary(
    fc.constantFrom("a", "b", "dir/c", "dir/deep/e"),
    fc.record({
      content: fc.nat(CONTENTS.length - 1),
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o444),
    }),
  ),
  link: fc.option(fc.constantFrom("a", "dir", "nowhere")),
  turns: fc.array(fc.array(op, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
  back: fc.nat(3),
});

/** What a tool may not do is no part of this test. */
async function tolerate(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
}

Deno.test("going back to any turn restores the very tree it began with, and undo the very tree before", async () => {
  await fc.assert(
    fc.asyncProperty(start, async ({ files, link, turns, back }) => {
      await using bed = await CheckpointBed.start();
      for (const [name, { content, mode }] of Object.entries(files)) {
        await Deno.chmod(await bed.workspace.put(name, CONTENTS[content]!), mode);
      }
      if (link !== null) await Deno.symlink(link, `${bed.root}/other`);
      const trees = [];
      for (const ops of turns) {
        trees.push(await bed.tree());
        await bed.turn();
        for (const one of ops) {
          if (one.kind === "write") await tolerate(bed.write(one.path, CONTENTS[one.content]!));
          else if (one.kind === "move") await tolerate(bed.files.move(one.path, one.to));
          else await tolerate(bed.files.remove(one.path));
        }
      }
      const last = await bed.tree();
      const at = Math.min(back, turns.length - 1);
      await bed.open();
      const { plan, report } = await bed.back(bed.turns[at]!);
      assert.deepEqual(plan.conflicts, []);
      assert.equal(report.outcome, "committed", JSON.stringify(report));
      assert.deepEqual(await bed.tree(), trees[at]);
      assert.equal((await bed.undo())?.outcome, "committed");
      assert.deepEqual(await bed.tree(), last);
      assert.equal((await bed.back(bed.turns[0]!)).report.outcome, "committed");
      assert.deepEqual(await bed.tree(), trees[0]);
    }),
    { numRuns: 25 },
  );
});
