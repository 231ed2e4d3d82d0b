/** Custom commands of the person and the folder, read in the background when a session opens at a terminal. */
import type { CommandSource } from "../controller/mod.ts";
import type { LoadedCommands } from "../extensions/mod.ts";
import type { Project } from "./project.ts";

export function createCustomCommands(
  { root, paths: { home, osHome } }: Pick<Project, "root" | "paths">,
  notice: (text: string) => void,
): CommandSource {
  const folders = [
    ...[".config/reasonix", ".claude", ".agent", ".agents"].map((name) => ({ path: `${osHome}/${name}/commands` })),
    { path: `${home}/commands` },
    ...[".claude", ".agent", ".agents", ".reasonix"].map((name) => ({
      path: `${root}/${name}/commands`,
      within: root,
    })),
  ];
  let loaded: LoadedCommands = { commands: [], problems: [] };
  let loading = load();

  async function load(): Promise<readonly string[]> {
    const { loadCommands } = await import("../extensions/mod.ts");
    loaded = await loadCommands(distinct(folders));
    return loaded.problems.filter(({ code }) => code === "command.read_failed").map(({ text }) => text);
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
      const { renderCommand } = await import("../extensions/mod.ts");
      const text = renderCommand(command.body, argument).trim();
      if (text === "") {
        return {
          kind: "error",
          text: `/${name} is nothing without arguments. Usage: /${name} ${command.argumentHint}`,
        };
      }
      return { kind: "prompt", text };
    },
    reload: () => loading = load(),
  };
}

/** In the home folder the person's own folder is the workspace's as well. */
function distinct<T extends { readonly path: string }>(folders: readonly T[]): readonly T[] {
  return folders.filter(({ path }, at) => folders.findLastIndex((one) => one.path === path) === at);
}
