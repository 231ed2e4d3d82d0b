/** The memory of one conversation: where its facts lie, and what it may know of this machine. */
import { savedSecrets } from "../config/mod.ts";
import { SecretFilter } from "../lib/secret_filter.ts";
// Past mod.ts: a start without any fact loads no more of the memory than this.
import { createMemory, type Memory } from "../memory/memory.ts";
import { loadInstructions } from "../prompts/mod.ts";
import type { BuiltInstructions } from "./build_instructions.ts";
import type { Project } from "./project.ts";
import { projectFolder } from "./session_store.ts";

export function buildMemory(project: Project, instructions: BuiltInstructions): Memory {
  const { root, paths, loaded } = project;
  let secrets: SecretFilter | undefined;
  return createMemory({
    folders: { project: `${projectFolder(paths, root)}/memory`, global: `${paths.state}/memory/global` },
    root,
    settings: loaded.config.memory,
    homes: [paths.home, paths.osHome],
    instructions: async () => {
      const { documents, notes } = await loadInstructions(instructions.places);
      const sources = [...documents, ...instructions.below.documents].map(({ origin, path, text }) => ({
        origin,
        path,
        characters: text.length,
      }));
      return { documents: sources, notes };
    },
    isSecret: (text) => {
      secrets ??= new SecretFilter(savedSecrets(loaded));
      return secrets.text(text) !== text;
    },
  });
}
