/**
 * The custom commands of a person and a folder. A file that cannot be used costs itself and is named; a folder that is
 * missing costs nothing. The text of a command is data: nothing in it runs.
 */
import { isFolder } from "../../lib/at_path.ts";
import { errorText } from "../../lib/error_text.ts";
import { showPath } from "../../lib/shown_path.ts";
import { UNSEEN } from "../../lib/unseen.ts";
import { type Reach, readFoundText, withinReach } from "../../lib/reach.ts";
import { type CommandTemplate, parseCommand } from "./command_file.ts";

export interface CommandFolder extends Reach {
  readonly path: string;
}

export interface CustomCommand extends CommandTemplate {
  /** `git:commit` for `git/commit.md`. */
  readonly name: string;
  readonly file: string;
  /** It came with the folder, not from the person. */
  readonly foreign: boolean;
}

export interface LoadedCommands {
  /** By name. */
  readonly commands: readonly CustomCommand[];
  readonly problems: readonly CommandProblem[];
}

export interface CommandProblem {
  readonly code: "command.read_failed" | "command.shadowed";
  readonly file: string;
  /** For people; names the file. */
  readonly text: string;
  /** Worth a line when a session opens; the others are for those who ask. */
  readonly loud: boolean;
}

/** As typed behind a slash. Some letters are not seen: `/commit` with one more would look like `/commit`. */
const NAME = new RegExp(`^(?!.*[${UNSEEN}])[\\p{L}_][\\p{L}\\p{N}:_.-]*$`, "u");
const LARGEST = 256 * 1024;
const DEEPEST = 8;
const MOST = 1000;
/** Files and folders of one place, whatever they are. */
const MOST_LOOKED_AT = 5_000;

/** Of two commands with one name the one in the later folder counts. */
export async function loadCommands(folders: readonly CommandFolder[]): Promise<LoadedCommands> {
  const read = await Promise.all(folders.map(readFolder));
  const commands = new Map<string, CustomCommand>();
  const problems: CommandProblem[] = [];
  for (const one of read) {
    problems.push(...one.problems);
    for (const command of one.commands) {
      const earlier = commands.get(command.name);
      if (earlier) {
        const text = `${showPath(earlier.file)}: /${command.name} is the one of ${showPath(command.file)}`;
        // What the person typed for years does something else in this folder.
        const loud = command.foreign && !earlier.foreign && command.body !== earlier.body;
        problems.push({ code: "command.shadowed", file: earlier.file, text, loud });
      }
      commands.set(command.name, command);
    }
  }
  const byName = (a: CustomCommand, b: CustomCommand) => a.name < b.name ? -1 : 1;
  return { commands: [...commands.values()].sort(byName), problems };
}

async function readFolder(folder: CommandFolder): Promise<LoadedCommands> {
  const commands: CustomCommand[] = [];
  const problems: CommandProblem[] = [];
  const failed = (file: string, why: string) =>
    problems.push({ code: "command.read_failed", file, text: `${showPath(file)}: not a command: ${why}`, loud: true });
  for (const { file, real, parts } of await findFiles(folder, failed)) {
    const name = parts.join(":");
    if (!NAME.test(name)) {
      failed(file, "a command is named with letters, digits, _, - and .");
      continue;
    }
    const text = await readFoundText(real, LARGEST);
    const parsed = typeof text === "string" ? parseCommand(text) : text;
    if ("problem" in parsed) failed(file, parsed.problem);
    else commands.push({ name, file, foreign: folder.within !== undefined, ...parsed });
  }
  return { commands, problems };
}

interface FoundFile {
  readonly file: string;
  /** Links resolved. */
  readonly real: string;
  readonly parts: readonly string[];
}

async function findFiles(folder: CommandFolder, failed: (file: string, why: string) => void): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const visited = new Set<string>();
  let lookedAt = 0;
  const visit = async (path: string, parts: readonly string[]): Promise<void> => {
    const real = withinReach(path, folder);
    if (real === undefined || visited.has(real)) return;
    visited.add(real);
    let entries: Deno.DirEntry[];
    try {
      entries = await firstEntries(real, MOST_LOOKED_AT - lookedAt);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotADirectory)) {
        failed(path, errorText(error));
      }
      return;
    }
    for (const { name, isDirectory, isSymlink } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      lookedAt++;
      if (found.length >= MOST || lookedAt > MOST_LOOKED_AT || name.startsWith(".")) continue;
      const file = `${path}/${name}`;
      if (isDirectory || (isSymlink && isFolder(file))) {
        if (parts.length < DEEPEST) await visit(file, [...parts, name]);
      } else if (name.endsWith(".md")) {
        const real = withinReach(file, folder);
        if (real !== undefined) found.push({ file, real, parts: [...parts, name.slice(0, -3)] });
      }
    }
  };
  await visit(folder.path, []);
  if (lookedAt > MOST_LOOKED_AT) {
    failed(folder.path, `only the first ${MOST_LOOKED_AT} files and folders are looked at`);
  }
  return found;
}

async function firstEntries(folder: string, most: number): Promise<Deno.DirEntry[]> {
  const entries: Deno.DirEntry[] = [];
  for await (const entry of Deno.readDir(folder)) if (entries.push(entry) > most) break;
  return entries;
}
