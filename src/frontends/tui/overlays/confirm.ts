/** A question with yes and no. The careful answer is chosen when it opens. */
import { pressed } from "../keys.ts";
import type { Look } from "../look.ts";
import { wrap } from "../wrap.ts";
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
    const is = pressed(data);
    if (is("escape", "ctrl+c") || data === "n") return answer(false);
    if (data === "y") return answer(true);
    if (is("enter")) return answer(this.#yes);
    if (is("up", "down", "left", "right", "tab") || /^[jkhl]$/.test(data)) this.#yes = !this.#yes;
  }

  render(width: number, rows: number): readonly string[] {
    const { theme } = this.#options.look();
    const { title, text, yes, no } = this.#options;
    const option = (label: string, key: string, chosen: boolean) =>
      `${chosen ? "❯" : " "} ${chosen ? theme.chosen(`${key}  ${label}`) : `${key}  ${label}`}`;
    return [
      theme.rule("─".repeat(width)),
      theme.strong(title),
      ...wrap(text, width).slice(0, Math.max(1, rows - 4)),
      option(no, "n", !this.#yes),
      option(yes, "y", this.#yes),
    ];
  }
}
