import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import { withStore } from "./_test_store.ts";

const GOOD: Message[] = [
  { role: "system", content: "You are Reasonix." },
  { role: "user", content: "prüfe 🚀\u2028 das" },
  { role: "assistant", content: "größer — 終わり" },
];
const NEXT: Message = { role: "user", content: "weiter" };

const line = (message: unknown) => JSON.stringify(message) + "\n";
const bytes = (text: string) => new TextEncoder().encode(text);
const whole = GOOD.map(line).join("");

/** Writes `content` as a session, opens it, adds a turn, closes and opens again. */
async function live(content: Uint8Array | string) {
  let answer: {
    first: Message[];
    second: Message[];
    notices: readonly string[];
    later: readonly string[];
    text: string;
    damaged: Uint8Array | undefined;
  };
  await withStore(async ({ store, directory }) => {
    const path = `${directory}/s.jsonl`;
    Deno.writeFileSync(path, typeof content === "string" ? bytes(content) : content);
    const { transcript, notices } = await store.open("s");
    const first = [...transcript.messages];
    transcript.append(NEXT);
    await transcript.close();
    const again = await store.open("s");
    const second = [...again.transcript.messages];
    await again.transcript.close();
    let damaged: Uint8Array | undefined;
    try {
      damaged = Deno.readFileSync(`${path}.damaged`);
    } catch {
      damaged = undefined;
    }
    answer = { first, second, notices, later: again.notices, text: Deno.readTextFileSync(path), damaged };
  });
  return answer!;
}

const parses = (text: string) => text.split("\n").slice(0, -1).map((record) => JSON.parse(record));

Deno.test("a record torn at any byte is set aside and costs nothing else", async () => {
  const last = bytes(line(GOOD[2]));
  const before = bytes(line(GOOD[0]) + line(GOOD[1]));
  for (let cut = 1; cut < last.length - 1; cut++) {
    const torn = last.slice(0, cut);
    const { first, second, notices, later, text, damaged } = await live(new Uint8Array([...before, ...torn]));
    assert.deepEqual(first, GOOD.slice(0, 2));
    assert.deepEqual(second, [...GOOD.slice(0, 2), NEXT]);
    assert.deepEqual(parses(text), [...GOOD.slice(0, 2), NEXT]);
    assert.deepEqual(damaged, new Uint8Array([...torn, 10]));
    assert.match(
      notices.join("\n"),
      /^session s: its last record was cut short; the \d+ bytes? left of it are kept in .*s\.jsonl\.damaged$/,
    );
    assert.deepEqual(later, []);
  }
});

Deno.test("a whole record that only lacks its line end is kept", async () => {
  const { first, second, notices, text, damaged } = await live(whole.slice(0, -1));
  assert.deepEqual(first, GOOD);
  assert.deepEqual(second, [...GOOD, NEXT]);
  assert.deepEqual(notices, []);
  assert.equal(text, whole + line(NEXT));
  assert.equal(damaged, undefined);
});

Deno.test("a damaged record in the middle costs only itself", async () => {
  const broken = `{"role":"assistant","content":"par`;
  const { first, second, notices, later, text, damaged } = await live(
    line(GOOD[0]) + broken + "\n" + line(GOOD[1]) + "\u0000\u0000\u0000\n" + line(GOOD[2]),
  );
  assert.deepEqual(first, GOOD);
  assert.deepEqual(second, [...GOOD, NEXT]);
  assert.deepEqual(parses(text), [...GOOD, NEXT]);
  assert.deepEqual(damaged, bytes(`${broken}\n\n\u0000\u0000\u0000\n\n`));
  assert.match(
    notices.join("\n"),
    /^session s: 2 damaged records in the middle set aside in .*; everything around is kept$/,
  );
  assert.deepEqual(later, []);
});

