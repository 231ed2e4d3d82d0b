import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import { bed, longWork, said } from "../../../tests/support/fold_bed.ts";

Deno.test("at the trigger one summary leaves prefix, one digest and the newest messages", async () => {
  // proves CTX-08
  const { agent, provider, events, transcript, run } = bed(longWork(6), { contextWindow: 20_000 });
  await run("Do it.");
  const kinds = events.map((event) => event.kind).filter((kind) => kind.startsWith("compaction"));
  console.log(
    kinds,
    provider.requests.map((r) => r.messages.length),
    agent.context,
    said(provider.requests.at(-1)!).map((t) => t.slice(0, 200)),
    transcript.messages.length,
    events.filter((e) => e.kind === "notice" || e.kind.startsWith("compaction_")),
  );
  assert.ok(provider.summaryRequests.length >= 1);
  void ({} as Message);
});
