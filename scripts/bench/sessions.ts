/**
 * What the session store costs: a message and a sync, a list of 5 000 sessions, opening 600 MB. Each part runs in a
 * process of its own, so that peak memory is that part's alone. `deno run -A scripts/bench/sessions.ts [part] [scale]`;
 * the scale (default 1) shrinks everything.
 */
import { createSessionStore } from "../../src/sessions/mod.ts";
import type { Message } from "../../src/contract/message.ts";

const PARTS = ["append", "list", "open-many", "open-large", "open-plain"] as const;
type Part = typeof PARTS[number];

const [part, scaleText = "1"] = Deno.args;
const scale = Number(scaleText);

function storeIn(root: string) {
  return createSessionStore({
    directory: `${root}/sessions`,
    stateRoot: root,
    holder: { pid: Deno.pid, host: Deno.hostname(), program: "bench", startedAt: Date.now() },
  });
}

/** Peak resident set of this process in MB; undefined where the system does not tell. */
function peakMemory(): number | undefined {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

function report(name: string, values: Record<string, number | string | undefined>): void {
  const text = Object.entries(values).map(([key, value]) => `${key} ${value}`).join("  ");
  console.log(`${name.padEnd(11)} ${text}  peak ${peakMemory()} MB`);
}

async function timed<T>(work: () => Promise<T> | T): Promise<[ms: number, value: T]> {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
}

const round = (value: number) => Math.round(value * 10) / 10;

/** `count` messages of about `bytes` each, a user turn every ten. */
async function writeSession(path: string, messages: Iterable<Message>): Promise<number> {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = file.writable.getWriter();
  const encoder = new TextEncoder();
  let bytes = 0;
  let batch = "";
  for (const message of messages) {
    batch += JSON.stringify(message) + "\n";
    if (batch.length < 4_000_000) continue;
    const piece = encoder.encode(batch);
    bytes += piece.length;
    await writer.write(piece);
    batch = "";
  }
  const last = encoder.encode(batch);
  await writer.write(last);
  writer.releaseLock();
  return bytes + last.length;
}

const PROSE = 'const answer = compute(input); // "quoted", tab\there, ünïcode — naïve\n';

function* rounds(count: number, content: string, every: (index: number) => Partial<Message> | undefined) {
  for (let i = 0; i < count; i++) {
    const call = `call_${i}`;
    if (i % 20 === 0) yield { role: "user", content: `turn ${i}` } satisfies Message;
    yield {
      role: "assistant",
      content: "",
      tool_calls: [{ id: call, name: "bash", arguments: JSON.stringify({ command: `step ${i}` }) }],
    } satisfies Message;
    yield { role: "tool", tool_call_id: call, name: "bash", content, ...every(i) } satisfies Message;
  }
}

const parts: Record<Part, (root: string) => Promise<void>> = {
  async append(root) {
    const transcript = await storeIn(root).create({ model: "bench/one" });
    const rounds = Math.round(2000 * scale);
    const small: Message = { role: "assistant", content: PROSE.repeat(4), createdAt: 1 };
    const result: Message = { role: "tool", tool_call_id: "c", name: "bash", content: PROSE.repeat(200) };
    const [firstMs] = await timed(() => transcript.append(small));
    const [appendMs] = await timed(() => {
      for (let i = 0; i < rounds; i++) {
        transcript.append(small);
        transcript.append(result);
      }
    });
    const [syncMs] = await timed(async () => {
      for (let i = 0; i < rounds; i++) {
        transcript.append(small);
        transcript.append(result);
        await transcript.sync();
      }
    });
    const [turnMs] = await timed(() => {
      for (let i = 0; i < 200; i++) {
        transcript.beginTurn({ id: "t" });
        transcript.endTurn();
      }
    });
    await transcript.close();
    report("append", {
      "first message ms": round(firstMs),
      "µs for a round's two messages": round(appendMs * 1000 / rounds),
      "with sync": round(syncMs * 1000 / rounds),
      "begin+end of a turn µs": round(turnMs * 1000 / 200),
    });
  },

  async list(root) {
    const store = storeIn(root);
    const count = Math.round(5000 * scale);
    for (let i = 0; i < count; i++) {
      const transcript = await store.create({ model: "bench/one" });
      transcript.append({ role: "user", content: `Task number ${i}: ${PROSE}` });
      transcript.append({ role: "assistant", content: PROSE.repeat(10) });
      await transcript.close();
    }
    const [ms, records] = await timed(() => store.list());
    const [latestMs] = await timed(() => store.latest());
    for (const record of records) Deno.removeSync(`${record.path}.meta`);
    const [bareMs] = await timed(() => store.list());
    report("list", {
      sessions: records.length,
      ms: round(ms),
      "latest ms": round(latestMs),
      "without meta files ms": round(bareMs),
    });
  },

  /** 100 000 messages, 600 MB, all of it text the model saw. */
  async "open-many"(root) {
    const content = PROSE.repeat(Math.round(12_000 / PROSE.length));
    await openPart("open-many", root, rounds(Math.round(50_000 * scale), content, () => undefined));
  },

  /** 20 000 records, 600 MB, most of it full texts of bounded results of 2 MB. */
  async "open-large"(root) {
    const raw = PROSE.repeat(Math.round(2_000_000 / PROSE.length));
    await openPart(
      "open-large",
      root,
      rounds(
        Math.round(10_000 * scale),
        PROSE.repeat(10),
        (i) => i % 35 === 0 ? { raw_content: raw, result_ref: `tr-${i}` } : undefined,
      ),
    );
  },

  /** The same, but the 2 MB are the text itself. */
  async "open-plain"(root) {
    const long = PROSE.repeat(Math.round(2_000_000 / PROSE.length));
    await openPart(
      "open-plain",
      root,
      rounds(Math.round(10_000 * scale), PROSE.repeat(10), (i) => i % 35 === 0 ? { content: long } : undefined),
    );
  },
};

async function openPart(name: string, root: string, messages: Iterable<Message>): Promise<void> {
  Deno.mkdirSync(`${root}/sessions`, { recursive: true });
  const path = `${root}/sessions/large.jsonl`;
  const bytes = await writeSession(path, messages);
  // The writing is not to count: a fresh process opens the file.
  const child = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", import.meta.filename!, "opened", scaleText, name, path],
  }).output();
  await Deno.stdout.write(child.stdout);
  await Deno.stderr.write(child.stderr);
  console.log(`${"".padEnd(11)} of ${Math.round(bytes / 1e6)} MB`);
}

async function opened(name: string, path: string): Promise<void> {
  const root = path.slice(0, path.indexOf("/sessions/"));
  const store = storeIn(root);
  const [listMs] = await timed(() => store.list());
  const [ms, { transcript }] = await timed(() => store.open(path));
  const result = transcript.messages.find((message) => message.result_ref !== undefined);
  const [readMs] = await timed(async () =>
    result && await transcript.results.read(result.tool_call_id!, result.result_ref!)
  );
  report(name, {
    messages: transcript.messages.length,
    "list ms": round(listMs),
    "open ms": round(ms),
    "one full result ms": round(readMs),
  });
  await transcript.close();
}

async function inTemporary(work: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "reasonix-bench-" });
  try {
    await work(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

if (part === "opened") await opened(Deno.args[2]!, Deno.args[3]!);
else {
  for (const name of PARTS.filter((candidate) => part === undefined || part === candidate)) {
    await inTemporary(parts[name]);
  }
}
