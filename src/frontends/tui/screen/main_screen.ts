/**
 * The driver of the terminal's normal screen. A frame is what has become final, written once and left to the
 * terminal's own scrollback, and the live region below it, the only part that is ever drawn again. Nothing here clears
 * the screen or the scrollback, whatever the size does.
 */
import { type Terminal, truncateToWidth, TuiMainScreen, visibleWidth } from "@earendil-works/pi-tui";

export interface Frame {
  /** Handed over: never asked for again. */
  readonly settled: readonly string[];
  /** At most as many lines as the terminal has rows. */
  readonly live: readonly string[];
}

export interface FrameSource {
  frame(width: number, rows: number): Frame;
}

export interface MainScreenOptions {
  /** Whether the terminal wraps lines anew when it becomes narrower. Most do; `xterm` and the console do not. */
  readonly reflows: boolean;
}

const NOTHING_DRAWN = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

export class MainScreen extends TuiMainScreen {
  readonly #source: FrameSource;
  readonly #reflows: boolean;
  #settled = 0;
  #width = 0;
  #rows = 0;
  #cursorColumn = 0;

  constructor(terminal: Terminal, source: FrameSource, options: MainScreenOptions) {
    super(terminal, true);
    this.#source = source;
    this.#reflows = options.reflows;
  }

  override render(width: number): readonly string[] {
    const { settled, live } = this.#source.frame(width, this.terminal.rows);
    this.#settled = settled.length;
    return [...settled, ...live.slice(-this.terminal.rows)].map((line) => fitLine(line, width));
  }

  protected override doRender(): void {
    if (this.stopped) return;
    const { columns, rows } = this.terminal;
    if (this.#width !== 0 && (columns !== this.#width || rows !== this.#rows)) this.#takeBackLive(columns);
    this.#width = columns;
    this.#rows = rows;
    super.doRender();
    this.#letGoOfSettled();
  }

  protected override extractCursorPosition(lines: string[], height: number): { row: number; col: number } | null {
    const position = super.extractCursorPosition(lines, height);
    this.#cursorColumn = position?.col ?? 0;
    return position;
  }

  /** Removes the live region from the screen, as after this nothing is known to be drawn. */
  eraseLive(): void {
    this.#takeBackLive(this.terminal.columns);
  }

  /** The lines above the live region belong to the terminal from now on. */
  #letGoOfSettled(): void {
    if (this.#settled === 0) return;
    const state = this.captureRenderState();
    const gone = this.#settled;
    this.#settled = 0;
    this.restoreRenderState({
      ...state,
      previousLines: state.previousLines.slice(gone),
      cursorRow: state.cursorRow - gone,
      hardwareCursorRow: state.hardwareCursorRow - gone,
      maxLinesRendered: state.maxLinesRendered - gone,
      previousViewportTop: state.previousViewportTop - gone,
    });
  }

  #takeBackLive(columns: number): void {
    const { previousLines, hardwareCursorRow } = this.captureRenderState();
    if (previousLines.length > 0) {
      const narrower = this.#reflows && columns < this.#width;
      const rowsOf = (line: string) => narrower ? Math.max(1, Math.ceil(visibleWidth(line) / columns)) : 1;
      const above = previousLines.slice(0, hardwareCursorRow).reduce((sum, line) => sum + rowsOf(line), 0) +
        (narrower ? Math.floor(this.#cursorColumn / columns) : 0);
      this.terminal.write(`${above > 0 ? `\x1b[${above}A` : ""}\r\x1b[J`);
    }
    this.restoreRenderState(NOTHING_DRAWN);
  }
}

/** No line may be wider than the screen, and blanks at its end would wrap when the screen becomes narrower. */
function fitLine(line: string, width: number): string {
  const trimmed = line.replace(/ +$/, "");
  if (trimmed.length <= width && isAscii(trimmed)) return trimmed;
  return visibleWidth(trimmed) <= width ? trimmed : truncateToWidth(trimmed, width, "…");
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
