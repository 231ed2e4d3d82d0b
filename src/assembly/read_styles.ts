/** The output styles there are: those that are built in, and files of the person and of the folder. */
import { headText, parseDocument } from "../lib/frontmatter.ts";
import { type Reach, readFoundText, withinReach } from "../lib/reach.ts";
import { toLine } from "../lib/terminal_text.ts";
import { UNSEEN } from "../lib/unseen.ts";
// Past mod.ts: a run without a style loads none of their texts.
import { BUILT_IN_STYLES, type OutputStyle } from "../prompts/output_style.ts";
import { forbiddenPaths } from "./build_workspace.ts";
import { forbiddenPlaces } from "./forbidden_places.ts";
import { isSameName } from "./output_styles.ts";
import type { Project } from "./project.ts";

/** Of one file, and how many files of a folder are looked at. */
const LARGEST = 64 * 1024;
const MOST_FILES = 100;

const NAME = new RegExp(`^(?!.*[${UNSEEN}])[\\p{L}\\p{N}][\\p{L}\\p{N} _.-]{0,39}$`, "u");

/** Built-in ones first; of a name that the folder and the person both have, the folder's. */
export async function readStyles(project: Project): Promise<readonly OutputStyle[]> {
  const { root, paths } = project;
  const isForbidden = forbiddenPlaces(forbiddenPaths(project));
  const found = [
    ...await readFolder(`${root}/.reasonix/output-styles`, { origin: "project", within: root, isForbidden }),
    ...await readFolder(`${paths.home}/output-styles`, { origin: "user", isForbidden }),
  ];
  const all = [...BUILT_IN_STYLES, ...found];
  return all.filter(({ name }, at) => all.findIndex((other) => isSameName(other.name, name)) === at);
}

interface Place extends Reach {
  readonly origin: "user" | "project";
}

/** A file that cannot be used is left out. */
async function readFolder(folder: string, place: Place): Promise<OutputStyle[]> {
  const files: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) if (/\.md$/i.test(name)) files.push(name);
  } catch {
    return [];
  }
  const read = await Promise.all(
    files.sort().slice(0, MOST_FILES).map((file) => readStyle(`${folder}/${file}`, place)),
  );
  return read.filter((style) => style !== undefined);
}

async function readStyle(path: string, place: Place): Promise<OutputStyle | undefined> {
  const real = withinReach(path, place);
  const text = real === undefined ? undefined : await readFoundText(real, LARGEST);
  if (typeof text !== "string") return undefined;
  try {
    const { head, body } = parseDocument(text);
    const name = headText(head.get("name")).trim() || path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
    if (!NAME.test(name) || isSameName(name, "default") || body.trim() === "") return undefined;
    const description = headText(head.get("description")).trim() || firstLine(body);
    return { name, description: toLine(description), origin: place.origin, text: body };
  } catch {
    return undefined;
  }
}

function firstLine(body: string): string {
  return body.trim().split("\n", 1)[0]!.replace(/^#+\s*/, "");
}
