/** stdio transport: one JSON message per line in, one per line out, until standard input ends. Needs no permission. */
import { ExampleServer } from "./server.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let unfinished = "";

const server = new ExampleServer((message) => {
  let rest = encoder.encode(JSON.stringify(message) + "\n");
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
});
/** Long calls run beside what comes after them; they are waited for at the end. */
const working = new Set<Promise<void>>();

function take(line: string): void {
  if (line.trim() === "") return;
  const work = server.take(line);
  if (!work) return;
  const done: Promise<void> = work.finally(() => working.delete(done));
  working.add(done);
}

for await (const bytes of Deno.stdin.readable) {
  const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
  unfinished = lines.pop() ?? "";
  lines.forEach(take);
}
take(unfinished);
server.close();
await Promise.all(working);
