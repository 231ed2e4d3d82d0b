import assert from "node:assert/strict";
import type { Message } from "../../src/contract/message.ts";
import { withState } from "./_writer.ts";

const CONTENT = "x".repeat(600_000);
const RAW = "y".repeat(1_400_000);

Deno.test("a transcript opens and is read in a fraction of its size in memory", async () => {
  await withState(async (stateRoot) => {
    Deno.mkdirSync(`${stateRoot}/sessions`);
    const path = `${stateRoot}/sessions/large.jsonl`;
    {
      using file = Deno.openSync(path, { write: true, createNew: true });
      for (let n = 0; n < 100; n++) {
        const message: Message = {
          role: "tool",
          tool_call_id: `c${n}`,
          result_ref: `tr-${n}`,
          content: CONTENT,
          raw_content: RAW,
        };
        const bytes = new TextEncoder().encode(JSON.stringify(message) + "\n");
        for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
      }
    }
    const program = decodeURIComponent(new URL("../support/open_large.ts", import.meta.url).pathname);
    // 200 MB of records; the heap may hold a fifth of that and no more.
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--v8-flags=--max-old-space-size=40", program, stateRoot, path],
    }).output();
    assert.equal(new TextDecoder().decode(stderr), "");
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
      messages: 100,
      characters: 100 * CONTENT.length,
      result: RAW.length,
      notices: [],
    });
  });
});
