/**
 * Cuts a growing Markdown text into pieces that will not change any more. A piece ends at a blank line outside a fence;
 * a long open fence and a long list give up their finished lines too. Each character is looked at once.
 */
export interface Piece {
  /** Markdown that stands on its own. */
  readonly text: string;
  /** It goes on with the block of the piece before: no blank line between them. */
  readonly joined: boolean;
  /** Part of one fenced block: whether its first and its last line are drawn. */
  readonly fence?: { readonly head: boolean; readonly tail: boolean };
}

interface Fence {
  readonly marker: string;
  readonly opening: string;
  /** Lines of it have been handed over already. */
  started: boolean;
}

/** Lines of an open fence or list that wait for its end before they are handed over anyway. */
const LONG_BLOCK = 12;

export class BlockSplitter {
  #text = "";
  /** Start of what has not been handed over. */
  #start = 0;
  /** End of the last whole line that was looked at. */
  #scanned = 0;
  #fence: Fence | undefined;
  #lines = 0;
  /** A blank line has been seen, and the block before it may end there. */
  #gapAt: number | undefined;
  #joined = false;

  /** Takes the whole text so far, which extends the one before, and answers what has become final. */
  push(text: string): Piece[] {
    this.#text = text;
    const pieces: Piece[] = [];
    for (let end = text.indexOf("\n", this.#scanned); end >= 0; end = text.indexOf("\n", this.#scanned)) {
      this.#line(text.slice(this.#scanned, end), end + 1, pieces);
      this.#scanned = end + 1;
    }
    return pieces;
  }

  /** What has not become final. */
  get rest(): Piece {
    return this.#piece(this.#text.length, false);
  }

  /** Everything left, as the last piece. */
  finish(text: string): Piece[] {
    const pieces = this.push(text);
    const last = this.#piece(text.length, true);
    if (last.text.trim() !== "" || last.fence?.tail) pieces.push(last);
    this.#start = text.length;
    return pieces;
  }

  #line(line: string, next: number, pieces: Piece[]): void {
    const from = this.#scanned;
    if (this.#fence) {
      if (closes(line, this.#fence)) {
        this.#cut(next, true, pieces);
        this.#fence = undefined;
      } else if (++this.#lines >= LONG_BLOCK) this.#cut(next, false, pieces);
      return;
    }
    if (line.trim() === "") {
      this.#gapAt ??= from;
      return;
    }
    // Indented text after a blank line goes on with the list above.
    if (this.#gapAt !== undefined && !/^(?: {2,}|\t)/.test(line)) this.#cut(from, true, pieces);
    this.#gapAt = undefined;
    const opening = /^ {0,3}(`{3,}(?!.*`)|~{3,})/.exec(line);
    if (opening) {
      this.#cut(from, true, pieces);
      this.#fence = { marker: opening[1]!, opening: line, started: false };
      this.#lines = 0;
    } else if (++this.#lines >= LONG_BLOCK && /^(?:[-*+]|\d+[.)]) /.test(line)) {
      this.#cut(from, false, pieces);
    }
  }

  #cut(at: number, whole: boolean, pieces: Piece[]): void {
    if (at > this.#start) {
      const piece = this.#piece(at, whole);
      if (piece.text.trim() !== "") pieces.push(piece);
      this.#joined = !whole;
      if (this.#fence) this.#fence.started = true;
    }
    this.#start = at;
    this.#lines = 0;
  }

  /** From the start of what is left to `end`; a part of a fence gets fence lines of its own. */
  #piece(end: number, whole: boolean): Piece {
    const text = this.#text.slice(this.#start, end).replace(/\n+$/, "");
    const joined = this.#joined;
    const fence = this.#fence;
    if (fence === undefined) return { text: text.replace(/^\n+/, ""), joined };
    const closed = whole && closes(text.slice(text.lastIndexOf("\n") + 1), fence);
    const opened = fence.started ? `${fence.opening}\n${text}` : text;
    return {
      text: closed ? opened : `${opened}\n${fence.marker}`,
      joined,
      fence: { head: !fence.started, tail: whole },
    };
  }
}

function closes(line: string, fence: Fence): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return found !== undefined && found[0] === fence.marker[0] && found.length >= fence.marker.length;
}
