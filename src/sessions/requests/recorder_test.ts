import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import type { Chunk, ModelRequest, Provider } from "../../contract/provider.ts";
import { ReasonixError } from "../../contract/errors.ts";
import { parseRecords } from "./record.ts";
import { recordRequests } from "./recorder.ts";

const USAGE = { prompt: 100, completion: 1, total: 101, cacheHit: 64, cacheMiss: 36, requestAttempts: 1 };
const DONE: Extract<Chunk, { type: "done" }> = {
  type: "done",
  answer: { text: "ok", reasoning: "", calls: [], finish: "stop", usage: USAGE, lastUsage: USAGE },
};

function answering(end: () => Chunk = () => DONE): Provider {
  return {
    name: "acme",
    model: "m",
    contextWindow: 0,
    async *stream() {
      yield await Promise.resolve(end());
    },
  };
}

const request = (messages: readonly Message[], rest: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "sys",
  tools: TOOLS,
  messages,
  ...rest,
});
const TOOLS = [{ name: "ls", description: "", parameters: {} }];

async function recorded(
  ask: (send: (request: ModelRequest) => Promise<void>, restart: () => void) => Promise<void>,
  provider = answering(),
) {
  const directory = await Deno.makeTempDir();
  try {
    const options = { place: { path: `${directory}/one.jsonl` }, now: () => 5 };
    let recording = recordRequests(provider, options);
    const send = async (one: ModelRequest) => {
      for await (const _ of recording.stream(one, new AbortController().signal));
    };
    await ask(send, () => recording = recordRequests(provider, options));
    const text = await Deno.readTextFile(`${directory}/one.requests.jsonl`);
    return { text, records: parseRecords(text) };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const first: Message = { role: "user", content: "the secret plan" };

Deno.test("a growing conversation is written once, and none of its words", async () => {
  const messages: Message[] = [first];
  const { text, records } = await recorded(async (send) => {
    for (let at = 0; at < 3; at++) {
      await send(request([...messages]));
      messages.push({ role: "assistant", content: `answer ${at}` });
    }
  });
  assert.deepEqual(records.map((record) => record.messages.length), [1, 2, 3]);
  assert.deepEqual(text.trim().split("\n").map((line) => JSON.parse(line).add.length), [1, 1, 1]);
  assert.doesNotMatch(text, /secret|answer/);
  assert.equal(records[2]!.change, undefined);
  assert.deepEqual([records[0]!.input, records[0]!.cacheHit], [100, 64]);
});

Deno.test("the first byte that changed is named, whatever it was in", async () => {
  const { records } = await recorded(async (send) => {
    await send(request([first, { role: "assistant", content: "中文 one" }]));
    await send(request([first, { role: "assistant", content: "中文 two" }]));
    await send(request([first]));
    await send(request([first], { system: "sys2" }));
    await send(
      request([first], { system: "sys2", tools: [...TOOLS, { name: "rm", description: "", parameters: {} }] }),
    );
  });
  assert.deepEqual(records.map((record) => record.change), [
    undefined,
    { part: "message", index: 1, what: "text", byte: 7 },
    { part: "message", index: 1 },
    { part: "system", byte: 3 },
    { part: "tools", tool: "rm" },
  ]);
});

Deno.test("requests that make summaries are told apart, and a restart is not a change", async () => {
  const { records } = await recorded(async (send, restart) => {
    await send(request([first]));
    await send(request([{ role: "user", content: "sum up" }], { system: "other", source: "compaction" }));
    restart();
    await send(request([first, { role: "assistant", content: "x" }]));
  });
  assert.deepEqual(records.map(({ source, change }) => [source, change]), [
    ["executor", undefined],
    ["compaction", undefined],
    ["executor", undefined],
  ]);
  assert.equal(records[2]!.messages[0]!.digest, records[0]!.messages[0]!.digest);
});

Deno.test("a failure is remembered by its code, and a record that cannot be written costs nothing", async () => {
  const failing = answering(() => ({ type: "error", error: new ReasonixError("provider.empty", "nothing") }));
  const { records } = await recorded((send) => send(request([first])), failing);
  assert.equal(records[0]!.failure, "provider.empty");
  const nowhere = recordRequests(answering(), { place: { path: "/nonexistent/x.jsonl" }, now: () => 0 });
  for await (const _ of nowhere.stream(request([first]), new AbortController().signal));
});

Deno.test("lines that make no sense are left out, with what builds on them", async () => {
  const { text } = await recorded(async (send) => {
    await send(request([first]));
    await send(request([first, { role: "assistant", content: "a" }]));
  });
  const [one, two] = text.trim().split("\n");
  assert.equal(parseRecords(`${one}\n{"v":1,"torn\n${two}\n`).length, 2);
  assert.equal(parseRecords(`{}\nnull\n${two}\n`).length, 0);
});

Deno.test("a request that ends in calls is recorded while they run; one that cannot be recorded harms nobody", async () => {
  const call = { id: "c1", name: "ls", arguments: "{}" };
  const calling = answering(() => ({ ...DONE, answer: { ...DONE.answer, calls: [call] } }));
  const { records } = await recorded(async (send) => {
    await send(request([first]));
    await new Promise((done) => setTimeout(done, 20));
  }, calling);
  assert.deepEqual(records.map((record) => record.input), [100]);

  const place = {
    get path(): string {
      throw new Error("no place");
    },
  };
  for (const provider of [calling, answering()]) {
    const recording = recordRequests(provider, { place, now: () => 5 });
    const ends: string[] = [];
    for await (const { type } of recording.stream(request([first]), new AbortController().signal)) ends.push(type);
    assert.deepEqual(ends, ["done"]);
    await new Promise((done) => setTimeout(done, 20));
  }
});
