/**
 * What preparing a request costs in a round below the trigger, over a conversation of 2 000 rounds, beside making the
 * outgoing copy alone. `deno run -A --no-check scripts/bench/context.ts`. Prints milliseconds a round for each quarter.
 */
import { CONTEXT_DEFAULTS } from "../../src/agent/mod.ts";
import { ContextManager } from "../../src/agent/context/context.ts";
import { Outgoing } from "../../src/agent/outgoing.ts";
import { MemoryTranscript } from "../../tests/support/memory_transcript.ts";
import { ScriptedProvider } from "../../tests/support/scripted_provider.ts";

const ROUNDS = 2000;
const QUARTER = ROUNDS / 4;
const transcript = new MemoryTranscript([{ role: "system", content: "s" }, { role: "user", content: "work" }]);
const provider = new ScriptedProvider([], { contextWindow: 1_000_000_000 });
const context = new ContextManager({ provider, transcript, emit: () => {}, now: Date.now }, CONTEXT_DEFAULTS);
const alone = new Outgoing();
const situation = { fixed: { system: "s", tools: [] }, activeTurn: 1, signal: new AbortController().signal };
const spent = { prepare: 0, outgoing: 0 };

for (let round = 1; round <= ROUNDS; round++) {
  const id = `c${round}`;
  transcript.append({ role: "assistant", tool_calls: [{ id, name: "read_file", arguments: '{"path":"a.ts"}' }] });
  transcript.append({ role: "tool", tool_call_id: id, name: "read_file", content: "x".repeat(4000) });
  const start = performance.now();
  await context.prepare(situation);
  const middle = performance.now();
  alone.toOutgoing(transcript.messages);
  spent.prepare += middle - start;
  spent.outgoing += performance.now() - middle;
  if (round % QUARTER !== 0) continue;
  const per = (ms: number) => (ms / QUARTER).toFixed(4);
  console.log(
    `rounds to ${round}: prepare ${per(spent.prepare)} ms, the outgoing copy alone ${per(spent.outgoing)} ms`,
  );
  [spent.prepare, spent.outgoing] = [0, 0];
}
