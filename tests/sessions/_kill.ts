import assert from "node:assert/strict";
import { createSessionStore } from "../../src/sessions/mod.ts";
import { startWriter, withState } from "./_writer.ts";

/**
 * Kills a writer at a random moment and looks at what is left. Answers how many bytes were torn. Also run by
 * `scripts/soak/kill_sessions.ts`, many times over.
 */
export async function killOnce(afterMs: number): Promise<number> {
  let torn = 0;
  await withState(async (stateRoot) => {
    const writer = startWriter({ stateRoot, ref: "new", task: "write" });
    const { id } = (await writer.next())!;
    const end = performance.now() + afterMs;
    let saved = -1;
    do saved = (await writer.next())!.saved!; while (performance.now() < end);
    await writer.kill();

    const store = createSessionStore({
      directory: `${stateRoot}/sessions`,
      stateRoot,
      holder: { pid: Deno.pid, host: "desk", program: "test", startedAt: 0 },
    });
    const path = `${stateRoot}/sessions/${id}.jsonl`;
    const size = Deno.statSync(path).size;
    const { transcript, notices } = await store.open(id!);
    torn = size - Deno.statSync(path).size;
    assert.equal(notices.length, torn > 0 ? 1 : 0);
    // Everything that was reported as saved is there, in order, and nothing else but what came right after.
    assert.ok(transcript.messages.length > saved, `${transcript.messages.length} messages, ${saved + 1} were saved`);
    transcript.messages.forEach((message, n) => assert.ok(message.content!.startsWith(`${n} größer`)));
    const last = transcript.messages.findLast((message) => message.result_ref !== undefined)!;
    const text = new TextDecoder().decode(await transcript.results.read(last.tool_call_id!, last.result_ref!));
    assert.ok(text.startsWith(last.content!));
    transcript.append({ role: "user", content: "on we go" });
    await transcript.close();

    const again = await store.open(id!);
    assert.deepEqual(again.notices, []);
    assert.deepEqual(again.transcript.messages.at(-1), { role: "user", content: "on we go" });
    await again.transcript.close();
  });
  return torn;
}
