/** A key to be typed or pasted: modal, one line, never shown and never part of the composer or its history. */
import { toLine } from "../../../lib/terminal_text.ts";
import { pressed, typedText } from "../keys.ts";
import type { Look } from "../look.ts";
import { wrap } from "../wrap.ts";
import type { ModalPanel } from "./overlay.ts";

export interface SecretInputOptions {
  readonly look: () => Look;
  /** Variable of the key. */
  readonly name: string;
  save(value: string): void;
  close(): void;
}

const PASTE_MARKS = /\x1b\[20[01]~/g;
const LONGEST = 4_096;

export class SecretInput implements ModalPanel {
  readonly #options: SecretInputOptions;
  #value = "";

  constructor(options: SecretInputOptions) {
    this.#options = options;
  }

  key(data: string): void {
    const { save, close } = this.#options;
    const is = pressed(data);
    if (is("escape", "ctrl+c")) return close();
    if (is("enter")) return this.#value.trim() === "" ? close() : save(this.#value.trim());
    if (is("backspace")) this.#value = [...this.#value].slice(0, -1).join("");
    else if (is("ctrl+u")) this.#value = "";
    else this.#add(data);
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const length = [...this.#value].length;
    const dots = "•".repeat(Math.min(length, Math.max(1, width - 10)));
    const title = wrap(t("key.title", { name: toLine(this.#options.name, 100) }), width);
    const hints = wrap(t("key.hints"), width);
    return [
      theme.rule("─".repeat(width)),
      ...title.map(theme.strong),
      `❯ ${dots}${length > 0 ? theme.dim(` ${length}`) : ""}`,
      ...hints.map(theme.dim),
    ].slice(0, rows);
  }

  /** Typed, or pasted with or without the marks of a paste; of several lines the first. */
  #add(data: string): void {
    const pasted = data.replace(PASTE_MARKS, "");
    const text = pasted === data ? typedText(data) : pasted.trim().split(/[\r\n]/, 1)[0]!;
    if (text !== undefined) this.#value = (this.#value + text.replace(/\p{Cc}/gu, "")).slice(0, LONGEST);
  }
}
