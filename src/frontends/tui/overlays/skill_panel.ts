/** Skills to switch on and off. Nothing is saved before Enter; the choice goes back as one command line. */
import { fuzzyFilter, matchesKey, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { SkillRow } from "../../../controller/mod.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { TextKey } from "../../view/mod.ts";
import { pressed, typedText } from "../keys.ts";
import type { Look } from "../look.ts";
import type { ModalPanel } from "./overlay.ts";

export interface SkillPanelOptions {
  readonly look: () => Look;
  /** Runs a command line in place of the panel. */
  run(line: string): void;
  close(): void;
}

const HINTS: readonly TextKey[] = [
  "skills.hint_switch",
  "skills.hint_save",
  "skills.hint_close",
  "skills.hint_search",
  "skills.hint_rescan",
  "skills.hint_sources",
];

export class SkillPanel implements ModalPanel {
  readonly #skills: readonly SkillRow[];
  readonly #options: SkillPanelOptions;
  /** Names whose state is to be the other one. */
  readonly #switched = new Set<string>();
  #chosen = 0;
  #search = "";
  #searching = false;

  constructor(skills: readonly SkillRow[], options: SkillPanelOptions) {
    this.#skills = skills;
    this.#options = options;
  }

  key(data: string): void {
    const is = pressed(data);
    const { close, run } = this.#options;
    if (is("ctrl+c")) return close();
    if (is("up", "ctrl+p")) return this.#move(-1);
    if (is("down", "ctrl+n")) return this.#move(1);
    if (is("pageUp")) return this.#move(-8, true);
    if (is("pageDown")) return this.#move(8, true);
    if (this.#searching) return this.#searchKey(data);
    if (is("escape")) return this.#search === "" ? close() : this.#setSearch("");
    if (is("enter")) return this.#save();
    if (is("space")) return this.#switch();
    if (data === "k") return this.#move(-1);
    if (data === "j") return this.#move(1);
    if (data === "/") this.#searching = true;
    else if (data === "r") run("/skills rescan");
    else if (data === "s") run("/skills sources");
  }

  render(width: number, rows: number): readonly string[] {
    const { theme, t } = this.#options.look();
    const found = this.#found;
    const chosen = found[this.#chosen];
    const on = this.#skills.filter((skill) => this.#isOn(skill)).length;
    const search = this.#searching || this.#search !== "" ? `  ${theme.accent(`/${toLine(this.#search)}`)}` : "";
    const place = rows >= 8 && chosen ? [theme.dim(truncateToWidth(`  ${toLine(chosen.place)}`, width, "…"))] : [];
    const room = Math.max(1, rows - 3 - place.length);
    const first = Math.max(0, Math.min(this.#chosen - Math.floor(room / 2), found.length - room));
    const seen = found.slice(first, first + room);
    // Names are a column, as wide as the longest of them where that leaves room for the rest.
    const column = Math.min(Math.floor(width / 3), Math.max(0, ...seen.map(({ name }) => visibleWidth(name))));
    const list = seen.map((skill, at) => this.#line(skill, first + at, { width, column }));
    if (found.length === 0) list.push(theme.dim(`  ${t(this.#search === "" ? "skills.none" : "picker.nothing")}`));
    return [
      theme.rule("─".repeat(width)),
      theme.strong(t("skills.title", { on, all: this.#skills.length })) + search,
      ...list,
      ...place,
      theme.dim(this.#hints(width)),
    ];
  }

  #line(skill: SkillRow, at: number, { width, column }: { readonly width: number; readonly column: number }): string {
    const { theme, t } = this.#options.look();
    const isChosen = at === this.#chosen;
    const mark = `${isChosen ? "❯" : " "} [${this.#isOn(skill) ? "x" : " "}]${
      this.#switched.has(skill.name) ? "*" : " "
    }`;
    const label = truncateToWidth(skill.name, Math.max(8, column), "…");
    const gap = " ".repeat(Math.max(0, column - visibleWidth(label)) + 2);
    const facts = [
      t(`skills.scope_${skill.scope}`),
      ...(skill.use === "model" ? [] : [t(`skills.use_${skill.use}`)]),
      toLine(skill.description),
    ].filter((fact) => fact !== "");
    const room = width - visibleWidth(mark) - visibleWidth(label) - gap.length - 1;
    const detail = theme.dim(truncateToWidth(facts.join(" · "), Math.max(1, room), "…"));
    return `${mark} ${isChosen ? theme.chosen(label) : label}${gap}${detail}`;
  }

  /** As many as fit, the important ones first. */
  #hints(width: number): string {
    const { t } = this.#options.look();
    let line = "";
    for (const key of HINTS) {
      const longer = line === "" ? t(key) : `${line} · ${t(key)}`;
      if (visibleWidth(longer) <= width) line = longer;
    }
    return line;
  }

  get #found(): readonly SkillRow[] {
    if (this.#search === "") return this.#skills;
    return fuzzyFilter([...this.#skills], this.#search, ({ name, description }) => `${name} ${description}`);
  }

  #isOn({ name, on }: SkillRow): boolean {
    return on !== this.#switched.has(name);
  }

  #searchKey(data: string): void {
    if (matchesKey(data, "escape")) {
      this.#searching = false;
      return this.#setSearch("");
    }
    if (matchesKey(data, "enter")) return void (this.#searching = false);
    if (matchesKey(data, "backspace")) return this.#setSearch([...this.#search].slice(0, -1).join(""));
    const typed = typedText(data);
    if (typed !== undefined) this.#setSearch(this.#search + typed);
  }

  #setSearch(search: string): void {
    this.#search = search;
    this.#chosen = 0;
  }

  #switch(): void {
    const skill = this.#found[this.#chosen];
    if (skill && !this.#switched.delete(skill.name)) this.#switched.add(skill.name);
  }

  #save(): void {
    const switched = this.#skills.filter(({ name }) => this.#switched.has(name));
    if (switched.length === 0) return this.#options.close();
    const words = (on: boolean, verb: string) => {
      const names = switched.filter((skill) => this.#isOn(skill) === on).map(({ name }) => name);
      return names.length === 0 ? [] : [verb, ...names];
    };
    this.#options.run(["/skills", ...words(true, "enable"), ...words(false, "disable")].join(" "));
  }

  #move(by: number, stay = false): void {
    const { length } = this.#found;
    if (length === 0) return;
    const next = this.#chosen + by;
    this.#chosen = stay ? Math.max(0, Math.min(length - 1, next)) : (next + length) % length;
  }
}
