import assert from "node:assert/strict";
import fc from "fast-check";
import { ownBlock, withoutTag } from "./own_block.ts";

Deno.test("a text stands between tags as it is, and attributes lose what would end them", () => {
  assert.equal(
    ownBlock("file", "a <b> & </c>", { path: 'x"\n>', gone: undefined }),
    '<file path="x&#34;&#10;&#62;">\na <b> & </c>\n</file>',
  );
  assert.equal(ownBlock("note", ""), "<note>\n\n</note>");
});

Deno.test("no spelling of its tag ends a block early or begins another", () => {
  for (const tag of ["</note>", "</NOTE >", "< / note>", "<note>", "<note\nx=1>", "</note\t>", "<\n/\nnote>"]) {
    assert.equal(withoutTag(`a ${tag} b`, "note"), `a &lt;${tag.slice(1)} b`);
  }
  assert.equal(withoutTag("<notes> <note-pad> </notebook>", "note"), "<notes> <note-pad> </notebook>");
});

Deno.test("whatever a text is made of, its block has one beginning and one end", () => {
  const piece = fc.constantFrom("<", "/", ">", "note", "NOTE", " ", "\n", "x", "<note", "</note>", "&lt;");
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const inside = ownBlock("note", pieces.join("")).slice("<note>\n".length, -"\n</note>".length);
    assert.doesNotMatch(inside, /<\s*\/?\s*note\b/i);
  }));
});
