/** One answer while it streams: finished pieces are rendered once and handed over, the rest at most every 50 ms. */
import { Markdown, type MarkdownTheme, visibleWidth } from "@earendil-works/pi-tui";
import { append } from "../../../lib/append.ts";
import { toTerminal } from "../../../lib/terminal_text.ts";
import { wrap } from "../wrap.ts";
import { BlockSplitter, type Piece } from "./block_splitter.ts";
import { isDrawable } from "./drawable.ts";

/** Milliseconds between two renderings of the open end. */
const RENDER_EVERY = 50;

export class StreamedAnswer {
  readonly #splitter = new BlockSplitter();
  readonly #theme: MarkdownTheme;
  readonly #now: () => number;
  readonly #final: Piece[] = [];
  #seen = "";
  #handedOver = 0;
  #open:
    | { readonly text: string; readonly width: number; readonly lines: readonly string[]; readonly at: number }
    | undefined;

  constructor(theme: MarkdownTheme, now: () => number = () => performance.now()) {
    this.#theme = theme;
    this.#now = now;
  }

  /** `text` is the whole answer so far. */
  update(text: string): void {
    if (text === this.#seen) return;
    this.#seen = text;
    // An escape may be cut in two by the stream, a carriage return from its line feed: the last character waits.
    append(this.#final, this.#splitter.push(toTerminal(text.endsWith("\r") ? text.slice(0, -1) : text)));
  }

  finish(text: string): void {
    this.#seen = text;
    append(this.#final, this.#splitter.finish(toTerminal(text)));
  }

  /** Lines that have become final since the last call. */
  take(width: number): string[] {
    return this.#final.splice(0).flatMap((piece) => this.#lines(piece, width));
  }

  /** The open end. */
  rest(width: number): readonly string[] {
    const { rest } = this.#splitter;
    const open = this.#open;
    if (open && open.width === width && (open.text === rest.text || this.#recent(open, rest))) return open.lines;
    const lines = this.#render(rest, width);
    const shown = rest.joined || this.#handedOver === 0 || lines.length === 0 ? lines : ["", ...lines];
    this.#open = { text: rest.text, width, lines: shown, at: this.#now() };
    return shown;
  }

  /** Old enough to be drawn anew only later; never when a piece has just been cut off it. */
  #recent(open: { readonly text: string; readonly at: number }, rest: Piece): boolean {
    return this.#now() - open.at < RENDER_EVERY && rest.text.startsWith(open.text.slice(0, 40)) &&
      rest.text.length >= open.text.length;
  }

  #lines(piece: Piece, width: number): string[] {
    const lines = this.#render(piece, width);
    if (lines.length === 0) return [];
    return this.#handedOver++ === 0 || piece.joined ? lines : ["", ...lines];
  }

  #render(piece: Piece, width: number): string[] {
    return renderPiece(piece, width, this.#theme);
  }
}

function renderPiece(piece: Piece, width: number, theme: MarkdownTheme): string[] {
  if (piece.fence === undefined && !isDrawable(piece.text)) return wrap(piece.text, width);
  let lines: string[];
  try {
    lines = new Markdown(piece.text, 0, 0, theme).render(width).map((line) => line.trimEnd());
  } catch {
    // Its own parser gave up: no reason for the screen to.
    return wrap(piece.text, width);
  }
  while (lines.length > 0 && visibleWidth(lines.at(-1)!) === 0) lines.pop();
  const { fence } = piece;
  return fence === undefined ? lines : lines.slice(fence.head ? 0 : 1, fence.tail ? undefined : -1);
}

/** A whole answer at once. */
export function renderMarkdown(text: string, width: number, theme: MarkdownTheme): string[] {
  return renderPiece({ text: toTerminal(text), joined: false }, width, theme);
}
