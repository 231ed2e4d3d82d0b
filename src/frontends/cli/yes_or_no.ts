/** A question at the terminal that only a clear yes answers with yes. */
import type { Streams } from "./output/output.ts";

/** Both ends are a terminal: somebody is there. */
export function somebodyThere(): boolean {
  return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
}

/** An end of the input is a no. */
export async function yesOrNo(question: string, { err }: Streams): Promise<boolean> {
  err.write(`${question} [y/N] `);
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(1024);
  let line = "";
  while (!line.includes("\n")) {
    const read = await Deno.stdin.read(bytes);
    if (read === null) break;
    line += decoder.decode(bytes.subarray(0, read), { stream: true });
  }
  return /^y(?:es)?$/i.test(line.trim());
}
