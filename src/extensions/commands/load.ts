/**
 * The custom commands of a person and a folder. A file that cannot be used costs itself and is named; a folder that is
 * missing costs nothing. The text of a command is data: nothing in it runs.
 */
import { showPath } from "../../lib/odd_name.ts";
import { isInside } from "../../lib/path.ts";
import { decodeText } from "../../lib/text_encoding.ts";
import { type CommandTemplate, parseCommand } from "./command_file.ts";

export interface CommandFolder {
  readonly path: string;
  /** Links that lead out of here are not followed: set for what a repository brings. Absolute, links resolved. */
  readonly within?: string;
}

export interface CustomCommand extends CommandTemplate {
  /** `git:commit` for `git/commit.md`. */
  readonly name: string;
  readonly file: string;
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
}

/** As typed behind a slash. */
const NAME = /^[\p{L}_][\p{L}\p{N}:_.-]*$/u;
const LARGEST = 256 * 1024;
const DEEPEST = 8;
const MOST = 1000;

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
        problems.push({ code: "command.shadowed", file: earlier.file, text });
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
    problems.push({ code: "command.read_failed", file, text: `${showPath(file)}: not a command: ${why}` });
  for (const { file, parts } of await findFiles(folder, failed)) {
    const name = parts.join(":");
    if (!NAME.test(name)) {
      failed(file, "a command is named with letters, digits, _, - and .");
      continue;
    }
    const text = await textOf(file);
    const parsed = typeof text === "string" ? parseCommand(text) : text;
    if ("problem" in parsed) failed(file, parsed.problem);
    else commands.push({ name, file, ...parsed });
  }
  return { commands, problems };
}

interface FoundFile {
  readonly file: string;
  readonly parts: readonly string[];
}

async function findFiles(folder: CommandFolder, failed: (file: string, why: string) => void): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const visit = async (path: string, parts: readonly string[]): Promise<void> => {
    let entries: Deno.DirEntry[];
    try {
      entries = await Array.fromAsync(Deno.readDir(path));
    } catch (error) {
      const missing = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
      if (!missing) failed(path, error instanceof Error ? error.message : String(error));
      return;
    }
    for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      if (found.length >= MOST || entry.name.startsWith(".")) continue;
      const target = `${path}/${entry.name}`;
      const kind = entry.isSymlink ? await followed(target, folder) : entry.isDirectory ? "folder" : "file";
      if (kind === "folder" && parts.length < DEEPEST) await visit(target, [...parts, entry.name]);
      else if (kind === "file" && entry.name.endsWith(".md")) {
        found.push({ file: target, parts: [...parts, entry.name.slice(0, -3)] });
      }
    }
  };
  await visit(folder.path, []);
  return found;
}

/** Where a link leads; undefined where it is not followed. */
async function followed(path: string, { within }: CommandFolder): Promise<"folder" | "file" | undefined> {
  try {
    if (within !== undefined && !isInside(await Deno.realPath(path), within)) return undefined;
    return (await Deno.stat(path)).isDirectory ? "folder" : "file";
  } catch {
    return undefined;
  }
}

async function textOf(file: string): Promise<string | { readonly problem: string }> {
  try {
    const { isFile, size } = await Deno.stat(file);
    if (!isFile) return { problem: "it is not a regular file" };
    if (size > LARGEST) return { problem: "it is larger than 256 KiB" };
    const decoded = await decodeText(await Deno.readFile(file));
    return decoded.kind === "text" ? decoded.text : { problem: "it is not text" };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
