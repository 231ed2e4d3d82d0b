/** `[tools]`, `[skills]`, `[lsp]`, `[browser]`, `[environment]`: what the model can use. */
import { normalize } from "../../lib/path.ts";
import { anyTable, choice, dictionary, flag, list, maybeText, notYet, table, text, textMap, whole } from "../schema.ts";
import { addsTo, forbidding, turnsOff, turnsOn } from "./loosening.ts";

/** A program a folder names would run before anyone agreed to it. */
const runsProgram = {
  loosens: (project: string | undefined, below: string | undefined) => (project ?? "") !== (below ?? ""),
};
const runsPrograms = {
  loosens: (project: Readonly<Record<string, unknown>>) => Object.keys(project).length > 0,
};

export const TOOLS = table("Tools of the model.", {
  enabled: list([], "Built-in tools to offer. Empty: all.", {
    loosens: (project, below) => below.length > 0 && (project.length === 0 || addsTo(project, below)),
    untrusted: (project, below) => {
      const shared = project.filter((name) => below.includes(name));
      // An empty list would be all of them.
      return shared.length === 0 ? below : shared;
    },
  }),
  bash_timeout_seconds: whole(120, "Limit of a command in the foreground. 0: none.", { min: 0, outside: "default" }),
  protect_changed_files: flag(true, "Refuse to replace a file that changed since the agent last saw it.", turnsOff),
  browser_tools: notYet(flag(true, "Offer browser tools; a browser starts at first use.")),
  direct_mcp_schema_tokens: whole(8000, "Size of MCP tool descriptions beyond which servers are called indirectly.", {
    min: 0,
  }),
  mcp_startup_timeout_seconds: whole(30, "Limit of an MCP server's launch and listing.", {
    min: 1,
    outside: "default",
  }),
  mcp_call_timeout_seconds: whole(300, "Limit of one MCP call.", { min: 1, outside: "default" }),
  mcp_load: dictionary(
    "Whether a server's tools are offered directly, by server name.",
    choice(["always", "deferred"], "always", "`always`, or `deferred`: found through `use_capability`."),
  ),
  background_jobs: table("Commands in the background.", {
    stalled_warning_seconds: whole(900, "Silence after which a job is called stalled. 0: never.", {
      min: 0,
      max: 86_400,
    }),
  }),
  search: table("Searching files.", {
    engine: choice(["auto", "native", "rg"], "auto", "`rg` where installed, else the built-in search."),
    rg_path: text("auto", "Path of `rg`.", runsProgram),
  }),
  shell: table("The shell behind the `bash` tool.", {
    prefer: choice(["auto", "bash", "powershell", "pwsh"], "auto", "Which shell."),
    path: text("auto", "Path of the shell.", runsProgram),
    env: textMap("Variables set for every command. Never taken from a project.", { scope: "user", secret: true }),
  }),
  system_one: notYet(table("Optional backend for quick decisions. Off without `model`.", {
    api_key_env: maybeText("Name of the key in `<home>/.env`.", runsProgram),
    model: maybeText("Model id."),
    base_url: maybeText("Address of the API.", runsProgram),
    laya: anyTable("Settings of the laya backend.", { secret: true }),
  })),
});

/** A folder that leads a repository's reader out of it, or may: `~`, a variable, an absolute path, `..`. */
const leadsOut = (path: string) => /^[~/]|^[A-Za-z]:|\\|\$\{/.test(path.trim()) || normalize(path).startsWith("..");

export const SKILLS = table("Skills: instructions loaded on demand.", {
  paths: list([], "More folders with skills. Those a project names outside of itself wait for trust.", {
    loosens: (project, below) => project.some((path) => leadsOut(path) && !below.includes(path)),
    untrusted: (project, below) => project.filter((path) => !leadsOut(path) || below.includes(path)),
  }),
  excluded_paths: list([], "Folders not to look into; nothing is deleted.", forbidding),
  disabled_skills: list([], "Skills hidden from prompt, slash commands and tools.", forbidding),
  disable_implicit_invocation: flag(false, "The model uses a skill only when told to.", turnsOff),
  suppress_warnings: flag(
    false,
    "No warnings about skills that do not load; `doctor` still reports them.",
    turnsOn,
  ),
  max_depth: whole(3, "How deep skill folders are searched.", { min: 1, max: 5 }),
});

export const LSP = table("Language servers.", {
  enabled: flag(true, "Use language servers."),
  servers: anyTable("By language: `{ command, args, extensions }`.", runsPrograms),
});

export const BROWSER = table("The browser behind `browser_*` tools.", {
  executable: text("", "Path of the browser. Empty: the one found.", runsProgram),
  headless: flag(true, "Run without a window."),
});

export const ENVIRONMENT = table("What the model is told about the machine.", {
  enabled: flag(true, "Tell system, shell and versions of common programs at the start."),
  offline: flag(false, "Tell the model that there is no network."),
  tools: textMap("Absolute paths of programs to mention, by name. Those inside the workspace are never started.", {
    loosens: (project) => Object.keys(project).length > 0,
    untrusted: (_project, below) => below,
  }),
});
