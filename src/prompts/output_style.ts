/**
 * How the model is to phrase its answers: a text of its own, built in or the person's. A conversation that begins has it
 * in its standing prompt, which never changes; a style chosen later is told with the next message.
 */
import type { LoopObserver } from "../contract/observer.ts";
import type { Message } from "../contract/message.ts";
import { ownBlock } from "../lib/own_block.ts";
import concise from "./styles/concise.md" with { type: "text" };
import explanatory from "./styles/explanatory.md" with { type: "text" };
import learning from "./styles/learning.md" with { type: "text" };

export interface OutputStyle {
  readonly name: string;
  /** One line for people. */
  readonly description: string;
  readonly origin: "built_in" | "user" | "project";
  /** Markdown for the model. */
  readonly text: string;
}

export const BUILT_IN_STYLES: readonly OutputStyle[] = [
  { name: "concise", description: "as few words as carry the answer", origin: "built_in", text: concise },
  { name: "explanatory", description: "says why, and what is worth knowing", origin: "built_in", text: explanatory },
  { name: "learning", description: "leaves a piece of the work to you", origin: "built_in", text: learning },
];

/** Part of the standing prompt. */
export function styleSection({ name, text }: OutputStyle): string {
  return block(name, `How to phrase your answers:\n\n${text.trim()}`);
}

export interface SessionStylePorts {
  /** The style that is wanted now; undefined: none. */
  wanted(): OutputStyle | undefined;
  /** The conversation in force. */
  messages(): readonly Message[];
}

/** What one conversation has been told of styles. */
export class SessionStyle {
  readonly #ports: SessionStylePorts;
  /** Name; empty for none. Undefined: not looked up yet. */
  #told: string | undefined;
  /** It was told with a message, which a fold may drop. */
  #byMessage = false;

  constructor(ports: SessionStylePorts) {
    this.#ports = ports;
  }

  get observer(): LoopObserver {
    return {
      name: "output style",
      turnBegins: () => {
        const style = this.#ports.wanted();
        const name = style?.name ?? "";
        this.#told ??= this.#lookUp();
        if (name === this.#told) return Promise.resolve(undefined);
        this.#told = name;
        this.#byMessage = true;
        return Promise.resolve({ before: [styleBlock(style)] });
      },
    };
  }

  /** For a summary, where the words that told of the style may be gone. */
  get facts(): readonly string[] {
    const style = this.#ports.wanted();
    if (!this.#byMessage || style === undefined || style.name !== this.#told) return [];
    return [`Output style of your answers: ${style.name}\n${style.text.trim()}`];
  }

  /** The conversation was cut or made whole again. */
  reread(): void {
    this.#told = undefined;
    this.#byMessage = false;
  }

  #lookUp(): string {
    const messages = this.#ports.messages();
    for (let at = messages.length - 1; at >= 0; at--) {
      const { role, content = "", raw_content: raw } = messages[at]!;
      // Only what the host put before the person's words; theirs may hold anything.
      if (role !== "user" || raw === undefined) continue;
      const told = BLOCK.exec(content.slice(0, Math.max(0, content.length - raw.length)))?.[1];
      if (told === undefined) continue;
      this.#byMessage = true;
      return told === NONE ? "" : told;
    }
    const system = messages[0]?.role === "system" ? messages[0].content ?? "" : "";
    return BLOCK.exec(system)?.[1] ?? "";
  }
}

const NONE = "default";
const BLOCK = /<output-style name="([^"\n]*)">/;

function styleBlock(style: OutputStyle | undefined): string {
  const text = style === undefined
    ? "From this message on, answer as you would without a special style."
    : `From this message on, answer in this style. It takes the place of any earlier one.\n\n${style.text.trim()}`;
  return block(style?.name ?? NONE, text);
}

function block(name: string, text: string): string {
  return ownBlock("output-style", text, { name });
}
