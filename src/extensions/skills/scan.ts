/**
 * Finds the skills of a person and a folder. Only the start of each file is read; a file that cannot be used costs
 * itself and is named. Everything a repository brings is bounded: entries of a folder, depth, skills, bytes.
 */
import { isFolder } from "../../lib/at_path.ts";
import { toText } from "../../lib/bytes.ts";
import { errorText } from "../../lib/error_text.ts";
import { showPath } from "../../lib/shown_path.ts";
import { basename, isInside } from "../../lib/path.ts";
import { type Reach, withinReach } from "../../lib/reach.ts";
import { BUILT_IN_SKILLS } from "./built_in/built_in.ts";
import type { SkillPlaces } from "./roots.ts";
import { placeOf, type Skill, type SkillProblem, type SkillRoot, type SkillSource } from "./skill.ts";
import { parseSkill, SKILL_NAME } from "./skill_head.ts";

export interface FoundSkills {
  /** By name; one of each. */
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
  /** Path of a root -> skills found there, also those of a name that is taken. */
  readonly counts: ReadonlyMap<string, number>;
}

export const LARGEST_SKILL = 256 * 1024;
const LARGEST_HEAD = 16 * 1024;
/** Of one root. */
const MOST_SKILLS = 300;
/** Of one folder, and of all folders of a root together. */
const MOST_ENTRIES = 2_000;
const MOST_LOOKED_AT = 5_000;

/** Files that lie among skills to tell people about them. */
const ABOUT = /^(?:readme|license|changelog|contributing|agents|claude)\.md$/i;

export function scanSkills(places: SkillPlaces, reach: Pick<Reach, "isForbidden">): FoundSkills {
  const scan = new Scan(places, reach);
  places.roots.forEach((root) => scan.look(root));
  for (const text of BUILT_IN_SKILLS) scan.take(text, { scope: "built_in", source: { kind: "text", text } });
  return scan.found();
}

/** What is known of a file before it is read. */
interface Candidate {
  readonly file: string;
  readonly folder?: string;
  readonly name: string;
  /** It counts only with a head that names it a skill. */
  readonly needsMark: boolean;
}

interface Origin extends Pick<Skill, "scope" | "source"> {
  /** For a head that gives none. */
  readonly name?: string;
  readonly needsMark?: boolean;
  readonly isCut?: boolean;
}

class Scan {
  readonly #places: SkillPlaces;
  readonly #reach: Pick<Reach, "isForbidden">;
  readonly #skills = new Map<string, { readonly skill: Skill; readonly start: string }>();
  readonly #problems: SkillProblem[] = [];
  readonly #counts = new Map<string, number>();
  /** Entries of folders of the root that is looked through. */
  #lookedAt = 0;
  /** Links resolved: what is reached by two names is there once. */
  readonly #seen = new Set<string>();

  constructor(places: SkillPlaces, reach: Pick<Reach, "isForbidden">) {
    this.#places = places;
    this.#reach = reach;
  }

