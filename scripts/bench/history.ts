/**
 * How long the history tool takes over many messages: `deno run -A --no-check scripts/bench/history.ts [messages]`. The
 * conversations are made up: words drawn as in real text, few of them often and many of them rarely.
 */
import { HistorySearch } from "../../src/sessions/history/history_search.ts";

/** Words of letters alone, each another. */
const nth = (n: number) => "w" + n.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!);

const COUNT = Number(Deno.args[0] ?? 100_000);
const SESSIONS = 50;
const QUERIES = [
  "zeta4711",
  "deploy rollback staging database",
  `${nth(1)} ${nth(2)} ${nth(3)}`,
  `${nth(0)} ${nth(1)}`,
  "数据库 迁移 失败",
  "how did we fix the flaky timeout in retryLimit",
];

let seed = 42;
const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
const word = () => nth(Math.floor(20_000 * random() ** 4));
const text = (length: number) => Array.from({ length }, word).join(" ");

function message(n: number): unknown {
  const odd = n % 977 === 0 ? " retryLimit deploy rollback of the staging database 数据库迁移失败" : "";
  if (n === 50_000) return { role: "user", content: "remember zeta4711" };
  if (n % 4 === 0) return { role: "user", content: text(30) + odd };
  if (n % 4 === 1) {
    const call = { id: `c${n}`, name: "bash", arguments: JSON.stringify({ command: text(12) }) };
    return { role: "assistant", content: text(40), tool_calls: [call] };
  }
  if (n % 4 === 2) return { role: "tool", tool_call_id: `c${n - 1}`, name: "bash", content: text(300) };
  return { role: "assistant", content: text(80) + odd };
}

const base = await Deno.makeTempDir({ prefix: "reasonix-bench-" });
try {
  const folder = `${base}/sessions`;
  await Deno.mkdir(folder);
  let bytes = 0;
  for (let session = 0; session < SESSIONS; session++) {
    const each = COUNT / SESSIONS;
    const lines = Array.from({ length: each }, (_, n) => JSON.stringify(message(session * each + n))).join("\n") + "\n";
    bytes += lines.length;
    await Deno.writeTextFile(`${folder}/s${session}.jsonl`, lines);
  }
  const options = {
    folders: { project: folder, global: `${base}/g`, archive: `${base}/a` },
    cacheFile: `${base}/cache/history.sqlite`,
    current: () => ({ path: "", turnStart: 0 }),
  };
  const { signal } = new AbortController();
  const timed = async (name: string, work: () => Promise<unknown>, runs = 1) => {
    let best = Infinity;
    for (let run = 0; run < runs; run++) {
      const start = performance.now();
      await work();
      best = Math.min(best, performance.now() - start);
    }
    console.log(`${name.padEnd(60)} ${best.toFixed(1).padStart(9)} ms`);
  };
  console.log(`${COUNT} messages in ${SESSIONS} sessions, ${(bytes / 1e6).toFixed(0)} MB`);
  let search = new HistorySearch(options);
  await timed("first search, index made", () => search.look({ operation: "search", query: "zeta4711" }, signal));
  await search.close();
  console.log(`index ${(Deno.statSync(options.cacheFile).size / 1e6).toFixed(0)} MB`);
  search = new HistorySearch(options);
  await timed("first search of another process", () => search.look({ operation: "search", query: "zeta4711" }, signal));
  for (const query of QUERIES) {
    await timed(`warm: ${query}`, () => search.look({ operation: "search", query }, signal), 5);
    await timed(`again, in all kinds`, () =>
      search.look({
        operation: "search",
        query,
        kind: ["user_text", "assistant_text", "tool_input", "tool_error", "tool_output"],
      }, signal), 5);
  }
  await Deno.writeTextFile(`${folder}/s7.jsonl`, `${JSON.stringify({ role: "user", content: "fresh zeta4712" })}\n`, {
    append: true,
  });
  await timed("after a message was added", () => search.look({ operation: "search", query: "zeta4712" }, signal));
  await timed(
    "around",
    () =>
      search.look(
        { operation: "around", session_path: `${Deno.realPathSync(folder)}/s25.jsonl`, message_index: 1000 },
        signal,
      ),
  );
  await search.close();
} finally {
  await Deno.remove(base, { recursive: true });
}
