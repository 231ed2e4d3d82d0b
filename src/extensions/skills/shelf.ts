/**
 * The skills of one run of the program: what was found when a conversation began, and which of them are switched on. A
 * run without any loads nothing but this file; the search and the reading are loaded when there is something to find.
 */
import type { Reach } from "../../lib/reach.ts";
import type { PinOptions } from "./pin.ts";
import { isWorthALook, type SkillPlaces } from "./roots.ts";
import type { FoundSkills } from "./scan.ts";
import type { Skill, SkillProblem } from "./skill.ts";

export interface ShelfSettings extends SkillPlaces {
  /** Names that are switched off: for the model, for the person and for tools alike. */
  readonly disabled: readonly string[];
  /** The model is told of the skills and chooses by itself. */
  readonly implicit: boolean;
  readonly suppressWarnings: boolean;
}

export interface ShelfPorts {
  /** Made anew for each search. */
  isForbidden(): NonNullable<Reach["isForbidden"]>;
}

const MOST_NOTICES = 5;

export class SkillShelf {
  readonly #ports: ShelfPorts;
  #settings: ShelfSettings;
  #found: FoundSkills | undefined;
  readonly #told = new Set<string>();

  /** Touches nothing. */
  constructor(settings: ShelfSettings, ports: ShelfPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  /** For a conversation that begins: looks anew, unless there is no folder to look into and nobody has asked. */
  async open(): Promise<void> {
    if (this.#found !== undefined || this.#settings.roots.some(isWorthALook)) await this.scan();
  }

  /** For those who ask for skills: also those that come with the program. */
  async load(): Promise<void> {
    if (this.#found === undefined) await this.scan();
  }

  async scan(): Promise<void> {
    const { scanSkills } = await import("./scan.ts");
    this.#found = scanSkills(this.#settings, { isForbidden: this.#ports.isForbidden() });
  }

  /** In force at once, but for the places, which count with the next search. */
  change(settings: ShelfSettings): void {
    this.#settings = settings;
  }

  get settings(): ShelfSettings {
    return this.#settings;
  }

  /** All that were found, switched on or not, by name. */
  get skills(): readonly Skill[] {
    return this.#found?.skills ?? [];
  }

  get problems(): readonly SkillProblem[] {
    return this.#found?.problems ?? [];
  }

  /** Skills found in a root; undefined where nobody has looked. */
  countIn(root: string): number | undefined {
    return this.#found?.counts.get(root);
  }

  isOn(name: string): boolean {
    return !this.#settings.disabled.includes(name);
  }

  /** One that is switched on. */
  find(name: string): Skill | undefined {
    return this.isOn(name) ? this.skills.find((skill) => skill.name === name) : undefined;
  }

  /** What the model may be told of: it can run them, and their authors let it choose. */
  get offered(): readonly Skill[] {
    return this.skills.filter((skill) =>
      this.isOn(skill.name) && skill.runAs === "inline" && !skill.manual && skill.description !== ""
    );
  }

  /** The part of the system prompt; undefined when there is nothing to say. */
  async prompt(): Promise<string | undefined> {
    const skills = this.#settings.implicit ? this.offered : [];
    if (skills.length === 0) return undefined;
    const { toSkillPrompt } = await import("./skill_index.ts");
    return toSkillPrompt(skills);
  }

  /** As the model reads it. */
  async pin(skill: Skill, options: PinOptions): Promise<string | { readonly problem: string }> {
    const { pinSkill } = await import("./pin.ts");
    return await pinSkill(skill, options);
  }

  /** What the person should know of and was not told before; one line each. */
  takeNotices(): readonly string[] {
    const news = this.problems.filter(({ loud, text }) => loud && !this.#told.has(text));
    news.forEach(({ text }) => this.#told.add(text));
    if (this.#settings.suppressWarnings) return [];
    const lines = news.slice(0, MOST_NOTICES).map(({ text }) => text);
    const left = news.length - lines.length;
    return left === 0 ? lines : [...lines, `and ${left} more about skills: reasonix doctor capabilities`];
  }
}

/** Whether the system prompt of a stored conversation tells of skills. */
export function hasSkillPrompt(system: string): boolean {
  return system.includes("\n# Skills kept ready\n");
}
