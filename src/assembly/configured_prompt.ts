/** `[agent] system_prompt_file` and `system_prompt`: the user's own standing prompt. The file wins. */
import type { Config, ReasonixPaths } from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import { isAbsolute, isInside, join } from "../lib/path.ts";
import { readFoundText } from "../lib/reach.ts";
import type { IsForbidden } from "./forbidden_places.ts";

/** Bytes. */
const LARGEST = 1024 * 1024;

export interface PromptPlaces {
  readonly root: string;
  readonly paths: ReasonixPaths;
  /** The setting comes from the project's file: it then stays inside the workspace. */
  readonly ofProject: boolean;
  readonly isForbidden: IsForbidden;
}

/** Throws `config.unreadable` for a file that is not there or that a project may not name. */
export async function configuredPrompt(config: Config, places: PromptPlaces): Promise<string | undefined> {
  const file = config.agent.systemPromptFile;
  if (file === "") return config.agent.systemPrompt;
  const { root, paths, ofProject, isForbidden } = places;
  const candidates = [join(root, file), ...(ofProject || isAbsolute(file) ? [] : [join(paths.home, file)])];
  for (const path of candidates) {
    const real = await Deno.realPath(path).catch(() => undefined);
    if (real === undefined) continue;
    if (ofProject && !isInside(real, root)) {
      throw new ReasonixError(
        "config.unreadable",
        `agent.system_prompt_file "${file}" of this project leads out of the workspace`,
        {
          remedy: "Name a file inside the workspace.",
        },
      );
    }
    // What the agent may not read, a folder does not make it read.
    if (ofProject && isForbidden(real)) continue;
    const text = await readFoundText(real, LARGEST);
    if (typeof text === "string") return text;
    throw new ReasonixError("config.unreadable", `agent.system_prompt_file "${file}": ${text.problem}`);
  }
  throw new ReasonixError("config.unreadable", `agent.system_prompt_file "${file}" does not exist`, {
    remedy: `Looked for ${candidates.join(" and ")}.`,
  });
}
