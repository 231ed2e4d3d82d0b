/**
 * Every command of the program as data: name, flags, help, and the module that does the work, loaded when it is
 * asked for. Usage texts, completion and the pins of the tests read this table.
 */
import type { Flag, ParsedFlags } from "./flags.ts";
import type { Streams } from "./output/output.ts";

export interface CommandContext {
  readonly streams: Streams;
  readonly parsed: ParsedFlags;
  /** The line as typed, for commands that read it themselves. */
  readonly argv: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** What follows the name in the usage line. */
  readonly operands: string;
  readonly flags: readonly Flag[];
  /** One word more is a mistake. Absent: the command itself says what words it takes. */
  readonly mostWords?: number;
  /** Words that complete in first place. */
  readonly words?: readonly string[];
  readonly hidden?: boolean;
  /** It parses its line itself, to tell in its own form what does not fit. */
  readonly ownLine?: boolean;
  load(): Promise<{ run(context: CommandContext): Promise<number> }>;
}

/** First word behind `completion` when a shell asks what fits; the words of its line follow. */
export const COMPLETE = "__complete";

const MODEL: Flag = { name: "model", takes: "value", value: "NAME", help: "provider, model, or provider/model" };
export const DIR: Flag = { name: "dir", takes: "value", value: "PATH", help: "work in this folder" };
export const JSON_FLAG: Flag = { name: "json", takes: "nothing", help: "machine-readable output" };
const SESSIONS_DIR: Flag = { name: "dir", takes: "value", value: "PATH", help: "this folder of sessions" };

/** What the terminal UI and `run` take alike. */
export const SHARED_FLAGS: readonly Flag[] = [
  MODEL,
  {
    name: "preset",
    takes: "value",
    value: "NAME",
    choices: ["balanced", "delivery", "light", "economy"],
    help: "balanced, or delivery: carry each task to a checked end",
  },
  {
    name: "profile",
    takes: "value",
    value: "NAME",
    choices: ["balanced", "delivery", "economy"],
    help: "old name of --preset",
    hidden: true,
  },
  { name: "effort", takes: "value", value: "LEVEL", help: "reasoning effort for this session" },
  { name: "max-steps", takes: "value", value: "N", help: "limit of tool rounds; 0 none" },
  DIR,
  {
    name: "add-dir",
    takes: "value",
    value: "PATH",
    repeatable: true,
    help: "another folder that may be written; repeatable",
  },
  { name: "continue", short: "c", takes: "nothing", help: "go on with the newest session" },
  { name: "copy", takes: "nothing", help: "go on in a copy of the resumed session" },
  {
    name: "allowed-tools",
    aliases: ["allowedTools"],
    takes: "value",
    value: "RULES",
    repeatable: true,
    help: "allow rules for this session, such as 'Bash(npm test:*)'",
  },
  {
    name: "permission-mode",
    takes: "value",
    value: "MODE",
    help: "ask, auto, read-only, acceptEdits, dontAsk, plan, yolo",
  },
  {
    name: "yolo",
    aliases: ["dangerously-skip-permissions"],
    takes: "nothing",
    help: "skip ordinary permission prompts",
  },
];

export const RUN_FLAGS: readonly Flag[] = [
  ...SHARED_FLAGS,
  { name: "auto", short: "y", takes: "nothing", help: "the same as --permission-mode auto" },
  { name: "print", short: "p", takes: "nothing", help: "print the final answer only" },
  {
    name: "resume",
    short: "r",
    takes: "value",
    value: "REF",
    help: "go on with this session: id, path or part of its title",
  },
  { name: "takeover", takes: "nothing", help: "take the session from the program that holds it" },
  {
    name: "output-format",
    takes: "value",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    help: "text, json or stream-json",
  },
  { name: "events-jsonl", takes: "nothing", help: "redacted events, one JSON object a line" },
  { name: "json", takes: "nothing", help: "totals of the run as one JSON object" },
  { name: "fail-on-unverified", takes: "nothing", help: "exit 3 when the work was not verified" },
  { name: "show-thinking", takes: "nothing", help: "print the model's reasoning" },
  { name: "debug", takes: "nothing", help: "diagnostics on stderr" },
  { name: "metrics", takes: "value", value: "FILE", help: "write a JSON summary" },
  { name: "trajectory", takes: "value", value: "FILE", help: "append every event as a JSON line" },
  {
    name: "ablate",
    takes: "value",
    value: "LIST",
    help: "parts to leave out of a measured run; switches nothing off yet",
  },
];

/** Flags of the terminal UI. */
export const TUI_FLAGS: readonly Flag[] = [
  ...SHARED_FLAGS,
  {
    name: "resume",
    short: "r",
    takes: "optional",
    value: "QUERY",
    help: "go on with this session: id, path or part of its title; without one, choose",
  },
];

