import assert from "node:assert/strict";
import { cleanSessions, diagnoseSessions, reindexSessions } from "./maintenance.ts";
import { loadMeta } from "./meta.ts";
import { claimSession } from "./ownership.ts";

const HOLDER = { pid: 1, host: "here", program: "test", startedAt: 0 };
const LINES =
  `{"role":"user","content":"first"}\n{"role":"assistant","content":"a"}\n{"role":"user","content":"second"}\n`;

function folder(files: Record<string, string>) {
  const path = Deno.makeTempDirSync();
  for (const [name, text] of Object.entries(files)) {
    Deno.writeTextFileSync(`${path}/${name}`, text);
    Deno.utimeSync(`${path}/${name}`, 1000, 1000);
  }
  return {
    path,
    names: () => [...Deno.readDirSync(path)].map((entry) => entry.name).sort(),
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}

Deno.test("a folder that does not exist has nothing wrong with it", async () => {
  const { directory: _, ...found } = await diagnoseSessions("/nowhere/at/all");
  const none = { sessions: 0, bytes: 0, held: 0, interrupted: 0, recovered: 0, empty: 0, stale: 0 };
  assert.deepEqual(found, { ...none, damaged: [], removable: [] });
});

Deno.test("reindexing counts turns anew and keeps the title a person gave", async () => {
  using dir = folder({
    "a.jsonl": LINES,
    "a.jsonl.meta": `{"id":"a","created_at":"2020-01-01T00:00:00Z","custom_title":"Mine","turns":9,"odd_key":1}`,
  });
  assert.deepEqual(await reindexSessions(dir.path, HOLDER), { sessions: 1, rebuilt: 1, held: 0, failed: [] });
  const meta = loadMeta(`${dir.path}/a.jsonl`)!;
  assert.deepEqual(
    { title: meta.title, turns: meta.turns, preview: meta.preview, bytes: meta.bytes, unknown: meta.unknown },
    { title: "Mine", turns: 2, preview: "first", bytes: LINES.length, unknown: { odd_key: 1 } },
  );
  assert.deepEqual(dir.names(), ["a.jsonl", "a.jsonl.meta"]);
});

Deno.test("a session that somebody holds is neither reindexed nor cleaned", async () => {
  using dir = folder({ "a.jsonl": "" });
  const claim = claimSession(`${dir.path}/a.jsonl`, HOLDER);
  assert.ok(claim.kind === "owned");
  try {
    assert.deepEqual(await reindexSessions(dir.path, HOLDER), { sessions: 1, rebuilt: 0, held: 1, failed: [] });
    assert.deepEqual(await cleanSessions(dir.path), []);
  } finally {
    claim.ownership.release();
  }
});

Deno.test("cleaning takes remains away and leaves every session with a message", async () => {
  using dir = folder({
    "kept.jsonl": LINES,
    "kept.jsonl.lock": "",
    "kept.lease.json": "{}",
    "empty.jsonl": "",
    "empty.jsonl.meta": `{"id":"empty"}`,
    "empty.b.jsonl": LINES,
    "going.jsonl": LINES,
    "going.jsonl.meta": `{"id":"going"}`,
    "going.cleanup-pending.json": "{}",
    "going.on.jsonl": LINES,
    "notes.txt": "mine",
  });
  const diagnosis = await diagnoseSessions(dir.path);
  const removed = await cleanSessions(dir.path);
  assert.deepEqual(diagnosis.removable, removed);
  assert.deepEqual(dir.names(), ["empty.b.jsonl", "going.on.jsonl", "kept.jsonl", "notes.txt"]);
});

Deno.test("journals and queues go with their session, and a session in which something waits is not empty", async () => {
  using dir = folder({
    "a.jsonl": LINES,
    "a.run-journal.ndjson": "",
    "going.jsonl": LINES,
    "going.run-journal.ndjson": "",
    "going.run-journal.ndjson.tmp": "",
    "going.cleanup-pending.json": "{}",
    "waiting.jsonl": "",
  });
  for (const id of ["a", "going", "waiting"]) {
    Deno.mkdirSync(`${dir.path}/${id}.inbox`);
    Deno.writeTextFileSync(`${dir.path}/${id}.inbox/log.jsonl`, "");
  }
  assert.equal((await reindexSessions(dir.path, HOLDER)).sessions, 2);
  await cleanSessions(dir.path);
  const left = ["a.inbox", "a.jsonl", "a.jsonl.meta", "a.run-journal.ndjson", "waiting.inbox", "waiting.jsonl"];
  assert.deepEqual(dir.names().filter((name) => name !== "waiting.jsonl.meta"), left);
});

Deno.test("a new session without a message yet is left alone", async () => {
  using dir = folder({});
  Deno.writeTextFileSync(`${dir.path}/young.jsonl`, "");
  assert.deepEqual(await cleanSessions(dir.path), []);
});
