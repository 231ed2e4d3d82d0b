/**
 * Questions of the model: one tab each, and one to send the answers. Choosing is modal; writing an answer of one's own
 * happens in the composer.
 */
import { truncateToWidth } from "@earendil-works/pi-tui";
import type { AskAnswer, AskRequest, Question } from "../../../contract/decision.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import { pressed } from "../keys.ts";
import type { Look } from "../look.ts";
import { wrap } from "../wrap.ts";
import type { ModalPanel, Overlay } from "./overlay.ts";
import { typedAnswer } from "./typed_answer.ts";

export interface AskCardOptions {
  readonly look: () => Look;
  readonly graceMs: number;
  readonly now: () => number;
  answer(answer: AskAnswer): void;
  stop(): void;
}

interface Reply {
  readonly labels: ReadonlySet<string>;
  readonly written?: string;
}

export class AskCard implements ModalPanel {
  readonly #request: AskRequest;
  readonly #options: AskCardOptions;
  readonly #shownAt: number;
  readonly #replies: Reply[];
  #tab = 0;
  #row = 0;
  #typing = false;

  constructor(request: AskRequest, options: AskCardOptions) {
    this.#request = request;
    this.#options = options;
    this.#shownAt = options.now();
    this.#replies = request.questions.map(() => ({ labels: new Set() }));
  }

  get overlay(): Overlay {
    if (!this.#typing) return { owner: "panel", panel: this };
    const { look, stop } = this.#options;
    const panel = typedAnswer({
      look,
      stop,
      title: () => look().t("ask.typing", { question: this.#question?.question ?? "" }),
      back: () => void (this.#typing = false),
      submit: (written) => {
        this.#typing = false;
        this.#reply({ labels: this.#question?.multiSelect ? this.#current.labels : new Set(), written });
        this.#onward();
      },
    });
    return { owner: "composer", panel };
  }

  key(data: string): void {
    const is = pressed(data);
    if (is("ctrl+c")) return this.#options.stop();
    if (this.#options.now() - this.#shownAt < this.#options.graceMs) return;
    if (is("escape")) return this.#options.answer("dismissed");
    if (is("up", "ctrl+p") || data === "k") return this.#move(-1);
    if (is("down", "ctrl+n") || data === "j") return this.#move(1);
    if (is("left", "shift+tab") || data === "h") return this.#turnTo(this.#tab - 1);
    if (is("right", "tab") || data === "l") return this.#turnTo(this.#tab + 1);
    const question = this.#question;
    if (question === undefined) return is("enter") ? this.#send() : undefined;
    if (/^[1-9]$/.test(data) && Number(data) <= this.#rows) {
      this.#row = Number(data) - 1;
      return this.#choose();
    }
    if (is("space") && question.multiSelect && this.#row < question.options.length) return this.#mark();
    if (is("enter")) this.#choose();
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const head = [theme.rule("─".repeat(width)), this.#tabs(width)];
    const foot = theme.dim(truncateToWidth(t("ask.hints"), width, "…"));
    const question = this.#question;
    const body = question === undefined ? this.#summary(width) : this.#questionLines(question, width, rows - 3);
    return [...head, ...body.slice(0, Math.max(1, rows - 3)), foot];
  }

  get #question(): Question | undefined {
    return this.#request.questions[this.#tab];
  }

  get #current(): Reply {
    return this.#replies[this.#tab]!;
  }

  /** Options, an answer of one's own, and none at all. */
  get #rows(): number {
    return (this.#question?.options.length ?? 0) + 2;
  }

  #tabs(width: number): string {
    const { theme, t } = this.#options.look();
    const names = this.#request.questions.map(({ header }, at) =>
      `${answered(this.#replies[at]!) ? "☑" : "☐"} ${toLine(header, 24)}`
    );
    const all = [...names, t("ask.submit")].map((name, at) =>
      at === this.#tab ? theme.chosen(`[${name}]`) : theme.dim(name)
    );
    return truncateToWidth(all.join("  "), width, "…");
  }

  #questionLines(question: Question, width: number, room: number): string[] {
    const { theme, t } = this.#options.look();
    const reply = this.#current;
    const options = question.options.map(({ label, description }) => ({
      label: toLine(label),
      detail: description === undefined ? "" : toLine(description),
      marked: reply.labels.has(label),
    }));
    const all = [
      ...options,
      {
        label: t("ask.text"),
        detail: reply.written === undefined ? "" : toLine(reply.written),
        marked: reply.written !== undefined,
      },
      { label: t("ask.chat"), detail: "", marked: false },
    ];
    const lines = all.map(({ label, detail, marked }, at) => {
      const box = question.multiSelect && at < options.length ? (marked ? "[x] " : "[ ] ") : marked ? "● " : "";
      const chosen = at === this.#row;
      const text = `${at + 1}. ${box}${label}`;
      const line = `${chosen ? "❯" : " "} ${chosen ? theme.chosen(text) : text}${
        detail ? `  ${theme.dim(detail)}` : ""
      }`;
      return truncateToWidth(line, width, "…");
    });
    const asked = wrap(toLine(question.question, 1_000), width);
    return [...asked.slice(0, Math.max(1, room - lines.length)).map(theme.strong), ...lines];
  }

  #summary(width: number): string[] {
    const { theme, t } = this.#options.look();
    return this.#request.questions.map(({ header }, at) => {
      const text = choicesOf(this.#replies[at]!).map((choice) => toLine(choice)).join(", ");
      return truncateToWidth(`  ${toLine(header, 24)}: ${text === "" ? theme.warn(t("ask.open")) : text}`, width, "…");
    });
  }

  #move(by: number): void {
    this.#row = (this.#row + by + this.#rows) % this.#rows;
  }

  #turnTo(tab: number): void {
    this.#tab = Math.max(0, Math.min(this.#request.questions.length, tab));
    this.#row = 0;
  }

  #mark(): void {
    const { label } = this.#question!.options[this.#row]!;
    const labels = new Set(this.#current.labels);
    if (!labels.delete(label)) labels.add(label);
    this.#reply({ ...this.#current, labels });
  }

  #choose(): void {
    const { options, multiSelect } = this.#question!;
    const option = options[this.#row];
    if (option === undefined) {
      if (this.#row === options.length) this.#typing = true;
      else this.#options.answer("dismissed");
      return;
    }
    if (multiSelect) {
      if (this.#current.labels.size === 0) this.#mark();
    } else this.#reply({ labels: new Set([option.label]) });
    this.#onward();
  }

  #reply(reply: Reply): void {
    this.#replies[this.#tab] = reply;
  }

  /** A single question is sent with its answer; several are looked over first. */
  #onward(): void {
    if (this.#request.questions.length === 1) return this.#send();
    this.#turnTo(this.#tab + 1);
  }

  #send(): void {
    this.#options.answer({ choices: this.#replies.map(choicesOf) });
  }
}

function choicesOf({ labels, written }: Reply): readonly string[] {
  return [...labels, ...(written === undefined ? [] : [written])];
}

function answered(reply: Reply): boolean {
  return choicesOf(reply).length > 0;
}
