/**
 * The analysis with its parser, loaded at the first command of a session, and the look at what git would start, loaded
 * at the first that reads with it. Callers import types and this file only.
 */
import type { CommandAnalysis } from "./analysis.ts";
import type { createGitHazards, FindGitHazard } from "./git_hazards.ts";

export type Analyze = (command: string) => CommandAnalysis;

/**
 * About ten milliseconds the first time. `shell` is the name of the workspace's shell; a shell nobody knows here is read
 * as POSIX and never trusted to mean the same.
 */
export async function loadAnalyze(shell = "bash"): Promise<Analyze> {
  const name = shell.toLowerCase().replace(/\.exe$/, "");
  if (name === "pwsh" || name === "powershell") return (await import("./powershell.ts")).analyzePowerShell;
  const [{ analyzeCommand }, parser] = await Promise.all([import("./analyze.ts"), import("unbash")]);
  if (POSIX.has(name)) return (command) => analyzeCommand(command, parser);
  return (command) => ({ ...analyzeCommand(command, parser), ...FOREIGN });
}

export function lateGitHazards(files: Parameters<typeof createGitHazards>[0]): FindGitHazard {
  let loading: Promise<FindGitHazard> | undefined;
  return async (folder) => {
    loading ??= import("./git_hazards.ts").then(({ createGitHazards }) => createGitHazards(files));
    return await (await loading)(folder);
  };
}

const POSIX = new Set(["bash", "sh", "dash", "ash", "busybox", "ksh", "mksh"]);

const FOREIGN: Pick<CommandAnalysis, "class" | "shape" | "readOnly" | "reasons" | "complete"> = {
  class: "nested",
  shape: "nested",
  readOnly: false,
  reasons: ["a shell whose language is not known"],
  complete: false,
};
