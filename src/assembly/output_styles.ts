/** The output styles of one run of the program: those that are built in, and files of the person and of the folder. */
import { editConfigFile } from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import { closestName } from "../lib/closest_name.ts";
import { parseDocument } from "../lib/frontmatter.ts";
import { isInside } from "../lib/path.ts";
import { BUILT_IN_STYLES, type OutputStyle } from "../prompts/mod.ts";
import { forbiddenPaths } from "./build_workspace.ts";
import { forbiddenPlaces, readPlainText } from "./forbidden_places.ts";
import type { Project } from "./project.ts";

/** Of one file, and how many files of a folder are looked at. */
const LARGEST = 64 * 1024;
const MOST_FILES = 100;

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,39}$/u;

export class OutputStyles {
  readonly #project: () => Project;
  #wanted: OutputStyle | undefined;
  #notices: readonly string[] = [];

  constructor(project: () => Project) {
    this.#project = project;
  }

  /** What conversations are told from now on; undefined: none. */
  get wanted(): OutputStyle | undefined {
    return this.#wanted;
  }

  /** About a style of the settings that is not there. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  /** Takes the style of the settings. */
  async open(): Promise<void> {
    const name = this.#project().loaded.config.agent.outputStyle.trim();
    this.#wanted = undefined;
    this.#notices = [];
    if (name === "" || sameName(name, "default")) return;
    try {
      this.#wanted = await this.find(name);
    } catch (error) {
      if (!(error instanceof ReasonixError)) throw error;
      this.#notices = [`agent.output_style: ${error.message}; answers have no special style`];
    }
  }

  /** Built-in ones first; of a name that the folder and the person both have, the folder's. */
  async list(): Promise<readonly OutputStyle[]> {
    const { root, paths } = this.#project();
    const isForbidden = forbiddenPlaces(forbiddenPaths(this.#project()));
    const found = [
      ...await readStyles(`${root}/.reasonix/output-styles`, { origin: "project", within: root, isForbidden }),
      ...await readStyles(`${paths.home}/output-styles`, { origin: "user", isForbidden }),
    ];
    const all = [...BUILT_IN_STYLES, ...found];
    return all.filter(({ name }, at) => all.findIndex((other) => sameName(other.name, name)) === at);
  }

  /** Throws `config.type` for a name that no style has. */
  async find(name: string): Promise<OutputStyle> {
    const styles = await this.list();
    const style = styles.find((one) => sameName(one.name, name));
    if (style) return style;
    const names = styles.map((one) => one.name);
    const near = closestName(name, names);
    throw new ReasonixError(
      "config.type",
      `there is no output style "${name}"${near ? `; did you mean ${near}?` : ""}`,
      {
        remedy: `Known: ${names.join(", ")}.`,
      },
    );
  }

  /** From the next message on, and saved to the user's file; empty: none. Throws `config.*` and then changes nothing. */
  async choose(name: string): Promise<void> {
    const style = name === "" ? undefined : await this.find(name);
    const { loaded } = this.#project();
    await editConfigFile(loaded.userConfig, [{ set: ["agent", "output_style"], value: style?.name ?? "" }], {
      mode: 0o600,
    });
    this.#wanted = style;
  }
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

interface Place {
  readonly origin: "user" | "project";
  /** Links that lead out of here are not followed. */
  readonly within?: string;
  readonly isForbidden: (real: string) => boolean;
}

/** A file that cannot be used is left out. */
async function readStyles(folder: string, place: Place): Promise<OutputStyle[]> {
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

async function readStyle(path: string, { origin, within, isForbidden }: Place): Promise<OutputStyle | undefined> {
  try {
    const real = await Deno.realPath(path);
    if ((within !== undefined && !isInside(real, within)) || isForbidden(real)) return undefined;
    const { head, body } = parseDocument(await readPlainText(real, LARGEST));
    const name = textOf(head.get("name")) || path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
    if (!NAME.test(name) || sameName(name, "default") || body.trim() === "") return undefined;
    const description = textOf(head.get("description")) || firstLine(body);
    return { name, description: description.slice(0, 200), origin, text: body };
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function firstLine(body: string): string {
  return body.trim().split("\n", 1)[0]!.replace(/^#+\s*/, "");
}
