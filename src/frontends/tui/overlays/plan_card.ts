/** The model's plan, and what becomes of it: start, revise, or leave plan mode. What to revise is typed below it. */
import type { PlanDecision, PlanRequest } from "../../../contract/decision.ts";
import type { TextKey } from "../../view/mod.ts";
import { pressed } from "../keys.ts";
import type { Look } from "../look.ts";
import { renderMarkdown } from "../transcript/streamed_answer.ts";
import type { ModalPanel, Overlay } from "./overlay.ts";
import { typedAnswer } from "./typed_answer.ts";

export interface PlanCardOptions {
  readonly look: () => Look;
  readonly graceMs: number;
  readonly now: () => number;
  decide(decision: PlanDecision): void;
  stop(): void;
}

const CHOICES: readonly { readonly kind: PlanDecision["kind"]; readonly key: string; readonly label: TextKey }[] = [
  { kind: "revise", key: "r", label: "plan.revise" },
  { kind: "start", key: "s", label: "plan.start" },
  { kind: "exit", key: "x", label: "plan.exit" },
];

export class PlanCard implements ModalPanel {
  readonly #request: PlanRequest;
  readonly #options: PlanCardOptions;
  readonly #shownAt: number;
  #chosen = 1;
  #top = 0;
  #page = 1;
  #most = 0;
  #typing = false;

  constructor(request: PlanRequest, options: PlanCardOptions) {
    this.#request = request;
    this.#options = options;
    this.#shownAt = options.now();
  }

  get overlay(): Overlay {
    if (!this.#typing) return { owner: "panel", panel: this };
    const { look, stop, decide } = this.#options;
    const panel = typedAnswer({
      look,
      stop,
      title: () => look().t("plan.typing"),
      back: () => void (this.#typing = false),
      submit: (feedback) => decide({ kind: "revise", feedback }),
    });
    return { owner: "composer", panel };
  }

  key(data: string): void {
    const is = pressed(data);
    if (is("ctrl+c")) return this.#options.stop();
    if (this.#options.now() - this.#shownAt < this.#options.graceMs) return;
    if (is("pageDown", "space")) return this.#scroll(this.#page);
    if (is("pageUp")) return this.#scroll(-this.#page);
    if (is("up", "ctrl+p") || data === "k") return this.#move(-1);
    if (is("down", "ctrl+n", "tab") || data === "j") return this.#move(1);
    // The careful way out: nothing starts and nothing ends.
    if (is("escape")) return this.#take("revise");
    if (is("enter")) return this.#take(CHOICES[this.#chosen]!.kind);
    const choice = CHOICES.find(({ key }) => key === data);
    if (choice) this.#take(choice.kind);
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const lines = renderMarkdown(this.#request.plan, width, theme.markdown);
    this.#page = Math.max(1, rows - 3 - CHOICES.length);
    this.#most = Math.max(0, lines.length - this.#page);
    this.#top = Math.min(this.#top, this.#most);
    const last = Math.min(lines.length, this.#top + this.#page);
    const place = this.#most > 0 ? theme.dim(`  ${this.#top + 1}–${last}/${lines.length}`) : "";
    const choices = CHOICES.map(({ key, label }, at) => {
      const text = `${key}  ${t(label)}`;
      return at === this.#chosen ? `❯ ${theme.chosen(text)}` : `  ${text}`;
    });
    return [
      theme.rule("─".repeat(width)),
      `${theme.strong(t("plan.title"))}${place}`,
      ...lines.slice(this.#top, last),
      ...choices,
      theme.dim(t("plan.hints")),
    ];
  }

  #take(kind: PlanDecision["kind"]): void {
    if (kind === "revise") this.#typing = true;
    else this.#options.decide({ kind });
  }

  #move(by: number): void {
    this.#chosen = (this.#chosen + by + CHOICES.length) % CHOICES.length;
  }

  #scroll(by: number): void {
    this.#top = Math.max(0, Math.min(this.#most, this.#top + by));
  }
}
