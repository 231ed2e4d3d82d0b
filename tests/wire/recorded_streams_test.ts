// Streams recorded from many endpoints decode to what others' parsers made of them, however their bytes are cut.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ModelAnswer } from "../../src/contract/provider.ts";
import { builtinKinds, createProvider } from "../../src/providers/mod.ts";
import { eventStream, gather, providerSettings, scriptedFetch, testPorts } from "../support/provider_call.ts";
import { sharedPath } from "../support/shared.ts";

interface Expected {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly finishReason: string | null;
  readonly usage:
    | {
      readonly input: number;
      readonly output: number;
      readonly cachedInput: number | null;
      readonly reasoning: number | null;
    }
    | null;
}

const folder = sharedPath("fixtures/streams");
/** Its cache count stands in `timings`, which the recordings' own summary does not read. */
const CACHE_BESIDE_USAGE = /llama-cpp/;
/** Goes on in another request, which is tested apart. */
const PAUSED = /pause-turn/;

const KINDS = { chat: "openai", anthropic: "anthropic", responses: "responses" } as const;

/** Short streams lie together; the file's name tells the protocol. */
function kindOf(name: string): string {
  const folder = name.slice(0, name.indexOf("/"));
  if (folder in KINDS) return KINDS[folder as keyof typeof KINDS];
  return /--anthropic--/.test(name) ? "anthropic" : /--(?:openai|open)-responses--/.test(name) ? "responses" : "openai";
}

const names = folder === undefined
  ? []
  : [...Object.keys(KINDS), "quirks"].flatMap((kind) =>
    [...Deno.readDirSync(`${folder}/${kind}`)].map((entry) => `${kind}/${entry.name}`)
  ).filter((name) => name.endsWith(".sse") && !PAUSED.test(name) && builtinKinds.has(kindOf(name))).sort();

const load = (name: string) => ({
  bytes: Deno.readFileSync(`${folder}/${name}`),
  expected: JSON.parse(Deno.readTextFileSync(`${folder}/${name.replace(/\.sse$/, ".expected.json")}`)) as Expected,
});

async function decode(kind: string, pieces: () => Iterable<Uint8Array>) {
  const { fetch } = scriptedFetch([() => eventStream(pieces())]);
  return await gather(await createProvider(providerSettings({ kind }), testPorts({ fetch })));
}

/** In the words of the recordings. */
function summary(answer: ModelAnswer) {
  const { lastUsage: usage } = answer;
  return {
    text: answer.text,
    reasoning: answer.reasoning,
    toolCalls: answer.calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) })),
    finishReason: answer.finish,
    usage: usage.estimated ? null : {
      input: usage.prompt,
      output: usage.completion,
      cached: usage.cacheHit ?? null,
      reasoning: usage.reasoning ?? null,
    },
  };
}

function wanted(expected: Expected) {
  const { usage } = expected;
  return {
    text: expected.text,
    reasoning: expected.reasoning,
    toolCalls: expected.toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      name,
      arguments: JSON.parse(args || "{}"),
    })),
    // Where the stream never says, the calls tell.
    finishReason: expected.finishReason ?? (expected.toolCalls.length > 0 ? "tool_calls" : "stop"),
    usage: usage && { input: usage.input, output: usage.output, cached: usage.cachedInput, reasoning: usage.reasoning },
  };
}

async function check(name: string, cut: (bytes: Uint8Array) => Iterable<Uint8Array>): Promise<void> {
  const { bytes, expected } = load(name);
  const call = await decode(kindOf(name), () => cut(bytes));
  if (expected.finishReason === "error") {
    assert.match(call.error?.code ?? "", /^(?:provider\.|context\.)/, name);
    return;
  }
  assert.ok(call.answer, `${name}: ${call.error?.message}`);
  const got = summary(call.answer);
  if (CACHE_BESIDE_USAGE.test(name)) assert.ok((got.usage?.cached ?? 0) > 0, name);
  const compared = CACHE_BESIDE_USAGE.test(name) ? { ...got, usage: got.usage && { ...got.usage, cached: null } } : got;
  assert.deepEqual(compared, wanted(expected), name);
  assert.deepEqual(call.shown, { text: expected.text, reasoning: expected.reasoning }, name);
}

function* inPieces(bytes: Uint8Array, cuts: Iterable<number>): Iterable<Uint8Array> {
  let from = 0;
  for (const cut of cuts) {
    yield bytes.slice(from, cut);
    from = cut;
  }
  yield bytes.slice(from);
}

const ignore = folder === undefined;

// proves PRV-14
Deno.test({
  name: "recorded streams in one piece decode to the recorded answers",
  ignore,
  async fn() {
    assert.ok(names.length > 300);
    for (const name of names) await check(name, (bytes) => [bytes]);
  },
});

Deno.test({
  name: "recorded streams decode alike when every byte comes by itself",
  ignore,
  async fn() {
    const small = names.filter((name) => Deno.statSync(`${folder}/${name}`).size < 12_000);
    assert.ok(small.length > 180);
    for (const name of small) {
      await check(name, (bytes) => inPieces(bytes, Array.from({ length: bytes.length - 1 }, (_, at) => at + 1)));
    }
  },
});

Deno.test({
  name: "recorded streams decode alike in random pieces",
  ignore,
  async fn() {
    const cuts = fc.uniqueArray(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      cuts,
      (name, places) =>
        check(
          name,
          (bytes) => inPieces(bytes, places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b)),
        ),
    );
    await fc.assert(property, { numRuns: 300, seed: 7 });
  },
});
