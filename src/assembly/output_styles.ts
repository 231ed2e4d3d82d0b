/** The output style of one run of the program. What there is to choose from is read when somebody asks. */
import { editConfigFile } from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import { closestName } from "../lib/closest_name.ts";
import type { OutputStyle } from "../prompts/mod.ts";
import type { Project } from "./project.ts";

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
    if (name === "" || isSameName(name, "default")) return;
    try {
      this.#wanted = await this.find(name);
    } catch (error) {
      if (!(error instanceof ReasonixError)) throw error;
      this.#notices = [`agent.output_style: ${error.message}; answers have no special style`];
    }
  }

  /** Built-in ones first; of a name that the folder and the person both have, the folder's. */
  async list(): Promise<readonly OutputStyle[]> {
    const { readStyles } = await import("./read_styles.ts");
    return await readStyles(this.#project());
  }

  /** Throws `config.type` for a name that no style has. */
  async find(name: string): Promise<OutputStyle> {
    const styles = await this.list();
    const style = styles.find((one) => isSameName(one.name, name));
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

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
