import assert from "node:assert/strict";
import fc from "fast-check";
import type { Inbox, InboxItem } from "../../contract/inbox.ts";
import type { Message } from "../../contract/message.ts";
import { openInbox } from "./inbox.ts";

interface Bed {
  readonly folder: string;
  readonly log: string;
  /** What the transcript holds. */
  readonly messages: Message[];
  place: { path: string; readonly messages: readonly Message[] };
  /** Another start of the program; the one before died without closing. */
  open(): Inbox;
}

async function withBed(body: (bed: Bed) => void | Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "reasonix-inbox-" });
  const opened: Inbox[] = [];
  const messages: Message[] = [];
  const bed: Bed = {
    folder: `${directory}/s.inbox`,
    log: `${directory}/s.inbox/log.jsonl`,
    messages,
    place: { path: `${directory}/s.jsonl`, messages },
    open: () => {
      const inbox = openInbox({ place: bed.place, now: () => 1_000 });
      opened.push(inbox);
      return inbox;
    },
  };
  try {
    await body(bed);
  } finally {
    for (const inbox of opened) inbox.close();
    await Deno.remove(directory, { recursive: true });
  }
}

const texts = ({ items }: Inbox) => items.map(({ text }) => text);
const exists = (path: string) => {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
};

Deno.test("what was said is there after the program died, in its order, with what was changed since", () =>
  withBed((bed) => {
    const inbox = bed.open();
    const [first, second, third] = ["one", "two\u2028\n二", "three \ud800"].map((text) => inbox.add(text));
    inbox.change(third!.id, { to: 0 });
    inbox.change(second!.id, { text: "two, again" });
    inbox.change(first!.id, { state: "failed", failure: "no answer" });
    const kept: InboxItem[] = [
      { id: third!.id, text: "three \ud800", state: "waiting", at: 1_000 },
      { id: first!.id, text: "one", state: "failed", failure: "no answer", at: 1_000 },
      { id: second!.id, text: "two, again", state: "waiting", at: 1_000 },
    ];
    assert.deepEqual(inbox.items, kept);
    const again = bed.open();
    assert.deepEqual(again.items, kept);
    assert.deepEqual(again.notices, []);
  }));

Deno.test("it is for its owner alone, and gone when nothing waits", () =>
  withBed((bed) => {
    assert.deepEqual(bed.open().items, []);
    assert.equal(exists(bed.folder), false);
    const inbox = bed.open();
    const [first, second] = [inbox.add("one"), inbox.add("two")];
    if (Deno.build.os !== "windows") {
      assert.deepEqual([Deno.statSync(bed.folder).mode! & 0o777, Deno.statSync(bed.log).mode! & 0o777], [0o700, 0o600]);
    }
    assert.equal(inbox.remove(first.id), true);
    assert.equal(inbox.remove(first.id), false);
    inbox.taken(second.id);
    assert.deepEqual(inbox.items, []);
    assert.equal(exists(bed.folder), false);
  }));

Deno.test("a message that is stored is not in it, though the program died before it could say so", () =>
  withBed((bed) => {
    const inbox = bed.open();
    const [first] = [inbox.add("one"), inbox.add("two")];
    bed.messages.push({ role: "user", content: "one", inbox_id: first!.id });
    assert.deepEqual(texts(bed.open()), ["two"]);
    assert.deepEqual(texts(bed.open()), ["two"]);
  }));

Deno.test("guidance for a turn of a program that is gone is an ordinary message", () =>
  withBed((bed) => {
    bed.open().add("use tabs", { state: "guidance" });
    assert.deepEqual(bed.open().items.map(({ text, state }) => [text, state]), [["use tabs", "waiting"]]);
  }));

Deno.test("cut at any byte, it holds what was whole, and sets the rest aside once", () =>
  withBed((bed) => {
    const inbox = bed.open();
    const steps: string[][] = [];
    const sizes: number[] = [];
    const note = () => {
      steps.push(texts(inbox));
      sizes.push(Deno.statSync(bed.log).size);
    };
    const ids = ["eins", "zwei ü", "三"].map((text) => {
      const { id } = inbox.add(text);
      note();
      return id;
    });
    inbox.change(ids[0]!, { to: 2 });
    note();
    inbox.remove(ids[1]!);
    note();
    inbox.close();
    const whole = Deno.readFileSync(bed.log);
    for (let length = 1; length <= whole.length; length++) {
      Deno.writeFileSync(bed.log, whole.subarray(0, length));
      const at = sizes.findLastIndex((size) => length >= size - 1);
      const isTorn = !sizes.some((size) => length === size || length === size - 1);
      const cut = bed.open();
      assert.deepEqual(texts(cut), at < 0 ? [] : steps[at], `cut after ${length} bytes`);
      assert.equal(cut.notices.length, isTorn ? 1 : 0, `cut after ${length} bytes`);
      cut.add("next");
      assert.deepEqual(texts(bed.open()), [...at < 0 ? [] : steps[at]!, "next"]);
      assert.deepEqual(bed.open().notices, []);
    }
  }));