  look(root: SkillRoot): void {
    this.#counts.set(root.path, 0);
    this.#lookedAt = 0;
    if (root.scope === "custom" && withinReach(root.path, {}) === undefined) {
      this.#failed(root.path, "the folder is not there", "[skills] paths");
    }
    this.#visit(root.path, root, 0);
    if (this.#lookedAt > MOST_LOOKED_AT) {
      this.#failed(
        root.path,
        `only the first ${MOST_LOOKED_AT} files and folders are looked at`,
        "too much for skills",
      );
    }
  }

  found(): FoundSkills {
    const skills = [...this.#skills.values()].map(({ skill }) => skill);
    return {
      skills: skills.sort((a, b) => a.name < b.name ? -1 : 1),
      problems: this.#problems,
      counts: this.#counts,
    };
  }

  #visit(path: string, root: SkillRoot, depth: number): void {
    const real = this.#place(path, root);
    if (real === undefined) return;
    let entries: Deno.DirEntry[];
    try {
      entries = firstEntries(real);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotADirectory)) this.#failed(path, errorText(error));
      return;
    }
    if (entries.some(({ name, isDirectory }) => name === "SKILL.md" && !isDirectory)) {
      this.#read({ file: `${path}/SKILL.md`, folder: path, name: basename(path), needsMark: false }, root);
      return;
    }
    for (const { name, isDirectory, isSymlink } of entries) {
      if (++this.#lookedAt > MOST_LOOKED_AT) return;
      if (name.startsWith(".") || name === "node_modules") continue;
      const file = `${path}/${name}`;
      if (isDirectory || (isSymlink && isFolder(file))) {
        if (depth < this.#places.maxDepth) this.#visit(file, root, depth + 1);
      } else if (name.endsWith(".md") && !ABOUT.test(name)) {
        this.#read({ file, name: name.slice(0, -3), needsMark: root.marked === true || depth > 0 }, root);
      }
    }
  }

  #read(candidate: Candidate, root: SkillRoot): void {
    const { file, folder, name, needsMark } = candidate;
    const real = this.#place(file, root);
    if (real === undefined) return;
    const count = this.#counts.get(root.path)! + 1;
    if (count > MOST_SKILLS) {
      if (count === MOST_SKILLS + 1) this.#failed(root.path, `only the first ${MOST_SKILLS} skills are looked at`);
      this.#counts.set(root.path, count);
      return;
    }
    const start = readStart(real);
    if ("problem" in start) return this.#failed(file, start.problem);
    const reach = { within: root.within, isForbidden: this.#reach.isForbidden };
    const source: SkillSource = { kind: "file", file, reach, ...(folder === undefined ? {} : { folder }) };
    if (this.take(start.text, { scope: root.scope, source, name, needsMark, isCut: start.isCut })) {
      this.#counts.set(root.path, count);
    }
  }

  /** `start`: the text, or as much of it as holds the head. False where it is no skill. */
  take(start: string, from: Origin): boolean {
    const { scope, source, needsMark = false, isCut = false } = from;
    const parsed = parseSkill(start);
    const file = placeOf(from);
    if ("problem" in parsed) {
      // What is not marked as a skill is not a broken one either.
      if (!needsMark) this.#failed(file, parsed.problem + (isCut ? ` in its first ${LARGEST_HEAD / 1024} KiB` : ""));
      return false;
    }
    if (needsMark && !parsed.marked) return false;
    const name = parsed.head.name ?? from.name ?? "";
    if (!SKILL_NAME.test(name)) {
      this.#failed(file, "a skill is named with letters, digits, _, - and .");
      return false;
    }
    const skill: Skill = { ...parsed.head, name, scope, source };
    const first = this.#skills.get(name);
    if (first === undefined) this.#skills.set(name, { skill, start });
    else {
      const text = `${showPath(file)}: not used: the skill ${name} is the one of ${showPath(placeOf(first.skill))}`;
      // A copy, or what the program itself brings, is missed by nobody.
      const loud = first.start !== start && scope !== "built_in";
      this.#problems.push({ code: "skill.shadowed", file, name, text, loud });
    }
    if (skill.description === "") {
      const text = `${showPath(file)}: the skill ${name} has no description, so the model is not told of it`;
      this.#problems.push({ code: "skill.missing_description", file, name, text, loud: false });
    }
    return true;
  }

  /** Links resolved; undefined where it is out of reach or was looked at already. */
  #place(path: string, { within }: SkillRoot): string | undefined {
    if (this.#places.excluded.some((place) => isInside(path, place))) return undefined;
    const real = withinReach(path, { within, ...this.#reach });
    if (real === undefined || this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    return real;
  }

  #failed(file: string, why: string, about = "not a skill"): void {
    const text = `${showPath(file)}: ${about}: ${why}`;
    this.#problems.push({ code: "skill.read_failed", file, text, loud: true });
  }
}

/** Sorted by name. */
function firstEntries(folder: string): Deno.DirEntry[] {
  const entries: Deno.DirEntry[] = [];
  for (const entry of Deno.readDirSync(folder)) {
    entries.push(entry);
    if (entries.length >= MOST_ENTRIES) break;
  }
  return entries.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Told by its kind, not by opening it: a pipe would hold up the start. */
function readStart(real: string): { readonly text: string; readonly isCut: boolean } | { readonly problem: string } {
  try {
    const { isFile, size } = Deno.statSync(real);
    if (!isFile) return { problem: "it is not a regular file" };
    if (size > LARGEST_SKILL) return { problem: `it is larger than ${LARGEST_SKILL / 1024} KiB` };
    using file = Deno.openSync(real);
    const bytes = new Uint8Array(Math.min(size, LARGEST_HEAD));
    let filled = 0;
    while (filled < bytes.length) {
      const read = file.readSync(bytes.subarray(filled));
      if (read === null) break;
      filled += read;
    }
    const start = bytes.subarray(0, filled);
    if (start.includes(0)) return { problem: "it is not UTF-8 text" };
    return { text: toText(start), isCut: size > LARGEST_HEAD };
  } catch (error) {
    return { problem: errorText(error) };
  }
}
