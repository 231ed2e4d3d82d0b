import assert from "node:assert/strict";
import type { ContextState } from "../contract/context.ts";
import { createContextStore } from "./projection.ts";

const STATE: ContextState = {
  generation: 2,
  keepFactor: 0.25,
  projection: {
    messages: [
      { role: "system", content: "s" },
      { role: "tool", tool_call_id: "c", name: "bash", content: "error", tool_execution: { state: "failed" } },
    ],
    transcriptVersion: 9,
    projectionVersion: 2,
    coveredCount: 7,
    coveredPrefixHash: "aa",
    summaryHash: "bb",
    sourceTokens: 100,
    projectionTokens: 40,
    viewInputHash: "aa",
    viewOutputHash: "cc",
    createdAt: Date.UTC(2026, 0, 31),
  },
  lastReceipt: {
    operationId: "fold-3-1",
    status: "blocked",
    action: "summary",
    trigger: "auto",
    generation: 2,
    coveredCount: 8,
    inputHash: "dd",
    inputTokens: 120,
    triggerTokens: 110,
    createdAt: Date.UTC(2026, 0, 31),
    code: "provider.output_limit",
    reason: "cut twice",
    summaryCap: 32_768,
  },
};

async function withPlace(body: (place: { path: string }, sidecar: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body({ path: `${folder}/s1.jsonl` }, `${folder}/s1.context.json`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a state comes back as it was saved, execution records included", async () => {
  // proves CTX-29 CTX-40
  await withPlace(async (place, sidecar) => {
    await createContextStore(place).save(STATE);
    assert.deepEqual(await createContextStore(place).load(), STATE);
    const json = JSON.parse(await Deno.readTextFile(sidecar));
    assert.deepEqual(
      [json.schema_version, json.transcript_version, json.blocked_input_hash, json.blocked_reason],
      [3, 9, "dd", "cut twice"],
    );
    assert.equal(json.projection.created_at, "2026-01-31T00:00:00.000Z");
    if (Deno.build.os !== "windows") assert.equal((await Deno.stat(sidecar)).mode! & 0o777, 0o600);
  });
});

Deno.test("a sidecar that is missing, empty, torn, of a later version or of another shape counts as none", async () => {
  await withPlace(async (place, sidecar) => {
    const store = createContextStore(place);
    assert.equal(await store.load(), undefined);
    const broken = ["", "\n", '{"schema_version":3,"proj', "[]", "null", '{"schema_version":5}'];
    for (const text of broken) {
      await Deno.writeTextFile(sidecar, text);
      assert.equal(await store.load(), undefined, text);
    }
    const shapes = [{ messages: [] }, { messages: [{ role: "alien" }], covered_count: 1, covered_prefix_hash: "a" }, 7];
    for (const projection of shapes) {
      await Deno.writeTextFile(sidecar, JSON.stringify({ schema_version: 3, generation: 1, projection }));
      assert.deepEqual(await store.load(), { generation: 1 });
    }
  });
});

Deno.test("versions 0 to 4 are read, and keys of other programs are kept", async () => {
  await withPlace(async (place, sidecar) => {
    const projection = { messages: [{ role: "user", content: "x" }], covered_count: 1, covered_prefix_hash: "ab" };
    for (const schema_version of [undefined, 0, 1, 2, 3, 4]) {
      await Deno.writeTextFile(
        sidecar,
        JSON.stringify({ schema_version, generation: 1, projection, recall: { a: 1 } }),
      );
      const store = createContextStore(place);
      assert.equal((await store.load())?.projection?.coveredCount, 1);
      await store.save(STATE);
      assert.deepEqual(JSON.parse(await Deno.readTextFile(sidecar)).recall, { a: 1 });
    }
  });
});

Deno.test("the sidecar follows the conversation when it moves, and nothing half is ever seen", async () => {
  await withPlace(async (place, sidecar) => {
    const store = createContextStore(place);
    await store.save(STATE);
    place.path = place.path.replace("s1", "s2");
    await store.save({ ...STATE, generation: 3 });
    assert.equal((await createContextStore(place).load())?.generation, 3);
    assert.equal(JSON.parse(await Deno.readTextFile(sidecar)).generation, 2);
    const names = [...Deno.readDirSync(sidecar.slice(0, sidecar.lastIndexOf("/")))].map((entry) => entry.name).sort();
    assert.deepEqual(names, ["s1.context.json", "s2.context.json"]);
  });
});
