/** A question with yes and no. The careful answer is chosen when it opens. */
import { matchesKey, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Look } from "../look.ts";
import type { ModalPanel } from "./overlay.ts";

export interface ConfirmOptions {
  readonly look: () => Look;
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  answer(yes: boolean): void;
}

export class Confirm implements ModalPanel {
  readonly #options: ConfirmOptions;
  #yes = false;

  constructor(options: ConfirmOptions) {
    this.#options = options;
  }

  key(data: string): void {
    const { answer } = this.#options;
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c") || data === "n") return answer(false);
    if (data === "y") return answer(true);
    if (matchesKey(data, "enter")) return answer(this.#yes);
    if (["up", "down", "left", "right", "tab"].some((key) => matchesKey(data, key as "up")) || /^[jkhl]$/.test(data)) {
      this.#yes = !this.#yes;
    }
  }

  render(width: number, rows: number): readonly string[] {
    const { theme } = this.#options.look();
    const { title, text, yes, no } = this.#options;
    const option = (label: string, key: string, chosen: boolean) =>
      `${chosen ? "❯" : " "} ${chosen ? theme.chosen(`${key}  ${label}`) : `${key}  ${label}`}`;
    return [
      theme.rule("─".repeat(width)),
      theme.strong(title),
      ...wrapTextWithAnsi(text, Math.max(10, width)).slice(0, Math.max(1, rows - 4)),
      option(no, "n", !this.#yes),
      option(yes, "y", this.#yes),
    ];
  }
}
