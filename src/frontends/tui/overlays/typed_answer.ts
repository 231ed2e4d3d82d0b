/** A line over the composer that says what the text in it is for. Escape goes back to the card. */
import { matchesKey } from "@earendil-works/pi-tui";
import { toLine } from "../../../lib/terminal_text.ts";
import type { Look } from "../look.ts";
import { wrap } from "../wrap.ts";
import type { AttachedPanel } from "./overlay.ts";

export interface TypedAnswerOptions {
  readonly look: () => Look;
  readonly title: () => string;
  back(): void;
  stop(): void;
  submit(text: string): void;
}

export function typedAnswer(options: TypedAnswerOptions): AttachedPanel {
  return {
    submit: options.submit,
    key: (data) => {
      if (matchesKey(data, "ctrl+c")) options.stop();
      else if (matchesKey(data, "escape")) options.back();
      else return false;
      return true;
    },
    render: (width, rows) => {
      const { theme, t } = options.look();
      const title = wrap(toLine(options.title(), 500), width).map(theme.strong);
      return [...title, theme.dim(t("ask.typing_hint"))].slice(0, Math.max(0, rows));
    },
  };
}
