/** The search tools over a temporary workspace, called as the loop calls them. */
import type { Files, Processes } from "../../src/contract/workspace.ts";
import type { ToolPorts, ToolSettings } from "../../src/contract/tool.ts";
import { BUILTIN_TOOLS, createToolSet } from "../../src/tools/mod.ts";
import { createLocalProcesses } from "../../src/workspace/mod.ts";

export interface SearchSetup {
  readonly root: string;
  readonly files: Files;
  readonly engine?: ToolSettings["searchEngine"];
  readonly processes?: Processes;
  readonly signal?: AbortSignal;
}

export type Call = (args: Record<string, unknown>) => Promise<string>;

export interface SearchTools {
  readonly ls: Call;
  readonly glob: Call;
  readonly grep: Call;
}

export function searchTools(setup: SearchSetup): SearchTools {
  const { root, files } = setup;
  const ports = {
    workspace: { root, files, processes: setup.processes ?? createLocalProcesses({ root }) },
    settings: { searchEngine: setup.engine ?? "native" },
  } as unknown as ToolPorts;
  const names = ["ls", "glob", "grep"];
  const set = createToolSet(BUILTIN_TOOLS.filter(({ name }) => names.includes(name)), ports);
  const call = (name: string): Call => async (args) => {
    const tool = set.find(name)!;
    const wrong = await set.violations(tool, args);
    if (wrong !== undefined) throw new Error(wrong.lines.join("\n"));
    const signal = setup.signal ?? new AbortController().signal;
    return (await tool.execute(args, { callId: "call", signal, progress: () => {} })).text;
  };
  return { ls: call("ls"), glob: call("glob"), grep: call("grep") };
}

export { hasRg } from "./programs.ts";