Deno.test("a record glued to a torn one is rescued", async () => {
  const torn = `{"role":"assistant","content":"par`;
  const { first, text, damaged, notices } = await live(line(GOOD[0]) + torn + line(GOOD[1]) + line(GOOD[2]));
  assert.deepEqual(first, GOOD);
  assert.deepEqual(parses(text), [...GOOD, NEXT]);
  assert.deepEqual(damaged, bytes(torn + "\n"));
  assert.match(notices.join("\n"), /1 record behind a torn one rescued/);
  assert.deepEqual((await live(torn + line(GOOD[1]))).first, [GOOD[1]]);
});

Deno.test("damage in the middle and at the end is mended in one opening", async () => {
  const { first, text, notices } = await live(line(GOOD[0]) + "garbage\n" + line(GOOD[1]) + `{"role":`);
  assert.deepEqual(first, GOOD.slice(0, 2));
  assert.deepEqual(parses(text), [...GOOD.slice(0, 2), NEXT]);
  assert.equal(notices.length, 2);
});

Deno.test("records of an unknown kind stay in the file and are told", async () => {
  const header = line({ type: "header", version: 9 });
  const { first, notices, text } = await live(header + whole);
  assert.deepEqual(first, GOOD);
  assert.equal(text, header + whole + line(NEXT));
  assert.deepEqual(notices, ["session s: 1 record of an unknown kind left as found"]);
});

Deno.test("files with Windows line ends, blank lines or a byte-order mark read the same", async () => {
  const { first, notices } = await live(
    "\ufeff" + GOOD.map((message) => JSON.stringify(message) + "\r\n\r\n").join(""),
  );
  assert.deepEqual(first, GOOD);
  assert.deepEqual(notices, []);
});

Deno.test("a file of nothing or of one line end is an empty session and says so", async () => {
  for (const content of ["", "\n"]) {
    const { first, second, notices } = await live(content);
    assert.deepEqual(first, []);
    assert.deepEqual(second, [NEXT]);
    assert.deepEqual(notices, ["session s: the file holds no messages"]);
  }
});

Deno.test("a file that is something else is refused and not touched", async () => {
  await withStore(async ({ store, directory }) => {
    const others = {
      "data.jsonl": `{"text":"a"}\n{"text":"b"}\n`,
      "notes.jsonl": "# Notes\nof mine",
      "line.jsonl": "one line",
      "zeros.jsonl": "\u0000".repeat(100),
      "README.md": line(GOOD[1]),
    };
    for (const [name, text] of Object.entries(others)) {
      Deno.writeTextFileSync(`${directory}/${name}`, text);
      await assert.rejects(store.open(`${directory}/${name}`), { code: "session.unreadable" }, name);
      assert.equal(Deno.readTextFileSync(`${directory}/${name}`), text);
    }
    assert.deepEqual([...Deno.readDirSync(directory)].map((entry) => entry.name).sort(), Object.keys(others).sort());
  });
});

Deno.test("a session that died in its very first record opens empty", async () => {
  const { first, second, damaged } = await live(`{"role":"user","con`);
  assert.deepEqual([first, second, damaged], [[], [NEXT], bytes(`{"role":"user","con\n`)]);
});

Deno.test("the newest state wins over an older sidecar", async () => {
  await withStore(async ({ store, directory }) => {
    const path = `${directory}/s.jsonl`;
    const messages = Array.from({ length: 1318 }, (_, i) => ({ role: "user" as const, content: `m${i}` }));
    Deno.writeTextFileSync(path, messages.map(line).join("") + `{"role":"user","content":"m13`);
    Deno.writeTextFileSync(
      `${path}.meta`,
      JSON.stringify({ id: "s", turns: 1149, transcript_bytes: 10, preview: "m0" }),
    );
    Deno.writeTextFileSync(`${directory}/s.context.json`, JSON.stringify({ projection: { covered_count: 1149 } }));
    const { transcript } = await store.open("s");
    assert.equal(transcript.messages.length, 1318);
    assert.deepEqual(transcript.messages.at(-1), { role: "user", content: "m1317" });
    await transcript.close();
  });
});
