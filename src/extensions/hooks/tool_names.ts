/** Names and arguments of tools as hooks written for other programs know them. */
import { join } from "../../lib/path.ts";
import { ownValue } from "../../lib/own_value.ts";

const NAMES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bash: ["Bash"],
  bash_output: ["BashOutput"],
  kill_shell: ["KillShell", "KillBash"],
  read_file: ["Read"],
  write_file: ["Write"],
  edit_file: ["Edit"],
  multi_edit: ["MultiEdit"],
  notebook_edit: ["NotebookEdit"],
  ls: ["LS"],
  glob: ["Glob"],
  grep: ["Grep"],
  todo_write: ["TodoWrite"],
  web_fetch: ["WebFetch"],
  web_search: ["WebSearch"],
  ask: ["AskUserQuestion"],
  run_skill: ["Skill"],
  task: ["Agent", "Task"],
  read_only_task: ["Agent", "Task"],
  parallel_tasks: ["Agent", "Task"],
  fleet: ["Agent", "Task"],
};

/** What a matcher may call the tool; the first is the name that is told. */
export function importedNames(tool: string): readonly [string, ...string[]] {
  return ownValue(NAMES, tool) ?? [tool];
}

/** Every name that files of other programs know a tool by. */
export function knownNames(): ReadonlySet<string> {
  return new Set(Object.values(NAMES).flat());
}

/** `path` is `file_path` there, and absolute. */
export function importedInput(args: Readonly<Record<string, unknown>>, workspace: string): Record<string, unknown> {
  const { path, ...rest } = args;
  return typeof path === "string" ? { file_path: join(workspace, path), ...rest } : { ...args };
}
