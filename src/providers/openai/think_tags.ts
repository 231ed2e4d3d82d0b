/**
 * Splits `<think>…</think>` out of text that comes in pieces; a tag may be cut anywhere. A tag right after a backtick
 * or a quotation mark is something the model writes about, not thinking. Some servers open the thinking themselves, so
 * that only its end is in the text: then everything before it was thinking.
 */

const OPEN = "<think>";
const CLOSE = "</think>";

export interface ThinkSplitter {
  /** Calls back in order; may hold back the start of a tag. */
  push(text: string): void;
  /** What was held back is text after all. */
  end(): void;
}

export interface ThinkParts {
  text(part: string): void;
  reasoning(part: string): void;
  /** All text so far was thinking. At most once, before any `reasoning`. */
  wasThinking(): void;
}

export function createThinkSplitter(out: ThinkParts): ThinkSplitter {
  let inside = false;
  /** No tag was met so far. */
  let untouched = true;
  let held = "";
  let last = "";
  /** Blanks between a closing tag and the answer belong to neither. */
  let trimming = false;

  const emit = (part: string) => {
    if (part === "") return;
    if (inside) return out.reasoning(part);
    const shown = trimming ? part.trimStart() : part;
    if (shown === "") return;
    trimming = false;
    last = shown.at(-1)!;
    out.text(shown);
  };

  /** The tag at `at` takes effect, or is text. Answers where to go on. */
  const meet = (rest: string, at: number, tag: string): string => {
    const after = rest.slice(at + tag.length);
    const before = at > 0 ? rest[at - 1]! : last;
    if (!inside && /["'`]/.test(before)) {
      emit(rest.slice(0, at + tag.length));
      return after;
    }
    emit(rest.slice(0, at));
    if (!inside && tag === CLOSE) out.wasThinking();
    untouched = false;
    inside = tag === OPEN;
    trimming = !inside;
    return after;
  };

  return {
    push(piece) {
      // The usual case: nothing held, no tag, nothing to cut.
      if (held === "" && !piece.includes("<")) return emit(piece);
      let rest = held + piece;
      held = "";
      for (;;) {
        const at = rest.indexOf("<");
        if (at < 0) return emit(rest);
        const tags = inside ? [CLOSE] : untouched ? [OPEN, CLOSE] : [OPEN];
        const tag = tags.find((one) => rest.startsWith(one, at));
        if (tag) {
          rest = meet(rest, at, tag);
        } else if (tags.some((one) => one.startsWith(rest.slice(at)))) {
          emit(rest.slice(0, at));
          held = rest.slice(at);
          return;
        } else {
          emit(rest.slice(0, at + 1));
          rest = rest.slice(at + 1);
        }
      }
    },
    end() {
      const rest = held;
      held = "";
      emit(rest);
    },
  };
}
