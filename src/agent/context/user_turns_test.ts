import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import { isMarked, keepUserTurns } from "./user_turns.ts";

/** A message of the person with a size of its own. */
const sizes = new Map<Message, number>();
function turn(tokens: number, content = "words", more: Partial<Message> = {}): Message {
  const message: Message = { role: "user", content, ...more };
  sizes.set(message, tokens);
  return message;
}

const RULES = {
  firstTurn: 1500,
  userTurn: 1500,
  userTurns: 4000,
  marked: 3000,
  keepMarked: true,
  tokensOf: (message: Message) => sizes.get(message) ?? 10,
};

const kept = (messages: Message[], rules: Partial<typeof RULES> = {}) => {
  const places = messages.flatMap((message, at) => message.role === "user" ? [at] : []);
  const result = keepUserTurns(messages, places, { ...RULES, ...rules });
  return { places: [...result.kept.keys()], dropped: result.dropped };
};

const BRIEF = turn(1500);

Deno.test("a turn of 1500 tokens stays, one of 1501 does not", () => {
  // proves CTX-37 CTX-41 CTX-43
  assert.deepEqual(kept([BRIEF, turn(1500), turn(1501)]), { places: [0, 1], dropped: 1 });
});

Deno.test("the shared budget goes to the oldest, and a smaller turn behind one that does not fit may still stay", () => {
  // proves CTX-41
  const turns = [BRIEF, turn(1500), turn(1500), turn(1001), turn(1000), turn(1)];
  assert.deepEqual(kept(turns), { places: [0, 1, 2, 4], dropped: 2 });
  assert.deepEqual(kept(turns, { userTurns: 4001 }), { places: [0, 1, 2, 3], dropped: 2 });
});

Deno.test("the first turn is pinned beside the budget when it is short enough to be a brief", () => {
  // proves CTX-36
  assert.deepEqual(kept([turn(1500), turn(1500)], { userTurns: 1500 }), { places: [0, 1], dropped: 0 });
  assert.deepEqual(kept([turn(1501), turn(1500)]), { places: [1], dropped: 1 });
});

Deno.test("marked turns stay whatever their size, newest first, within a budget of their own", () => {
  // proves CTX-44 CTX-45
  const mark = (tokens: number) => turn(tokens, "[[keep]] rule");
  assert.deepEqual(kept([BRIEF, mark(2500), turn(1500)]), { places: [0, 1, 2], dropped: 0 });
  assert.deepEqual(kept([BRIEF, mark(1000), mark(1500), mark(1500)]), { places: [0, 2, 3], dropped: 1 });
  assert.deepEqual(kept([BRIEF, mark(1000), mark(1000), mark(1000)]), { places: [0, 1, 2, 3], dropped: 0 });
  assert.deepEqual(kept([BRIEF, mark(2500)], { keepMarked: false }), { places: [0], dropped: 1 });
});

Deno.test("marks in every accepted spelling, and only at the beginning of what the person typed", () => {
  // proves CTX-44
  const spelled = ["[[keep]] a", "[keep] a", "<keep> a", "<!-- keep --> a", "  [[KEEP]]a"];
  assert.deepEqual(spelled.map((content) => isMarked({ role: "user", content })), spelled.map(() => true));
  const plain = ["keep a", "please [[keep]] it", "[[keep] a", ""];
  assert.deepEqual(plain.map((content) => isMarked({ role: "user", content })), plain.map(() => false));
  assert.equal(isMarked({ role: "user", content: "<host block>\n\n[[keep]] a", raw_content: "[[keep]] a" }), true);
});

Deno.test("a kept turn is the person's own words, without what the host put around them for that moment", () => {
  const spoken = turn(10, "<recall>…</recall>\n\nKeep the API.", { raw_content: "Keep the API.", createdAt: 3 });
  const result = keepUserTurns([BRIEF, spoken], [0, 1], RULES);
  assert.deepEqual(result.kept.get(1), { role: "user", content: "Keep the API.", createdAt: 3 });
});
