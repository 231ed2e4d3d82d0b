/** A text to read: help, status, a report. Scrolls; any closing key leaves it, and so does writing, which is not lost. */
import { pressed } from "../keys.ts";
import type { Look } from "../look.ts";
import { renderMarkdown } from "../transcript/streamed_answer.ts";
import { type ContextBar, contextBar } from "./context_bar.ts";
import type { ModalPanel } from "./overlay.ts";

export interface TextPanelOptions {
  readonly look: () => Look;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Drawn, with its caption, in place of the text. */
  readonly bar?: ContextBar;
  close(): void;
  /** The person writes: the panel goes, and what was typed or pasted is the composer's. */
  type(data: string): void;
}

export class TextPanel implements ModalPanel {
  readonly #options: TextPanelOptions;
  #top = 0;
  #most = 0;
  #page = 1;

  constructor(options: TextPanelOptions) {
    this.#options = options;
  }

  key(data: string): void {
    const is = pressed(data);
    if (is("escape", "ctrl+c", "enter")) return this.#options.close();
    // Where there is nothing to scroll, letters are letters.
    const scrolls = this.#most > 0;
    if (scrolls && data === "q") return this.#options.close();
    if (is("up", "ctrl+p") || (scrolls && data === "k")) this.#top -= 1;
    else if (is("down", "ctrl+n") || (scrolls && data === "j")) this.#top += 1;
    else if (is("pageUp")) this.#top -= this.#page;
    else if (is("pageDown") || (scrolls && is("space"))) this.#top += this.#page;
    else if (is("home")) this.#top = 0;
    else if (is("end")) this.#top = this.#most;
    else if (isWriting(data)) return this.#options.type(data);
    this.#top = Math.max(0, Math.min(this.#most, this.#top));
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const { bar, text } = this.#options;
    const lines = [
      ...(bar ? contextBar(bar, width, this.#options.look()) : []),
      ...renderMarkdown(bar?.caption ?? text, width, theme.markdown),
    ];
    this.#page = Math.max(1, rows - 3);
    this.#most = Math.max(0, lines.length - this.#page);
    this.#top = Math.min(this.#top, this.#most);
    const place = this.#most > 0
      ? `${this.#top + 1}–${Math.min(lines.length, this.#top + this.#page)}/${lines.length}  `
      : "";
    return [
      theme.rule("─".repeat(width)),
      theme.strong(this.#options.title),
      ...lines.slice(this.#top, this.#top + this.#page),
      theme.dim(`${place}${t("panel.hints")}`),
    ];
  }
}

/** A character, or a paste. */
function isWriting(data: string): boolean {
  return data.startsWith("\x1b[200~") || /^[^\x00-\x1f\x7f]/.test(data);
}