export const COMMANDS: readonly Command[] = [
  {
    name: "tui",
    summary: "work in the terminal; the same as no command at all",
    operands: "[flags]",
    flags: [...TUI_FLAGS, { name: "inline", takes: "nothing", help: "the default: write into the scrollback" }],
    load: () => import("./interactive.ts"),
  },
  {
    name: "run",
    summary: "do one task and leave",
    operands: "[flags] TASK…",
    flags: RUN_FLAGS,
    load: () => import("./run.ts"),
  },
  {
    name: "demo",
    summary: "watch a whole task offline: no network, no key",
    operands: "[--keep]",
    flags: [{ name: "keep", takes: "nothing", help: "leave the demo's folder in place" }],
    mostWords: 0,
    load: () => import("./demo.ts"),
  },
  {
    name: "setup",
    summary: "choose providers, keys and models",
    operands: "[--local | PATH]",
    flags: [{ name: "local", takes: "nothing", help: "write the project's file" }],
    load: () => import("./setup_command.ts"),
  },
  {
    name: "config",
    summary: "show the settings in force and change a few",
    operands: "show | path | compact-ratio | reasoning-language | currency | telemetry",
    flags: [DIR, JSON_FLAG, { name: "local", takes: "nothing", help: "write the project's file" }],
    words: ["show", "path", "compact-ratio", "reasoning-language", "currency", "telemetry"],
    load: () => import("./config_command.ts"),
  },
  {
    name: "doctor",
    summary: "check the installation and say what to mend",
    operands: "[sessions | capabilities] [--json] [--offline] [--live]",
    flags: [
      DIR,
      JSON_FLAG,
      { name: "offline", takes: "nothing", help: "send no request" },
      { name: "live", takes: "nothing", help: "start each MCP server once" },
      { name: "root", takes: "value", value: "PATH", help: "capabilities: of this folder" },
      { name: "timeout", takes: "value", value: "1s–60s", help: "capabilities --live: limit of one start; 5s" },
    ],
    words: ["sessions", "capabilities"],
    load: () => import("./doctor.ts"),
  },
  {
    name: "mcp",
    summary: "servers that bring tools: add, list, sign in, try",
    operands: "list | get | add | install | remove | enable | disable | retry | auth | update | import | browse",
    flags: [DIR, JSON_FLAG],
    words: [
      "list",
      "get",
      "add",
      "install",
      "remove",
      "enable",
      "disable",
      "retry",
      "auth",
      "update",
      "import",
      "browse",
    ],
    ownLine: true,
    load: () => import("./mcp/mcp_command.ts"),
  },
  {
    name: "trust",
    summary: "agree to what a folder would run, or take it back",
    operands: "[--dir PATH] [--revoke] [--yes] | --key NAME --origin ORIGIN [--revoke]",
    flags: [
      DIR,
      { name: "revoke", takes: "nothing", help: "take the answer back" },
      { name: "yes", takes: "nothing", help: "agree without being asked" },
      { name: "key", takes: "value", value: "NAME", help: "a saved key …" },
      { name: "origin", takes: "value", value: "ORIGIN", help: "… and the address of a project it may be sent to" },
    ],
    load: () => import("./trust.ts"),
  },
  {
    name: "hook",
    aliases: ["hooks"],
    summary: "hooks, for other programs",
    operands: "list | status --json [--project-root PATH] [--home-dir PATH]",
    flags: [
      DIR,
      JSON_FLAG,
      { name: "project-root", takes: "value", value: "PATH", help: "the folder whose hooks are meant" },
      { name: "home-dir", takes: "value", value: "PATH", help: "another Reasonix home" },
    ],
    words: ["list", "status"],
    load: () => import("./hook.ts"),
  },
  {
    name: "session",
    summary: "stored sessions, for other programs",
    operands: "list | show ID | status ID | recovery [ID] --json",
    flags: [JSON_FLAG, SESSIONS_DIR, {
      name: "project-root",
      takes: "value",
      value: "PATH",
      help: "sessions of this workspace",
    }],
    words: ["list", "show", "status", "recovery"],
    ownLine: true,
    load: () => import("./session_command.ts"),
  },
  {
    name: "sessions",
    summary: "look after stored sessions",
    operands: "reindex | diagnose | cleanup [--json]",
    flags: [SESSIONS_DIR, JSON_FLAG],
    words: ["reindex", "diagnose", "cleanup"],
    load: () => import("./sessions_command.ts"),
  },
  {
    name: "cache",
    summary: "what came from the endpoint's cache in a session, and why not more",
    operands: "SESSION [--json]",
    flags: [JSON_FLAG, SESSIONS_DIR, {
      name: "project-root",
      takes: "value",
      value: "PATH",
      help: "sessions of this workspace",
    }],
    load: () => import("./cache.ts"),
  },
  {
    name: "report",
    summary: "look at the reports of crashes",
    operands: "list | show [ID] | delete ID",
    flags: [],
    words: ["list", "show", "delete"],
    load: () => import("./report_command.ts"),
  },
  {
    name: "upgrade",
    aliases: ["update"],
    summary: "put the newest release in this program's place",
    operands: "[--check] [--force]",
    flags: [
      { name: "check", takes: "nothing", help: "only tell whether there is a newer release" },
      { name: "force", takes: "nothing", help: "install it even when it is not newer" },
      { name: "channel", takes: "value", help: "ignored: there is one kind of release", hidden: true },
    ],
    load: () => import("./upgrade_command.ts"),
  },
  {
    name: "version",
    summary: "print the version",
    operands: "[--verbose | --json]",
    flags: [{ name: "verbose", takes: "nothing", help: "how it was built" }, JSON_FLAG],
    mostWords: 0,
    load: () => import("./version.ts"),
  },
  {
    name: "completion",
    summary: "print a completion script",
    operands: "bash | zsh | fish",
    flags: [],
    words: ["bash", "zsh", "fish"],
    ownLine: true,
    load: () => import("./completion.ts"),
  },
  {
    name: "help",
    summary: "print this text, or that of one command",
    operands: "[COMMAND]",
    flags: [],
    mostWords: 1,
    load: () => import("./usage.ts"),
  },
  {
    // Named in assembly/build_workspace.ts, which starts it.
    name: "__sandbox-bridge",
    summary: "the inner end of the host filter",
    operands: "",
    flags: [],
    hidden: true,
    load: () => import("./sandbox_bridge.ts"),
  },
];

export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name || command.aliases?.includes(name));
}
