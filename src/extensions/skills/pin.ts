/**
 * A skill as the model reads it: its text with the arguments in place, its references behind it as far as they fit, its
 * scripts by name. Read anew each time, within the same reach as when it was found. Nothing of it runs.
 */
import { byteLength, headWithin } from "../../lib/bytes.ts";
import { parseDocument } from "../../lib/frontmatter.ts";
import { ownBlock, withoutTag } from "../../lib/own_block.ts";
import { extension } from "../../lib/path.ts";
import { type Reach, readFoundText, withinReach } from "../../lib/reach.ts";
import { showPath } from "../../lib/shown_path.ts";
import { LARGEST_SKILL } from "./scan.ts";
import { placeOf, type Skill } from "./skill.ts";

export interface PinOptions {
  /** As typed behind its name. */
  readonly args: string;
  /** Bytes of all of it. */
  readonly room: number;
}

const TAG = "skill-pin";
const MOST_FILES = 50;
const SCRIPTS = new Set([".sh", ".py", ".js", ".ts", ".rb", ".pl", ".php", ".ps1", ""]);
/** What stands around the text and its notes. Bytes. */
const FRAME = 1_024;

export async function pinSkill(skill: Skill, options: PinOptions): Promise<string | { readonly problem: string }> {
  const text = await textOf(skill);
  if (typeof text !== "string") return { problem: `the skill ${skill.name} cannot be read: ${text.problem}` };
  const { body, problem } = parseDocument(text);
  if (problem !== undefined) return { problem: `the skill ${skill.name} cannot be read: ${problem}` };
  if (body.trim() === "") return { problem: `the skill ${skill.name} has no text` };

  const args = options.args.trim();
  const room = options.room - FRAME - byteLength(args);
  const parts = [cut(harmless(withArguments(body.trim(), args)), room, showPath(placeOf(skill)))];
  const { folder, reach } = skill.source.kind === "file" ? skill.source : {};
  if (folder !== undefined && reach !== undefined) {
    parts.unshift(harmless(`The files of this skill lie in ${showPath(folder)}`));
    parts.push(...await references(folder, { reach, room: room - sizeOf(parts) }));
    const scripts = filesIn(`${folder}/scripts`, reach).filter(({ name }) => SCRIPTS.has(extension(name)));
    parts.push(...listed("Scripts:", scripts));
  }
  const pin = ownBlock(TAG, parts.join("\n\n"), { name: skill.name });
  return args === "" || body.includes(ARGUMENTS) ? pin : `${pin}\n\nArguments: ${args}`;
}

const ARGUMENTS = "$ARGUMENTS";

/** Only this: `$1` belongs to the commands that skills quote. */
function withArguments(body: string, args: string): string {
  return body.replaceAll(ARGUMENTS, () => args);
}

async function textOf({ source }: Skill): Promise<string | { readonly problem: string }> {
  if (source.kind === "text") return source.text;
  const real = withinReach(source.file, source.reach);
  return real === undefined ? { problem: "it is not there any more" } : await readFoundText(real, LARGEST_SKILL);
}

async function references(
  folder: string,
  { reach, room }: { readonly reach: Reach; readonly room: number },
): Promise<readonly string[]> {
  const parts: string[] = [];
  const left: FoundFile[] = [];
  for (const found of filesIn(`${folder}/references`, reach)) {
    if (!found.name.endsWith(".md")) continue;
    const text = await readFoundText(found.real, Math.max(1, room));
    const part = typeof text === "string"
      ? harmless(`## Reference: ${showPath(found.name.slice(0, -3))}\n\n${text.trim()}`)
      : "";
    if (part === "" || sizeOf([...parts, part]) > room) left.push(found);
    else parts.push(part);
  }
  return [...parts, ...listed("Further references, to be read when they are needed:", left)];
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  /** Links resolved. */
  readonly real: string;
}

/** Plain files of a folder of the skill, by name. */
function filesIn(folder: string, reach: Reach): readonly FoundFile[] {
  const found: FoundFile[] = [];
  try {
    for (const { name, isDirectory } of Deno.readDirSync(withinReach(folder, reach) ?? "")) {
      const path = `${folder}/${name}`;
      const real = isDirectory || name.startsWith(".") ? undefined : withinReach(path, reach);
      if (real !== undefined && Deno.statSync(real).isFile) found.push({ name, path, real });
      if (found.length >= MOST_FILES) break;
    }
  } catch {
    // Most skills have no such folder, and one that cannot be read has nothing to offer.
  }
  return found.sort((a, b) => a.name < b.name ? -1 : 1);
}

function listed(title: string, files: readonly FoundFile[]): readonly string[] {
  return files.length === 0 ? [] : [[title, ...files.map(({ path }) => harmless(`- ${showPath(path)}`))].join("\n")];
}

function cut(text: string, room: number, place: string): string {
  if (byteLength(text) <= room) return text;
  return `${
    headWithin(text, Math.max(0, room))
  }\n\n(Only the beginning of this skill fits; read_file shows all: ${place})`;
}

/** As it will stand in the block: what is measured. */
function harmless(text: string): string {
  return withoutTag(text, TAG);
}

function sizeOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + byteLength(part) + 2, 0);
}
