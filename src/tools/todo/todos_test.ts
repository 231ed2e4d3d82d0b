import assert from "node:assert/strict";
import fc from "fast-check";
import type { TodoInput, TodoItem, Todos } from "../../contract/tool.ts";
import { createTodos } from "./todos.ts";

const MARKS = { "[ ]": "pending", "[>]": "in_progress", "[x]": "completed" } as const;

/** One item a line: `[>] s2 words`, two blanks before a sub-step; without an id it is new. */
function parse(text: string): TodoInput[] {
  return text.split("\n").map((line) => {
    const found = /^( {2})?(\[[ >x]\]) (?:(s\d+) )?(.*)$/.exec(line)!;
    const [, indent, mark, id, content] = found;
    return {
      content: content!,
      status: MARKS[mark as keyof typeof MARKS],
      ...(indent === undefined ? {} : { level: 1 }),
      ...(id === undefined ? {} : { step_id: id }),
    };
  });
}

function show(items: readonly TodoItem[]): string {
  const mark = (status: string) => Object.entries(MARKS).find(([, name]) => name === status)![0];
  return items.map((item) => `${"  ".repeat(item.level)}${mark(item.status)} ${item.step_id} ${item.content}`).join(
    "\n",
  );
}

function accept(todos: Todos, text: string): string {
  const change = todos.replace(parse(text));
  if ("problem" in change) throw new Error(change.problem);
  return show(change.items);
}

function refuse(todos: Todos, text: string): string {
  const before = show(todos.items);
  const change = todos.replace(parse(text));
  assert.ok("problem" in change, "the list was accepted");
  assert.equal(show(todos.items), before);
  return change.problem;
}

Deno.test("new items get ids that stay with them, by id or by words", () => {
  const todos = createTodos();
  assert.equal(accept(todos, "[>] read\n[ ] write"), "[>] s1 read\n[ ] s2 write");
  assert.equal(accept(todos, "[>] s1 read\n[ ] think\n[ ] write"), "[>] s1 read\n[ ] s3 think\n[ ] s2 write");
  assert.equal(
    accept(todos, "[x] s1 read\n[>] s3 think twice\n[ ] s2 write"),
    "[x] s1 read\n[>] s3 think twice\n[ ] s2 write",
  );
});

Deno.test("an id of a dropped item never comes back, and no id stands twice", () => {
  const todos = createTodos();
  accept(todos, "[>] a\n[ ] b\n[ ] c");
  accept(todos, "[>] s1 a\n[ ] s3 c");
  assert.match(refuse(todos, "[>] s1 a\n[ ] s2 again"), /"s2" belonged to an item that was dropped/);
  assert.match(refuse(todos, "[>] s1 a\n[ ] s1 again"), /"s1" stands on two items/);
  assert.equal(accept(todos, "[>] s1 a\n[ ] s3 c\n[ ] d"), "[>] s1 a\n[ ] s3 c\n[ ] s4 d");
});

Deno.test("exactly one item is in progress while work remains, and it is the first open one", () => {
  // proves LOOP-12
  const todos = createTodos();
  assert.match(refuse(todos, "[ ] a\n[ ] b"), /no item is in_progress, but the next open item is "a" \(s1\)/);
  assert.match(refuse(todos, "[>] a\n[>] b"), /2 items are in_progress .*: keep "a" \(s1\) in_progress/);
  assert.match(refuse(todos, "[ ] a\n[>] b"), /"b" \(s2\) is in_progress, but the next open item is "a" \(s1\)/);
});

Deno.test("in two levels the first open sub-step is in progress and its phase stays pending", () => {
  // proves LOOP-13
  const todos = createTodos();
  assert.match(refuse(todos, "[>] phase\n  [ ] one"), /the next open item is "one" .*its phase stays pending/);
  assert.equal(
    accept(todos, "[ ] phase\n  [>] one\n  [ ] two\n[ ] next"),
    "[ ] s1 phase\n  [>] s2 one\n  [ ] s3 two\n[ ] s4 next",
  );
});

Deno.test("sub-steps complete in order, and the phase is started and completed only after them", () => {
  // proves LOOP-14
  const todos = createTodos();
  accept(todos, "[ ] phase\n  [>] one\n  [ ] two");
  assert.match(
    refuse(todos, "[ ] s1 phase\n  [>] s2 one\n  [x] s3 two"),
    /"two" \(s3\) is completed before "one" \(s2\)/,
  );
  assert.match(refuse(todos, "[x] s1 phase\n  [>] s2 one\n  [ ] s3 two"), /"phase" \(s1\) is completed before "one"/);
  accept(todos, "[ ] s1 phase\n  [x] s2 one\n  [>] s3 two");
  assert.match(refuse(todos, "[x] s1 phase\n  [x] s2 one\n  [x] s3 two"), /"phase" \(s1\) was not in progress/);
  accept(todos, "[>] s1 phase\n  [x] s2 one\n  [x] s3 two");
  accept(todos, "[x] s1 phase\n  [x] s2 one\n  [x] s3 two");
});

