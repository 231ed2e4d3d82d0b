/** A list to choose from, drawn from the data of a `CommandScreen`. Type to filter; a choice is a command line. */
import { fuzzyFilter, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { CommandRow, CommandScreen } from "../../../controller/mod.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { Look } from "../look.ts";
import { pressed, typedText } from "../keys.ts";
import type { ModalPanel } from "./overlay.ts";

export interface PickerOptions {
  readonly look: () => Look;
  /** The command line of the choice. */
  choose(line: string): void;
  close(): void;
}

export class Picker implements ModalPanel {
  readonly #screen: CommandScreen;
  readonly #options: PickerOptions;
  #filter = "";
  #chosen: number;

  constructor(screen: CommandScreen, options: PickerOptions) {
    this.#screen = screen;
    this.#options = options;
    this.#chosen = Math.max(0, screen.rows.findIndex(({ current }) => current));
  }

  key(data: string): void {
    const rows = this.#rows();
    const is = pressed(data);
    if (is("ctrl+c")) return this.#options.close();
    if (is("escape")) {
      if (this.#filter === "") return this.#options.close();
      return this.#setFilter("");
    }
    const still = this.#filter === "";
    if (is("up", "ctrl+p") || (still && data === "k")) return this.#move(-1, rows);
    if (is("down", "ctrl+n") || (still && data === "j")) return this.#move(1, rows);
    if (is("pageUp")) return this.#move(-8, rows, true);
    if (is("pageDown")) return this.#move(8, rows, true);
    if (is("backspace")) return this.#setFilter([...this.#filter].slice(0, -1).join(""));
    const row = rows[this.#chosen];
    if (is("enter")) return this.#act(row, "enter");
    // Other actions have a letter of their own while nothing is typed.
    if (still && row && Object.hasOwn(row.actions, data)) return this.#act(row, data);
    const typed = typedText(data);
    if (typed !== undefined) this.#setFilter(this.#filter + typed);
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const found = this.#rows();
    const title = `${theme.strong(toLine(this.#screen.title))}${
      this.#filter ? `  ${theme.accent(toLine(this.#filter))}` : ""
    }`;
    const room = Math.max(1, rows - 3);
    const first = Math.max(0, Math.min(this.#chosen - Math.floor(room / 2), found.length - room));
    const list = found.slice(first, first + room).map((row, at) => this.#line(row, first + at, width));
    if (found.length === 0) {
      list.push(theme.dim(`  ${this.#filter ? t("picker.nothing") : toLine(this.#screen.empty)}`));
    }
    return [theme.rule("─".repeat(width)), title, ...list, theme.dim(this.#hints(found, room))];
  }

  #line(row: CommandRow, at: number, width: number): string {
    const { theme } = this.#options.look();
    const chosen = at === this.#chosen;
    const mark = `${chosen ? "❯" : " "} ${row.current ? "●" : " "} `;
    // What stands below something else is set in.
    const indent = /^ */.exec(row.label)![0];
    const label = truncateToWidth(`${indent}${toLine(row.label)}`, Math.max(8, width - 5), "…");
    const room = width - 4 - visibleWidth(label) - 2;
    const detail = row.detail && room > 6 ? `  ${theme.dim(truncateToWidth(toLine(row.detail), room, "…"))}` : "";
    return `${mark}${chosen ? theme.chosen(label) : label}${detail}`;
  }

  #hints(found: readonly CommandRow[], room: number): string {
    const { t } = this.#options.look();
    const actions = Object.entries(found[this.#chosen]?.actions ?? {})
      .map(([key, { label }]) => `${key === "enter" ? "⏎" : key} ${toLine(label)}`);
    const place = found.length > room ? [`${this.#chosen + 1}/${found.length}`] : [];
    return ["", ...actions, ...place, t("picker.hints")].join("  ").slice(1);
  }

  #rows(): readonly CommandRow[] {
    if (this.#filter === "") return this.#screen.rows;
    return fuzzyFilter([...this.#screen.rows], this.#filter, (row) => `${row.label} ${row.detail ?? ""}`);
  }

  #act(row: CommandRow | undefined, key: string): void {
    const action = row?.actions[key];
    if (action) this.#options.choose(action.line);
  }

  #setFilter(filter: string): void {
    this.#filter = filter;
    this.#chosen = 0;
  }

  #move(by: number, rows: readonly CommandRow[], stay = false): void {
    if (rows.length === 0) return;
    const next = this.#chosen + by;
    this.#chosen = stay ? Math.max(0, Math.min(rows.length - 1, next)) : (next + rows.length) % rows.length;
  }
}
