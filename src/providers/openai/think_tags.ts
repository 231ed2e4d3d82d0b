/**
 * Splits `<think>…</think>` out of text that comes in pieces; a tag may be cut anywhere. A tag right after a backtick
 * or a quotation mark is something the model writes about, not thinking.
 */

const OPEN = "<think>";
const CLOSE = "</think>";

export interface ThinkSplitter {
  /** Calls back in order; may hold back the start of a tag. */
  push(text: string): void;
  /** What was held back is text after all. */
  end(): void;
}

export function createThinkSplitter(out: { text(part: string): void; reasoning(part: string): void }): ThinkSplitter {
  let inside = false;
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

  return {
    push(piece) {
      // The usual case: nothing held, no tag, nothing to cut.
      if (held === "" && !piece.includes("<")) return emit(piece);
      let rest = held + piece;
      held = "";
      for (;;) {
        const tag = inside ? CLOSE : OPEN;
        const at = rest.indexOf("<");
        if (at < 0) return emit(rest);
        const candidate = rest.slice(at, at + tag.length);
        if (candidate === tag) {
          const before = at > 0 ? rest[at - 1]! : inside ? "" : last;
          if (!inside && /["'`]/.test(before)) {
            emit(rest.slice(0, at + tag.length));
          } else {
            emit(rest.slice(0, at));
            trimming = inside;
            inside = !inside;
          }
          rest = rest.slice(at + tag.length);
        } else if (candidate.length < tag.length && tag.startsWith(candidate)) {
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
