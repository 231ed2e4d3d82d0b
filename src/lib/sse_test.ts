import assert from "node:assert/strict";
import fc from "fast-check";
import { createSseReader, OversizedEvent } from "./sse.ts";

interface Seen {
  readonly data: string;
  readonly name?: string;
  readonly final?: true;
}

function read(pieces: Iterable<Uint8Array>): Seen[] {
  const seen: Seen[] = [];
  const reader = createSseReader({
    onEvent: (data, name, final) => seen.push({ data, ...(name ? { name } : {}), ...(final ? { final } : {}) }),
  });
  for (const piece of pieces) reader.feed(piece);
  reader.end();
  return seen;
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("names, several data lines, comments, ids and every kind of line end are read", () => {
  const text = "\uFEFF: hello\r\nevent: error\r\ndata: one\r\ndata: two\r\n\r\nid: 4\rdata:three\r\rdata: four\n\n";
  assert.deepEqual(read([bytes(text)]), [{ data: "one\ntwo", name: "error" }, { data: "three" }, { data: "four" }]);
});

Deno.test("the last event counts without a blank line and says that the stream ended in it", () => {
  assert.deepEqual(read([bytes("data: one\n\ndata: tw")]), [{ data: "one" }, { data: "tw", final: true }]);
});

Deno.test("the cut between two pieces never matters", () => {
  const line = fc.constantFrom(
    "data: 中é",
    "data:x",
    ": ping",
    "event: error",
    "id: 1",
    "",
    "retry: 5",
    "junk",
    "data",
  );
  const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { maxLength: 30 });
  fc.assert(fc.property(lines, fc.array(fc.nat(), { maxLength: 20 }), (made, places) => {
    const whole = bytes(made.map(([text, end]) => text + end).join(""));
    const cuts = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
    const pieces = [...cuts, whole.length].map((cut, at) => whole.slice(at === 0 ? 0 : cuts[at - 1], cut));
    assert.deepEqual(read(pieces), read([whole]));
  }));
});

Deno.test("an event of lines without end is refused, comments without end are not", () => {
  const piece = (line: string) => bytes(line.repeat(50_000));
  const lines = createSseReader({ onEvent: () => {} });
  assert.throws(() => {
    for (let i = 0; i < 6; i++) lines.feed(piece("data: x\n"));
  }, OversizedEvent);
  const comments = createSseReader({ onEvent: () => {} });
  for (let i = 0; i < 6; i++) comments.feed(piece(": x\n"));
});
