/** What a person types at the terminal, outside the terminal UI. */
import type { Output, Streams } from "./output/output.ts";

/** Both ends are a terminal: somebody is there. */
export function somebodyThere(): boolean {
  return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
}

/** Only a clear yes is one; an end of the input is a no. */
export async function yesOrNo(question: string, { err }: Streams): Promise<boolean> {
  err.write(`${question} [y/N] `);
  return /^y(?:es)?$/i.test((await typedLine() ?? "").trim());
}

/** With its end, or what there is of it at the end of the input; undefined when that is nothing. */
export async function typedLine(): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(4096);
  let line = "";
  while (!line.includes("\n")) {
    const read = await Deno.stdin.read(bytes);
    if (read === null) return line === "" ? undefined : line;
    line += decoder.decode(bytes.subarray(0, read), { stream: true });
  }
  return line;
}

/** A line that is not shown. Empty when it is left with Esc, Ctrl+C or Ctrl+D. */
export async function hiddenLine(question: string, err: Output): Promise<string> {
  // A whole line: a terminal on a busy machine was seen to swallow an unfinished one when its mode changes.
  err.line(question);
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(4096);
  let text = "";
  Deno.stdin.setRaw(true);
  try {
    for (;;) {
      const read = await Deno.stdin.read(bytes);
      if (read === null) return "";
      const typed = decoder.decode(bytes.subarray(0, read), { stream: true });
      // Esc by itself; a key such as an arrow comes with more behind it.
      if (typed === "\x1b") return "";
      for (const char of typed) {
        if (char === "\r" || char === "\n") return text.replace(/\x1b\[20[01]~/g, "").trim();
        if (char === "\x03" || char === "\x04") return "";
        text = char === "\x7f" || char === "\b" ? text.slice(0, -1) : text + char;
      }
    }
  } finally {
    Deno.stdin.setRaw(false);
    err.write("\n");
  }
}
