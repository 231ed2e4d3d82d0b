/**
 * Files that decide what runs later, outside of any sandbox, or what this program is allowed to do: each write to one
 * needs a fresh answer of a person in every posture, and headless it is refused. Pure: the gate asks with the path as
 * given and as resolved.
 */
import { isInside } from "../../lib/path.ts";

export interface ManagedFilesContext {
  /** The workspace. Names above it say nothing: a work tree may lie in a folder of some agent's own. */
  readonly root?: string;
  /** The Reasonix home, links resolved. */
  readonly home: string;
  /** The person's home folder: shell start-up files and the like. */
  readonly userHome?: string;
  /** Folders with skills beside the usual ones. */
  readonly skillFolders?: readonly string[];
  /** Names match in any letter case on this file system. */
  readonly caseless?: boolean;
}

interface Rule {
  readonly reason: string;
  /** Names of folders: they themselves, so that nothing is moved into their place, and everything below. */
  readonly folders?: readonly string[];
  /** `folder/name` or a bare name, anywhere. */
  readonly files?: readonly string[];
}

const ANYWHERE: readonly Rule[] = [
  { reason: "git metadata: hooks and settings there run commands outside the sandbox", folders: [".git"] },
  { reason: "git hooks run outside the sandbox at the next commit", folders: [".husky", ".githooks"] },
  {
    reason: "settings of Reasonix for this project: rules, hooks, commands and skills",
    folders: [".reasonix"],
    files: ["reasonix.toml"],
  },
  {
    reason: "skills, commands and hooks that agents load from here",
    folders: [".claude", ".agents", ".agent"],
  },
  { reason: "programs started as MCP servers are named here", files: [".mcp.json"] },
  { reason: "direnv runs this file when somebody enters the folder", files: [".envrc"] },
  {
    reason: "the editor runs what stands here",
    folders: [".devcontainer"],
    files: [
      ".vscode",
      ".vscode/tasks.json",
      ".vscode/launch.json",
      ".vscode/settings.json",
      ".vscode/mcp.json",
      ".idea/runConfigurations",
      ".devcontainer.json",
    ],
  },
];

const IN_USER_HOME: readonly Rule[] = [
  {
    reason: "shells, git or the desktop run what stands here",
    folders: [
      ".ssh",
      ".config/fish",
      ".config/git",
      ".config/autostart",
      ".config/systemd",
      ".config/environment.d",
      "Library/LaunchAgents",
    ],
    files: [
      ".bashrc",
      ".bash_profile",
      ".bash_login",
      ".bash_logout",
      ".profile",
      ".zshrc",
      ".zshenv",
      ".zprofile",
      ".zlogin",
      ".zlogout",
      ".gitconfig",
      ".inputrc",
    ],
  },
];

/** Why a write to `path` (absolute) needs a person, as the end of a sentence about it; undefined when it does not. */
export function reviewReason(path: string, context: ManagedFilesContext): string | undefined {
  const caseless = context.caseless ?? false;
  const spell = (text: string): string => caseless ? plainName(text) : text;
  const inside = (folder: string): boolean => isInside(spell(path), spell(folder));
  const { root } = context;
  const names = namesOf(root !== undefined && inside(root) ? spell(path).slice(spell(root).length) : spell(path));

  if (inside(context.home)) return "it lies in the Reasonix home, which holds settings, keys, trust and hooks";
  if (context.skillFolders?.some(inside)) return "it is part of a skill, which later sessions follow";
  const found = ANYWHERE.find((rule) => matchesAnywhere(rule, names, spell));
  if (found !== undefined) return found.reason;
  // A repository without a work tree, or a submodule's: the folder is named for what it is.
  const repository = names.findIndex((name) => name.endsWith(".git"));
  if (repository >= 0 && ["hooks", "config"].includes(names[repository + 1] ?? "")) return ANYWHERE[0]!.reason;
  const { userHome } = context;
  if (userHome === undefined || !inside(userHome)) return undefined;
  const below = namesOf(spell(path).slice(spell(userHome).length));
  return IN_USER_HOME.find((rule) => matchesAt(rule, below, spell))?.reason;
}

type Spell = (text: string) => string;

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function matchesAnywhere(rule: Rule, names: readonly string[], spell: Spell): boolean {
  if (rule.folders?.some((folder) => names.includes(spell(folder)))) return true;
  return rule.files?.some((file) => endsWith(names, spell(file).split("/"))) ?? false;
}

/** Rules for one folder: the names start right below it. */
function matchesAt(rule: Rule, names: readonly string[], spell: Spell): boolean {
  const path = names.join("/");
  if (rule.folders?.some((folder) => isInside(path, spell(folder)))) return true;
  return rule.files?.some((file) => path === spell(file)) ?? false;
}

function endsWith(names: readonly string[], tail: readonly string[]): boolean {
  return tail.length <= names.length && tail.every((name, i) => name === names[names.length - tail.length + i]);
}

/**
 * As file systems without letter case compare names. Some of them also ignore dots and blanks at the end, what follows
 * a colon, and invisible characters; `git~1` is the short form of `.git`.
 */
function plainName(path: string): string {
  return path.toLowerCase().split("/").map((name) => {
    const visible = name.replace(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");
    if (/^[a-z]:$/.test(visible)) return visible;
    const plain = visible.replace(/:.*$/, "").replace(/[. ]+$/, "");
    return plain === "git~1" ? ".git" : plain;
  }).join("/");
}

/** What Reasonix keeps below its home, or its state home, while it runs: no tool ever writes there, nor can it be granted. */
export function statePaths(home: string, stateHome: string = home): string[] {
  const state = ["projects", "sessions", "archive", "memory", "pending-writes"].map((name) => `${stateHome}/${name}`);
  const own = ["remote", "server", "cli-crash-reports"].map((name) => `${home}/${name}`);
  return [...state, ...own];
}
