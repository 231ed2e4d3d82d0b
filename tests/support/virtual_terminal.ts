/** A terminal in memory: what a program writes is interpreted as a real one would, and read back as text. */
import xterm from "@xterm/headless";
import type { Terminal } from "@earendil-works/pi-tui";

export class VirtualTerminal implements Terminal {
  readonly #emulator: InstanceType<typeof xterm.Terminal>;
  /** Every byte written, in order. */
  written = "";
  writes = 0;
  started = 0;
  #input: (data: string) => void = () => {};
  #resize: () => void = () => {};

  constructor(columns: number, rows: number) {
    this.#emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  }

  get columns(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  readonly kittyProtocolActive = false;

  start(onInput: (data: string) => void, onResize: () => void): void {
    this.started++;
    this.#input = onInput;
    this.#resize = onResize;
  }

  stop(): void {
    this.#input = () => {};
    this.#resize = () => {};
  }

  drainInput(): Promise<void> {
    return Promise.resolve();
  }

  write(data: string): void {
    this.written += data;
    this.writes++;
    this.#emulator.write(data);
  }

  /** One key, or one sequence, as the terminal sends it. */
  key(data: string): void {
    this.#input(data);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#resize();
  }

  /** Settles when everything written has been interpreted. */
  settled(): Promise<void> {
    return new Promise((done) => this.#emulator.write("", done));
  }

  /** Lines on the screen, blanks at their ends removed. */
  screen(): string[] {
    const { active } = this.#emulator.buffer;
    return this.#lines(active.baseY, active.baseY + this.rows);
  }

  /** Scrollback and screen, up to the last line with text. */
  everything(): string[] {
    const lines = this.#lines(0, this.#emulator.buffer.active.length);
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  cursor(): { readonly column: number; readonly row: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { column: cursorX, row: cursorY };
  }

  #lines(from: number, to: number): string[] {
    const { active } = this.#emulator.buffer;
    const lines: string[] = [];
    for (let at = from; at < to; at++) lines.push(active.getLine(at)?.translateToString(true) ?? "");
    return lines;
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\x1b[?25l");
  }

  showCursor(): void {
    this.write("\x1b[?25h");
  }

  clearLine(): void {
    this.write("\x1b[K");
  }

  clearFromCursor(): void {
    this.write("\x1b[J");
  }

  clearScreen(): void {
    this.write("\x1b[2J\x1b[H");
  }

  setTitle(): void {}
  setProgress(): void {}
  setProgramStatus(): void {}
}