Deno.test("a sub-step without a phase before it is refused", () => {
  // proves LOOP-15
  assert.match(refuse(createTodos(), "  [>] one\n[ ] phase"), /"one" \(s1\) is a sub-step \(level 1\) with no phase/);
});

Deno.test("what is completed stays as it is and where it is", () => {
  const todos = createTodos();
  accept(todos, "[>] a\n[ ] b\n[ ] c");
  accept(todos, "[x] s1 a\n[>] s2 b\n[ ] s3 c");
  for (
    const list of [
      "[>] s2 b\n[ ] s3 c",
      "[x] s1 reworded\n[>] s2 b\n[ ] s3 c",
      "[>] new\n[x] s1 a\n[ ] s2 b",
      "[>] s1 a\n[ ] s2 b\n[ ] s3 c",
    ]
  ) {
    assert.match(refuse(todos, list), /completed/, list);
  }
});

Deno.test("the item in progress cannot be dropped or moved back, but reworded and split", () => {
  const todos = createTodos();
  accept(todos, "[>] a\n[ ] b");
  assert.match(refuse(todos, "[>] s2 b"), /"a" \(s1\) is in progress and cannot be dropped/);
  assert.match(refuse(todos, "[>] s2 b\n[ ] s1 a"), /"a" \(s1\) is in progress and cannot go back to pending/);
  assert.match(refuse(todos, "[>] urgent\n[ ] s1 a\n[ ] s2 b"), /cannot go back to pending/);
  accept(todos, "[>] s1 a, but better\n[ ] s2 b");
  accept(todos, "[ ] s1 a, but better\n  [>] first half\n  [ ] second half\n[ ] s2 b");
});

Deno.test("one item is completed at a time, and a new item is not born completed", () => {
  const todos = createTodos();
  assert.match(refuse(todos, "[x] a\n[>] b"), /"a" \(s1\) is new and already completed/);
  accept(todos, "[>] a\n[ ] b\n[ ] c");
  assert.match(refuse(todos, "[x] s1 a\n[x] s2 b\n[>] s3 c"), /"b" \(s2\) was not in progress: only "a" \(s1\) can be/);
});

Deno.test("a list that is done makes room for a new one, whose items are new", () => {
  const todos = createTodos();
  accept(todos, "[>] a");
  accept(todos, "[x] s1 a");
  assert.match(refuse(todos, "[>] s1 a"), /"a" \(s1\) is completed: put a new item/);
  assert.equal(accept(todos, "[>] a\n[ ] b"), "[>] s2 a\n[ ] s3 b");
});

Deno.test("an empty list is fine when nothing is open", () => {
  const todos = createTodos();
  assert.deepEqual(todos.replace([]), { changed: false, items: [] });
  accept(todos, "[>] a");
  assert.ok("problem" in todos.replace([]));
  accept(todos, "[x] s1 a");
  assert.deepEqual(todos.replace([]), { changed: true, items: [] });
});

Deno.test("an item without words is refused", () => {
  assert.deepEqual(createTodos().replace([{ content: "  ", status: "in_progress" }]), {
    problem: "item 1 has no content: say what is to be done",
  });
});

Deno.test("the same list again changes nothing, and is said to", () => {
  const todos = createTodos();
  accept(todos, "[>] a\n[ ] b");
  const same = todos.replace(parse("[>] a\n[ ] s2 b"));
  assert.equal("changed" in same && same.changed, false);
});

const anyItem = fc.record({
  content: fc.constantFrom("a", "b", "c", " "),
  status: fc.constantFrom("pending", "in_progress", "completed"),
  level: fc.constantFrom(0, 1),
  step_id: fc.constantFrom("s1", "s2", "s3", "s4", "mine"),
}, { requiredKeys: ["content", "status"] });

Deno.test("whatever is sent, the rules hold and a replay of what was accepted gives the same list", () => {
  fc.assert(fc.property(fc.array(fc.array(anyItem, { maxLength: 4 }), { maxLength: 12 }), (lists) => {
    const todos = createTodos();
    const accepted: (readonly TodoInput[])[] = [];
    let completed = 0;
    for (const list of lists) {
      const open = todos.items.some((item) => item.status !== "completed");
      const change = todos.replace(list as TodoInput[]);
      if ("problem" in change) continue;
      accepted.push(list as TodoInput[]);
      const { items } = change;
      const active = items.filter((item) => item.status === "in_progress").length;
      const left = items.filter((item) => item.status !== "completed").length;
      assert.equal(active, left === 0 ? 0 : 1);
      assert.equal(new Set(items.map((item) => item.step_id)).size, items.length);
      const now = items.length - left;
      if (open) assert.ok(now === completed || now === completed + 1);
      completed = now;
    }
    const again = createTodos();
    for (const list of accepted) again.replace(list);
    assert.deepEqual(again.items, todos.items);
  }));
});
