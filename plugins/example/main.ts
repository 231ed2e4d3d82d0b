/** stdio transport: one JSON message per line in, one per line out, until standard input ends. Needs no permission. */
import { answer } from "./server.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let unfinished = "";

function say(line: string): void {
  if (line.trim() === "") return;
  const answered = answer(line);
  if (answered === undefined) return;
  let rest = encoder.encode(JSON.stringify(answered) + "\n");
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

for await (const bytes of Deno.stdin.readable) {
  const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
  unfinished = lines.pop() ?? "";
  lines.forEach(say);
}
say(unfinished);
