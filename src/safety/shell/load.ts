/** The analysis with its parser, loaded at the first command of a session. Callers import types and this file only. */
import type { CommandAnalysis } from "./analysis.ts";

export type Analyze = (command: string) => CommandAnalysis;

/** About ten milliseconds the first time; afterwards the modules are there. */
export async function loadAnalyze(): Promise<Analyze> {
  const [{ analyzeCommand }, parser] = await Promise.all([import("./analyze.ts"), import("unbash")]);
  return (command) => analyzeCommand(command, parser);
}
