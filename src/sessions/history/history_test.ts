import assert from "node:assert/strict";
import { ToolError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import { HistorySearch } from "./history_search.ts";

class Bed implements AsyncDisposable {
  readonly base: string;
  readonly cacheFile: string;
  current = { path: "", turnStart: 0 };
  search: HistorySearch;

  constructor(base: string) {
    this.base = base;
    this.cacheFile = `${base}/cache/history.sqlite`;
    this.search = this.open();
  }

  static async create(): Promise<Bed> {
    const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
    for (const folder of ["project/subagents", "project/archive", "global", "archive", "other"]) {
      await Deno.mkdir(`${base}/${folder}`, { recursive: true });
    }
    return new Bed(base);
  }

  open(): HistorySearch {
    const folder = (name: string) => `${this.base}/${name}`;
    return new HistorySearch({
      folders: { project: folder("project"), global: folder("global"), archive: folder("archive") },
      cacheFile: this.cacheFile,
      current: () => this.current,
    });
  }

  async put(name: string, messages: readonly Message[], options: Deno.WriteFileOptions = {}): Promise<string> {
    const path = `${this.base}/${name}.jsonl`;
    await Deno.writeTextFile(path, messages.map((message) => JSON.stringify(message) + "\n").join(""), options);
    return path;
  }

  async look(args: Record<string, unknown>): Promise<string> {
    return (await this.search.look({ operation: "search", ...args }, new AbortController().signal)).text;
  }

  /** `session:message:kind` of each hit. */
  async hits(args: Record<string, unknown>): Promise<string[]> {
    const lines = (await this.look(args)).matchAll(/session_id=(\S+) message_index=(\d+) kind=(\w+)/g);
    return [...lines].map(([, id, at, kind]) => `${id}:${at}:${kind}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.search.close();
    await Deno.remove(this.base, { recursive: true });
  }
}

const user = (content: string, more: Partial<Message> = {}): Message => ({ role: "user", content, ...more });
const said = (content: string): Message => ({ role: "assistant", content });
const call = (name: string, args: unknown): Message => ({
  role: "assistant",
  tool_calls: [{ id: "c1", name, arguments: JSON.stringify(args) }],
});
const result = (content: string, more: Partial<Message> = {}): Message => ({
  role: "tool",
  tool_call_id: "c1",
  name: "bash",
  content,
  ...more,
});

Deno.test("words, answers, calls and errors are found; output only when its kind is named", async () => {
  // proves MEM-01
  await using bed = await Bed.create();
  await bed.put("project/s1", [
    { role: "system", content: "walrus system" },
    user("walrus context", { host_authored: true }),
    user("<block>\n\nfind the walrus\n\n<more walrus>", { raw_content: "find the walrus" }),
    call("bash", { command: "grep -r walrus\n." }),
    result("error: exit status 1\nwalrus"),
    result("walrus here"),
    result("cat: walrus: Permission denied"),
    said("The walrus is gone"),
  ]);
  const found = (await bed.hits({ query: "walrus" })).sort();
  assert.deepEqual(found, [
    "s1:2:user_text",
    "s1:3:tool_input",
    "s1:4:tool_error",
    "s1:6:tool_error",
    "s1:7:assistant_text",
  ]);
  assert.deepEqual(await bed.hits({ query: "walrus", kind: ["tool_output"] }), ["s1:5:tool_output"]);
  assert.deepEqual(await bed.hits({ query: "walrus", kind: ["tool_error"], limit: 1 }), ["s1:6:tool_error"]);
  assert.deepEqual(await bed.hits({ query: "walrus", tool_name: "grep" }), []);
  assert.deepEqual(await bed.hits({ query: "walrus", kind: ["tool_input"], tool_name: "bash" }), ["s1:3:tool_input"]);
});

Deno.test("a hit tells score, source, session, message, kind, role, tool, path and a snippet", async () => {
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [
    user("hello"),
    call("bash", { command: `${"x ".repeat(200)}make walrus` }),
  ]);
  const text = await bed.look({ query: "walrus" });
  const [head, where, snippet] = text.split("\n");
  assert.match(
    head!,
    /^score=\d+\.\d\d source=project session_id=s1 message_index=1 kind=tool_input role=assistant tool=bash$/,
  );
  assert.equal(where, `  session_path=${path}`);
  assert.match(snippet!, /^ {2}….*make walrus$/);
  assert.ok(snippet!.length <= 242);
});

Deno.test("project sees its own sessions and their children; global also those without project and the archives", async () => {
  // proves MEM-02, CTX-49
  await using bed = await Bed.create();
  for (
    const name of [
      "project/own",
      "project/subagents/sa_1",
      "project/archive/old",
      "global/loose",
      "archive/20250101",
      "other/foreign",
    ]
  ) {
    await bed.put(name, [user(`walrus in ${name}`)]);
  }
  const ids = async (scope?: string) =>
    (await bed.hits({ query: "walrus", ...(scope ? { scope } : {}) })).map((hit) => hit.split(":")[0]).sort();
  assert.deepEqual(await ids(), ["own", "sa_1"]);
  assert.deepEqual(await ids("project"), ["own", "sa_1"]);
  assert.deepEqual(await ids("global"), ["20250101", "loose", "old", "own", "sa_1"]);
});

Deno.test("Chinese, Japanese and Korean are found by parts of a sentence, identifiers by their parts", async () => {
  await using bed = await Bed.create();
  await bed.put("project/s1", [
    user("测试环境的数据库迁移失败了"),
    user("テスト環境のデータベース"),
    user("데이터베이스 마이그레이션"),
    user("rename parseHTTPHeader in net_util.go"),
    user("nothing of the kind"),
  ]);
  assert.deepEqual(await bed.hits({ query: "数据库迁移" }), ["s1:0:user_text"]);
  assert.deepEqual(await bed.hits({ query: "データベース" }), ["s1:1:user_text"]);
  assert.deepEqual(await bed.hits({ query: "데이터베이스" }), ["s1:2:user_text"]);
  assert.deepEqual(await bed.hits({ query: "http header" }), ["s1:3:user_text"]);
});

Deno.test("weak hits of common words are dropped, the best never, and nothing found says how to go on", async () => {
  // proves MEM-04, MEM-05
  await using bed = await Bed.create();
  await bed.put("project/s1", [
    ...Array.from({ length: 60 }, (_, n) => user(`run the tests of part ${n} again and ${"more ".repeat(20)}`)),
    user("the quagga migration broke"),
  ]);
  assert.deepEqual(await bed.hits({ query: "the quagga migration" }), ["s1:60:user_text"]);
  const none = await bed.look({ query: "zebra", tool_name: "bash" });
  assert.match(
    none,
    /^No matching messages\. Try rarer .*scope=global.*kind=\[tool_output\].*leaving out tool_name.*memory\.$/,
  );
  const wide = await bed.look({
    query: "zebra",
    scope: "global",
    kind: ["user_text", "assistant_text", "tool_input", "tool_error", "tool_output"],
  });
  assert.equal(/scope=global|tool_output/.test(wide), false);
  await assert.rejects(bed.look({ query: " !? " }), ToolError);
});

Deno.test("what the running turn says is no hit of it; what was before is, and looking back leaves no traces", async () => {
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [
    user("the walrus plan"),
    call("history", { operation: "search", query: "walrus plan" }),
    result("walrus plan", { name: "history" }),
    user("what was the walrus plan?"),
    call("bash", { command: "echo walrus plan" }),
  ]);
  bed.current = { path, turnStart: 3 };
  assert.deepEqual(await bed.hits({ query: "walrus plan" }), ["s1:0:user_text"]);
});

Deno.test("what was added is found at once, what has no line end yet is not, and a rewritten file is read anew", async () => {
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [user("first walrus")]);
  assert.deepEqual(await bed.hits({ query: "walrus" }), ["s1:0:user_text"]);
  await bed.put("project/s1", [user("second walrus")], { append: true });
  await Deno.writeTextFile(path, '{"role":"user","content":"torn walrus', { append: true });
  assert.deepEqual((await bed.hits({ query: "walrus" })).sort(), ["s1:0:user_text", "s1:1:user_text"]);
  await Deno.writeTextFile(path, ' whole"}\n', { append: true });
  assert.deepEqual(await bed.hits({ query: "whole" }), ["s1:2:user_text"]);
  await bed.put("project/s1", [
    user("quite different, and longer than what was there before: a quagga"),
    ...Array(9).fill(user("x")),
  ]);
  assert.deepEqual(await bed.hits({ query: "quagga" }), ["s1:0:user_text"]);
  assert.deepEqual(await bed.hits({ query: "walrus" }), []);
});

Deno.test("sessions that are being deleted are invisible, and so are links and side logs", async () => {
  // proves MEM-02
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [user("walrus")]);
  await bed.put("other/secret", [user("walrus elsewhere")]);
  await Deno.symlink(`${bed.base}/other/secret.jsonl`, `${bed.base}/project/linked.jsonl`);
  await bed.put("project/s1.events", [user("walrus event")]);
  assert.deepEqual(await bed.hits({ query: "walrus" }), ["s1:0:user_text"]);
  await Deno.writeTextFile(`${bed.base}/project/s1.cleanup-pending.json`, "{}");
  assert.deepEqual(await bed.hits({ query: "walrus" }), []);
  await assert.rejects(bed.look({ operation: "around", session_path: path, message_index: 0 }), ToolError);
});

Deno.test("around shows the messages beside a hit, cut, with what was called", async () => {
  // proves MEM-03
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [
    { role: "system", content: "s".repeat(1500) },
    ...Array.from({ length: 30 }, (_, n) => n % 2 === 0 ? user(`message ${n}`) : call("bash", { n })),
    user("u".repeat(2500), { raw_content: "own words" }),
    said("a".repeat(2500)),
  ]);
  const around = (args: Record<string, unknown>) => bed.look({ operation: "around", session_path: path, ...args });
  const numbers = (text: string) => [...text.matchAll(/^[> ] \[(\d+)\]/gm)].map(([, number]) => Number(number));
  assert.deepEqual(numbers(await around({ message_index: 10 })), [7, 8, 9, 10, 11, 12, 13]);
  assert.deepEqual(numbers(await around({ message_index: 10, before: 0, after: 1 })), [10, 11]);
  const start = await around({ message_index: 1 });
  assert.deepEqual(numbers(start), [0, 1, 2, 3, 4]);
  assert.ok(
    start.startsWith(
      `session_id=s1 source=project\nsession_path=${path}\n\n  [0] system\n${"s".repeat(1200)}… (300 more`,
    ),
  );
  assert.match(start, /\n> \[1\] user\nmessage 0\n\n {2}\[2\] assistant\ncall bash \{"n":1\}\n/);
  const end = await around({ message_index: 32 });
  assert.match(end, /\[31\] user\nown words\n\n> \[32\] assistant\na{2000}… \(500 more characters\)$/);
  await bed.look({ query: "message" });
  assert.deepEqual(numbers(await around({ message_index: 25 })), [22, 23, 24, 25, 26, 27, 28]);
  await assert.rejects(around({ message_index: 33 }), /ends with message 32; there is no message 33/);
});

Deno.test("around reads nothing outside the searched folders, however the path is written", async () => {
  await using bed = await Bed.create();
  await bed.put("project/s1", [user("mine")]);
  await bed.put("other/foreign", [user("not mine")]);
  await Deno.symlink(`${bed.base}/other/foreign.jsonl`, `${bed.base}/project/link.jsonl`);
  const paths = [
    `${bed.base}/other/foreign.jsonl`,
    `${bed.base}/project/../other/foreign.jsonl`,
    `${bed.base}/project/link.jsonl`,
    "/etc/passwd",
    "foreign",
    "../other/foreign.jsonl",
    `${bed.base}/project/s1.jsonl/../../other/foreign.jsonl`,
    "",
  ];
  for (const session_path of paths) {
    await assert.rejects(bed.look({ operation: "around", session_path, message_index: 0 }), ToolError, session_path);
  }
  assert.match(await bed.look({ operation: "around", session_path: "s1", message_index: 0 }), /mine/);
  assert.match(
    await bed.look({ operation: "around", session_path: `${bed.base}/other/../project/s1.jsonl`, message_index: 0 }),
    /mine/,
  );
});

Deno.test("the index can be deleted at any time, be damaged, or be from another version", async () => {
  await using bed = await Bed.create();
  await bed.put("project/s1", [user("walrus")]);
  const hits = ["s1:0:user_text"];
  assert.deepEqual(await bed.hits({ query: "walrus" }), hits);
  for (const end of ["", "-wal", "-shm"]) await Deno.remove(bed.cacheFile + end).catch(() => {});
  assert.deepEqual(await bed.hits({ query: "walrus" }), hits);
  const spoil = [
    () => Deno.writeTextFile(bed.cacheFile, "not a database at all, but long enough to be looked at ".repeat(100)),
    () => Deno.remove(bed.cacheFile),
    () => Deno.writeTextFile(bed.cacheFile, ""),
  ];
  for (const damage of spoil) {
    await bed.search.close();
    await damage();
    bed.search = bed.open();
    assert.deepEqual(await bed.hits({ query: "walrus" }), hits);
  }
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(bed.cacheFile)).mode! & 0o777, 0o600);
});

Deno.test(
  "an index that somebody has put a link in place of is not followed",
  { ignore: Deno.build.os === "windows" },
  async () => {
    await using bed = await Bed.create();
    await bed.put("project/s1", [user("walrus")]);
    await Deno.mkdir(bed.cacheFile.slice(0, bed.cacheFile.lastIndexOf("/")), { recursive: true });
    const ends = ["", "-wal", "-shm"];
    for (const end of ends) await Deno.symlink(`${bed.base}/elsewhere${end}`, bed.cacheFile + end);
    assert.deepEqual(await bed.hits({ query: "walrus" }), ["s1:0:user_text"]);
    for (const end of ends) await assert.rejects(Deno.lstat(`${bed.base}/elsewhere${end}`), Deno.errors.NotFound);
  },
);

Deno.test("two programs look back at once, each with the same answer", async () => {
  await using bed = await Bed.create();
  for (let n = 0; n < 5; n++) {
    await bed.put(
      `project/s${n}`,
      Array.from({ length: 200 }, (_, at) => user(`walrus ${n} ${at}`)),
    );
  }
  const others = [bed.open(), bed.open(), bed.open()];
  const { signal } = new AbortController();
  const answers = await Promise.all(
    others.map(async (search) => (await search.look({ operation: "search", query: "walrus 3 77" }, signal)).text),
  );
  await Promise.all(others.map((search) => search.close()));
  for (const text of answers) assert.match(text, /session_id=s3 message_index=77|index up to date/);
});

Deno.test("damaged lines and texts of any size cost nothing but themselves, and a stop is heard", async () => {
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [user("walrus one")]);
  await Deno.writeTextFile(path, '{"role":"user","content":\n\n[1,2]\nnonsense\n', { append: true });
  await bed.put("project/s1", [user(`${"big ".repeat(500_000)} walrus`), user("walrus two")], { append: true });
  assert.deepEqual((await bed.hits({ query: "walrus" })).sort(), ["s1:0:user_text", "s1:2:user_text"]);
  await assert.rejects(bed.search.look({ operation: "search", query: "walrus" }, AbortSignal.abort()), {
    name: "AbortError",
  });
});

Deno.test("a session that was deleted leaves nothing in the index", async () => {
  await using bed = await Bed.create();
  const path = await bed.put("project/s1", [user("walrus")]);
  await bed.put("project/s2", [user("quagga")]);
  assert.deepEqual(await bed.hits({ query: "walrus" }), ["s1:0:user_text"]);
  await Deno.remove(path);
  assert.deepEqual(await bed.hits({ query: "walrus" }), []);
  await bed.search.close();
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(bed.cacheFile);
  const rows = database.prepare("SELECT path FROM session").all();
  const entries = database.prepare("SELECT count(*) AS count FROM entry").get();
  database.close();
  assert.deepEqual([rows.map(({ path }) => path), entries?.count], [[`${bed.base}/project/s2.jsonl`], 1]);
  bed.search = bed.open();
});

Deno.test("an index that is damaged while it is open is made anew", async () => {
  await using bed = await Bed.create();
  await bed.put("project/s1", Array.from({ length: 2000 }, (_, n) => user(`walrus ${n} ${"filler ".repeat(30)}`)));
  assert.deepEqual(await bed.hits({ query: "walrus 1234" }), ["s1:1234:user_text"]);
  await bed.search.close();
  bed.search = bed.open();
  const file = await Deno.open(bed.cacheFile, { write: true });
  const size = (await file.stat()).size;
  await file.seek(8192, Deno.SeekMode.Start);
  await file.write(new Uint8Array(size - 8192).fill(7));
  file.close();
  assert.deepEqual(await bed.hits({ query: "walrus 1234" }), ["s1:1234:user_text"]);
});
