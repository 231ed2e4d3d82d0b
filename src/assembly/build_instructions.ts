/** Where instructions are read from, and those of folders below the root, for one conversation. */
import type { Transcript } from "../contract/session.ts";
import type { EventLog } from "../controller/mod.ts";
import { createFolderInstructions, type FolderInstructions, type InstructionPlaces } from "../prompts/mod.ts";
import { forbiddenPaths } from "./build_workspace.ts";
import { forbiddenPlaces } from "./forbidden_places.ts";
import type { Project } from "./project.ts";

export interface BuiltInstructions {
  readonly places: InstructionPlaces;
  readonly below: FolderInstructions;
}

export function buildInstructions(project: Project, transcript: Transcript, log: EventLog): BuiltInstructions {
  const { root, paths } = project;
  const isForbidden = forbiddenPlaces(forbiddenPaths(project));
  const places = { home: paths.home, root, userHome: paths.osHome, isForbidden };
  const below = createFolderInstructions({
    places,
    messages: () => transcript.messages,
    notice: (text) => log.emit({ kind: "notice", level: "info", text }),
  });
  return { places, below };
}
