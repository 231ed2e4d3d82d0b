import assert from "node:assert/strict";
import { aboveFloor, Bm25Index } from "./bm25.ts";
import { toTerms } from "./search_terms.ts";

function indexOf(texts: readonly string[]): Bm25Index {
  const index = new Bm25Index();
  for (const text of texts) index.add([{ text, weight: 1 }]);
  return index;
}

Deno.test("scores are those of the formula", () => {
  const index = indexOf(["apple pear", "apple", "plum plum plum"]);
  const [first, second] = index.search(["apple"]);
  const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  const score = (count: number, length: number) => idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / 2));
  assert.deepEqual([first?.document, second?.document], [1, 0]);
  assert.ok(Math.abs(first!.score - score(1, 1)) < 1e-12);
  assert.ok(Math.abs(second!.score - score(1, 2)) < 1e-12);
});

Deno.test("the rarer word decides, and a repeated word of the query counts once", () => {
  const index = indexOf(["the deploy of the app", "the the the the", "the app", "the zebra"]);
  const hits = index.search(toTerms("the the the zebra"));
  assert.equal(hits[0]?.document, 3);
  assert.deepEqual(hits[0]?.matched, ["the", "zebra"]);
});

Deno.test("weight counts a word more often", () => {
  const index = new Bm25Index();
  index.add([{ text: "port", weight: 1 }, { text: "other words here", weight: 1 }]);
  index.add([{ text: "words", weight: 1 }, { text: "port other here", weight: 3 }]);
  assert.equal(index.search(["port"])[0]?.document, 1);
});

Deno.test("an empty index and an unknown word find nothing", () => {
  assert.deepEqual(new Bm25Index().search(["x"]), []);
  assert.deepEqual(indexOf(["a b"]).search(["x"]), []);
});

Deno.test("hits far below the best are left out, the best never", () => {
  // proves MEM-04, MEM-10
  assert.deepEqual(aboveFloor([{ score: 10 }, { score: 1.5 }, { score: 1.4 }]), [{ score: 10 }, { score: 1.5 }]);
  assert.deepEqual(aboveFloor([{ score: 0.001 }]), [{ score: 0.001 }]);
  assert.deepEqual(aboveFloor([]), []);
});
