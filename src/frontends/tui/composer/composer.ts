/**
 * The one place to type. Multi-line, with history, completion, and pastes as single tokens that are sent as the exact
 * text they stand for. The terminal's real cursor stands at the caret.
 */
import { Editor, type EditorOptions, type EditorTheme, matchesKey, type TUI } from "@earendil-works/pi-tui";
import { typedText } from "../keys.ts";
import { BurstWatch } from "./burst.ts";

/** Parts of the editor that it keeps for itself, and that exact pastes and descending menus need. */
interface EditorInside {
  readonly pastes: Map<number, string>;
  pasteCounter: number;
  tryTriggerAutocomplete(): void;
}

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** A longer paste becomes a token. */
const TOKEN_LINES = 10;
const TOKEN_CHARACTERS = 1_000;

/** Milliseconds without a key after which a burst has ended. */
const BURST_ENDS = 25;

export interface ComposerOptions extends EditorOptions {
  /** Label in the rule above: what Enter will do when it does not simply send. */
  label(): string;
  readonly now?: () => number;
}

export class Composer extends Editor {
  readonly #options: ComposerOptions;
  readonly #burst: BurstWatch;
  #bottomRule = "";
  #pasting = "";
  /** Keys that came too fast to be typed, and the one before them, which was taken for typing. */
  #bursting = "";
  #burstStart = "";
  #burstTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(tui: TUI, theme: EditorTheme, options: ComposerOptions) {
    super(tui, theme, { autocompleteMaxVisible: 8, ...options });
    this.#options = options;
    this.#burst = new BurstWatch(options.now);
  }

  override handleInput(data: string): void {
    if (this.#pasting !== "" || data.includes(PASTE_START)) return this.#collectPaste(data);
    const text = burstText(data);
    const fast = text !== undefined && this.#burst.key();
    if (fast) return this.#collectBurst(text);
    this.flush();
    this.#burstStart = text !== undefined && !/[\n\t]/.test(text) ? text : "";
    super.handleInput(data);
    if ((data === "\t" || matchesKey(data, "enter")) && this.#onDirectory()) this.#inside.tryTriggerAutocomplete();
  }

  /** At most `rows` lines: menu, rule, text, rule. The menu stands above. */
  renderWithin(width: number, rows: number): readonly string[] {
    const lines = super.render(width);
    const end = this.isShowingAutocomplete() ? lines.lastIndexOf(this.#bottomRule) : lines.length - 1;
    const menu = end < 0 ? [] : lines.slice(end + 1);
    const body = end < 0 ? lines : lines.slice(0, end + 1);
    const room = Math.max(3, rows);
    const text = body.length <= room ? body : [body[0]!, ...body.slice(1, -1).slice(-(room - 2)), body.at(-1)!];
    return [...menu.slice(0, Math.max(0, rows - text.length)), ...text];
  }

  protected override renderTopBorder(width: number, hidden: number): string {
    const label = this.#options.label();
    if (hidden > 0 || label === "") return super.renderTopBorder(width, hidden);
    const shown = ` ${label} `.slice(0, Math.max(0, width - 4));
    return this.borderColor(`──${shown}${"─".repeat(Math.max(0, width - 2 - shown.length))}`);
  }

  protected override renderBottomBorder(width: number, hidden: number): string {
    this.#bottomRule = super.renderBottomBorder(width, hidden);
    return this.#bottomRule;
  }

  /** Replaces the draft; `undo` brings the old one back. */
  setDraft(text: string): void {
    this.setText("");
    if (text === "") return;
    if (isLong(text)) this.#insertToken(text);
    else this.setText(text);
  }

  /** Takes what is still being collected into the draft. */
  flush(): void {
    clearTimeout(this.#burstTimer);
    const text = this.#bursting;
    this.#bursting = "";
    if (text === "") return;
    const whole = this.#burstStart + text;
    if (this.#burstStart === "" || !isLong(whole)) return this.#paste(text);
    super.handleInput("\x7f");
    this.#paste(whole);
  }

  #collectBurst(text: string): void {
    this.#bursting += text;
    clearTimeout(this.#burstTimer);
    this.#burstTimer = setTimeout(() => {
      this.flush();
      this.tui.requestRender();
    }, BURST_ENDS);
  }

  #collectPaste(data: string): void {
    this.flush();
    this.#burst.marked();
    this.#pasting += data;
    const start = this.#pasting.indexOf(PASTE_START);
    const end = this.#pasting.indexOf(PASTE_END);
    if (end < 0) return;
    const before = this.#pasting.slice(0, start);
    const text = this.#pasting.slice(start + PASTE_START.length, end);
    const after = this.#pasting.slice(end + PASTE_END.length);
    this.#pasting = "";
    if (before !== "") super.handleInput(before);
    this.#paste(text.replace(/\r\n?/g, "\n"));
    if (after !== "") this.handleInput(after);
  }

  #paste(text: string): void {
    if (text === "") return;
    // Tabs and control characters cannot be shown in place; the token keeps them exact.
    if (isLong(text) || /[\u0000-\u0009\u000b-\u001f\u007f]/.test(text)) this.#insertToken(text);
    else this.insertTextAtCursor(text);
  }

  #insertToken(text: string): void {
    const inside = this.#inside;
    const id = ++inside.pasteCounter;
    const lines = text.split("\n").length;
    inside.pastes.set(id, text);
    this.insertTextAtCursor(`[paste #${id} ${lines > TOKEN_LINES ? `+${lines} lines` : `${text.length} chars`}]`);
  }

  /** The caret stands behind a folder of an `@` reference: the menu goes on inside it. */
  #onDirectory(): boolean {
    const { line, col } = this.getCursor();
    return /(?:^|\s)@(?:"[^"]*|\S*)\/$/.test((this.getLines()[line] ?? "").slice(0, col));
  }

  get #inside(): EditorInside {
    return this as unknown as EditorInside;
  }
}

/** What a key would put into a pasted text; undefined for keys that are no text. */
function burstText(data: string): string | undefined {
  if (matchesKey(data, "enter") || data === "\n") return "\n";
  return data === "\t" ? data : typedText(data);
}

function isLong(text: string): boolean {
  return text.length > TOKEN_CHARACTERS || text.split("\n", TOKEN_LINES + 1).length > TOKEN_LINES;
}
