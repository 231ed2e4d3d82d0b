/**
 * A program that holds a session, for tests of what happens when two want it or one dies. Arguments: state folder, session
 * (`new` for one of its own), what to do. Tells on standard output, one JSON a line: `{"id"}` once it owns the session,
 * `{"saved": n}` after each message that was saved, `{"failed": code, "message"}`.
 */
import type { Message } from "../../src/contract/message.ts";
import { createSessionStore } from "../../src/sessions/mod.ts";

const [stateRoot, ref, task] = Deno.args as [string, string, "hold" | "write" | "fill" | "spawn"];
const encoder = new TextEncoder();
const tell = (fact: unknown) => Deno.stdout.writeSync(encoder.encode(JSON.stringify(fact) + "\n"));

/** Message `n` of a writer; sizes vary from some bytes to about 1 MB. */
function message(n: number): Message {
  const content = `${n} größer 🚀\u2028 `.repeat(1 + (n * 7919) % 40);
  if (n % 3 !== 0) return { role: n % 3 === 1 ? "assistant" : "user", content };
  return {
    role: "tool",
    tool_call_id: `c${n}`,
    result_ref: `tr-${n}`,
    content,
    raw_content: content.repeat(1 + (n * 104729) % 1500),
  };
}

try {
  const store = createSessionStore({
    directory: `${stateRoot}/sessions`,
    stateRoot,
    holder: { pid: Deno.pid, host: "child", program: "writer", startedAt: Date.now() },
    notify: (notice) => tell({ notice }),
  });
  const transcript = ref === "new" ? await store.create({ model: "m" }) : (await store.open(ref)).transcript;
  if (task === "spawn") {
    // A child that outlives its parent must not keep the parent's lock.
    transcript.append(message(0));
    new Deno.Command("sleep", { args: ["60"], stdin: "null", stdout: "null", stderr: "null" }).spawn().unref();
  }
  tell({ id: transcript.id });
  if (task === "hold" || task === "spawn") await new Promise((resolve) => setTimeout(resolve, 60_000));
  transcript.beginTurn({ id: "t1" });
  for (let n = transcript.messages.length; n < 100_000; n++) {
    try {
      transcript.append(message(n));
      tell({ saved: n });
    } catch (error) {
      tell({ failed: (error as { code?: string }).code, message: (error as Error).message });
      if (task === "fill") break;
    }
    if (n % 10 === 9) await transcript.sync();
  }
  await transcript.close();
} catch (error) {
  tell({
    failed: (error as { code?: string }).code,
    message: (error as Error).message,
    remedy: (error as { remedy?: string }).remedy,
  });
}
