/** Custom commands of the person and the folder, read in the background when a session opens at a terminal. */
import type { CommandSource } from "../controller/mod.ts";
import type { CommandFolder, LoadedCommands } from "../extensions/mod.ts";
import { forbiddenPaths } from "./build_workspace.ts";
import { forbiddenPlaces } from "./forbidden_places.ts";
import type { Project } from "./project.ts";

type CommandPlaces = Pick<Project, "root" | "paths" | "loaded" | "env" | "extraRoots">;

const MOST_NOTICES = 5;

export function createCustomCommands(
  project: CommandPlaces,
  notice: (text: string) => void,
  read: (project: CommandPlaces) => Promise<LoadedCommands> = loadCustomCommands,
): CommandSource {
  let loaded: LoadedCommands = { commands: [], problems: [] };
  let loading = load();

  async function load(): Promise<readonly string[]> {
    loaded = await read(project);
    const told = loaded.problems.filter(({ loud }) => loud).map(({ text }) => text);
    const left = told.length - MOST_NOTICES;
    if (left <= 0) return told;
    return [...told.slice(0, MOST_NOTICES), `and ${left} more about commands: reasonix doctor capabilities`];
  }

  loading.then((told) => told.forEach(notice), () => {});
  return {
    list: () =>
      loaded.commands.map(({ name, description, argumentHint }) => ({
        name,
        summary: description,
        argumentHint,
        group: "custom",
      })),
    run: async (name, argument) => {
      await loading;
      const command = loaded.commands.find((one) => one.name === name);
      if (command === undefined) return undefined;
      const { leadsOut, renderCommand } = await import("../extensions/mod.ts");
      const text = renderCommand(command.body, argument).trim();
      const outside = command.foreign ? leadsOut(text, argument) : undefined;
      if (outside !== undefined) {
        return {
          kind: "error",
          text: `/${name} came with this folder and refers to @${outside}, which is not in it; nothing was sent. ` +
            `Name that path yourself if it is meant.`,
        };
      }
      if (text === "") {
        return {
          kind: "error",
          text: `/${name} is nothing without arguments. Usage: /${name} ${command.argumentHint}`,
        };
      }
      return { kind: "prompt", text };
    },
    // One after the other: a slow reading that began before must not win over a later one.
    reload: () => loading = loading.then(load, load),
  };
}

export async function loadCustomCommands(project: CommandPlaces): Promise<LoadedCommands> {
  const { loadCommands } = await import("../extensions/mod.ts");
  const isForbidden = forbiddenPlaces(forbiddenPaths(project));
  return await loadCommands(commandFolders(project).map((folder) => ({ ...folder, isForbidden })));
}

/** Lowest rank first. */
function commandFolders({ root, paths: { home, osHome, isolated } }: CommandPlaces): readonly CommandFolder[] {
  const convention = isolated ? [] : [".config/reasonix", ".claude", ".agent", ".agents"];
  const folders = [
    ...convention.map((name) => ({ path: `${osHome}/${name}/commands` })),
    { path: `${home}/commands` },
    ...[".claude", ".agent", ".agents", ".reasonix"].map((name) => ({
      path: `${root}/${name}/commands`,
      within: root,
    })),
  ];
  // In the home folder the person's own folder is the workspace's as well.
  return folders.filter(({ path }, at) => folders.findLastIndex((one) => one.path === path) === at);
}
