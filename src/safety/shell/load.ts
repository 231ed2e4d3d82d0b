/** The analysis with its parser, loaded at the first command of a session. Callers import types and this file only. */
import type { CommandAnalysis } from "./analysis.ts";

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

const POSIX = new Set(["bash", "sh", "dash", "ash", "busybox", "ksh", "mksh"]);

const FOREIGN: Pick<CommandAnalysis, "class" | "shape" | "readOnly" | "reasons" | "complete"> = {
  class: "nested",
  shape: "nested",
  readOnly: false,
  reasons: ["a shell whose language is not known"],
  complete: false,
};
