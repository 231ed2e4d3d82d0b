/** A text to read: help, status, a report. Scrolls; any closing key leaves it. */
import { matchesKey } from "@earendil-works/pi-tui";
import type { Look } from "../look.ts";
import { renderMarkdown } from "../transcript/streamed_answer.ts";
import { type ContextBar, contextBar } from "./context_bar.ts";
import type { ModalPanel } from "./overlay.ts";

export interface TextPanelOptions {
  readonly look: () => Look;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Drawn above the text. */
  readonly bar?: ContextBar;
  close(): void;
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
    const is = (...keys: string[]) => keys.some((key) => matchesKey(data, key as "up"));
    if (is("escape", "ctrl+c", "enter") || data === "q") return this.#options.close();
    if (is("up", "ctrl+p") || data === "k") this.#top -= 1;
    else if (is("down", "ctrl+n") || data === "j") this.#top += 1;
    else if (is("pageUp")) this.#top -= this.#page;
    else if (is("pageDown", "space")) this.#top += this.#page;
    else if (is("home")) this.#top = 0;
    else if (is("end")) this.#top = this.#most;
    this.#top = Math.max(0, Math.min(this.#most, this.#top));
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const { bar, text } = this.#options;
    const lines = [
      ...(bar ? contextBar(bar, width, this.#options.look()) : []),
      ...renderMarkdown(text, width, theme.markdown),
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
