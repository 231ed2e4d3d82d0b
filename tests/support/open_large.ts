/** Opens the session file given as argument with little memory for texts and tells what it holds. */
import { createSessionStore } from "../../src/sessions/mod.ts";

const [stateRoot, path] = Deno.args as [string, string];
const store = createSessionStore({
  directory: `${stateRoot}/sessions`,
  stateRoot,
  holder: { pid: Deno.pid, host: "desk", program: "test", startedAt: 0 },
  residentBytes: 4 * 1024 * 1024,
});
const { transcript, notices } = await store.open(path);
let characters = 0;
for (const message of transcript.messages) characters += message.content?.length ?? 0;
const result = await transcript.results.read("c0", "tr-0");
console.log(JSON.stringify({
  messages: transcript.messages.length,
  characters,
  result: result?.length,
  notices,
}));
await transcript.close();
