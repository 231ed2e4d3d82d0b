/** What a model says while it says it: text and reasoning, handed out as few chunks as there were network reads. */
import type { Chunk } from "../contract/provider.ts";

export interface Speech {
  /** Chunks to be taken, for what else belongs between them. Flush before adding. */
  readonly chunks: Chunk[];
  say(kind: "text" | "reasoning", part: string): void;
  flush(): void;
  take(): Chunk[];
  /** What was taken for text was reasoning. Chunks that are out cannot be taken back; what is stored is right. */
  wasReasoning(): void;
  readonly text: string;
  readonly reasoning: string;
  /** Of both, also of what is not flushed. */
  readonly chars: number;
}

export function createSpeech(): Speech {
  let chunks: Chunk[] = [];
  let kind: "text" | "reasoning" = "text";
  let pending = "";
  const said = { text: "", reasoning: "" };
  const flush = () => {
    if (pending === "") return;
    chunks.push({ type: kind, text: pending });
    said[kind] += pending;
    pending = "";
  };
  return {
    get chunks() {
      return chunks;
    },
    say(next, part) {
      if (part === "") return;
      if (next !== kind) {
        flush();
        kind = next;
      }
      pending += part;
    },
    flush,
    take() {
      flush();
      const taken = chunks;
      if (taken.length > 0) chunks = [];
      return taken;
    },
    wasReasoning() {
      flush();
      said.reasoning += said.text;
      said.text = "";
    },
    get text() {
      return said.text;
    },
    get reasoning() {
      return said.reasoning;
    },
    get chars() {
      return said.text.length + said.reasoning.length + pending.length;
    },
  };
}