Deno.test("whatever is done and wherever it dies, each message goes out once", () =>
  withBed((bed) => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), text: fc.string() }),
      fc.record({ do: fc.constantFrom("send", "die in between", "remove", "die"), n: fc.nat(5) }),
      fc.record({ do: fc.constant("move" as const), n: fc.nat(5), to: fc.nat(5) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        bed.messages.length = 0;
        if (exists(bed.folder)) Deno.removeSync(bed.folder, { recursive: true });
        let inbox = bed.open();
        let expected: string[] = [];
        const said = new Map<string, number>();
        for (const one of steps) {
          if (one.do === "add") expected = [...expected, inbox.add(one.text).id];
          else if (one.do === "die") {
            inbox.close();
            inbox = bed.open();
          } else {
            const id = inbox.items[one.n]?.id;
            if (id === undefined) continue;
            if (one.do === "move") {
              inbox.change(id, { to: one.to });
              expected = expected.filter((other) => other !== id).toSpliced(one.to, 0, id);
              continue;
            }
            expected = expected.filter((other) => other !== id);
            if (one.do === "remove") inbox.remove(id);
            else {
              bed.messages.push({ role: "user", content: "", inbox_id: id });
              said.set(id, (said.get(id) ?? 0) + 1);
              if (one.do === "send") inbox.taken(id);
              else {
                inbox.close();
                inbox = bed.open();
              }
            }
          }
          assert.deepEqual(inbox.items.map(({ id }) => id), expected);
        }
        assert.ok([...said.values()].every((times) => times === 1));
        inbox.close();
      }),
      { numRuns: 60 },
    );
  }));

Deno.test("64 messages, 4 MiB in one and 64 MiB in all: more is refused and changes nothing", () =>
  withBed((bed) => {
    const inbox = bed.open();
    const large = "x".repeat(4 * 1024 * 1024);
    assert.throws(() => inbox.add(`${large}y`), { code: "inbox.too_large" });
    assert.throws(() => inbox.add("ü".repeat(2 * 1024 * 1024 + 1)), { code: "inbox.too_large" });
    for (let n = 0; n < 16; n++) inbox.add(large);
    assert.throws(() => inbox.add("y"), { code: "inbox.full" });
    assert.throws(() => inbox.change(inbox.items[0]!.id, { text: `${large}y` }), { code: "inbox.too_large" });
    for (const { id } of inbox.items) inbox.change(id, { text: "small" });
    while (inbox.items.length < 64) inbox.add("more");
    assert.throws(() => inbox.add("y"), { code: "inbox.full" });
    assert.equal(inbox.items.length, 64);
    assert.equal(bed.open().items.length, 64);
    // What is past does not stay for ever.
    assert.ok(Deno.statSync(bed.log).size < 1024 * 1024);
  }));

Deno.test("what somebody else put into the file is neither lost nor written over", () =>
  withBed((bed) => {
    const inbox = bed.open();
    inbox.add("mine");
    Deno.writeTextFileSync(bed.log, '{"op":"put","id":"x","text":"theirs"}\n', { append: true });
    inbox.add("mine too");
    assert.deepEqual(texts(inbox), ["mine", "theirs", "mine too"]);
    Deno.writeTextFileSync(bed.log, '{"op":"remove","id":"x"}\nrubbish\n', { append: true });
    inbox.reread();
    assert.deepEqual([texts(inbox), texts(bed.open())], [["mine", "mine too"], ["mine", "mine too"]]);
    assert.equal(Deno.readTextFileSync(`${bed.folder}/log.damaged`), "rubbish\n");
  }));

Deno.test("it goes along when the conversation moves to a recovery branch", () =>
  withBed((bed) => {
    const inbox = bed.open();
    const { id } = inbox.add("one");
    inbox.add("two");
    bed.place.path = bed.place.path.replace("s.jsonl", "branch.jsonl");
    inbox.taken(id);
    assert.equal(exists(bed.folder), false);
    assert.deepEqual(texts(bed.open()), ["two"]);
  }));

Deno.test("a disk that does not take a message is told, and what was there stays", () =>
  withBed((bed) => {
    const inbox = bed.open();
    Deno.writeTextFileSync(bed.folder, "in the way");
    assert.throws(() => inbox.add("one"), { code: "session.write_failed" });
    assert.deepEqual(inbox.items, []);
    Deno.removeSync(bed.folder);
    inbox.add("one");
    assert.deepEqual(texts(bed.open()), ["one"]);
  }));

Deno.test("an inbox that cannot be read is told and left alone", () =>
  withBed((bed) => {
    Deno.mkdirSync(bed.log, { recursive: true });
    assert.throws(() => bed.open(), { code: "session.unreadable" });
    assert.equal(Deno.statSync(bed.log).isDirectory, true);
  }));

Deno.test("whoever looks is told of each change", () =>
  withBed((bed) => {
    const inbox = bed.open();
    const seen: number[] = [];
    const stop = inbox.subscribe(() => seen.push(inbox.items.length));
    const { id } = inbox.add("one");
    inbox.add("two");
    inbox.taken(id);
    stop();
    inbox.add("three");
    assert.deepEqual(seen, [1, 2, 1]);
  }));
