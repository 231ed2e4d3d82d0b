/**
 * The host's first message of a conversation: what kind of machine this is. Made once per session and stored with it,
 * so it may differ between sessions but never within one. It holds no date and nothing else that would change the bytes
 * of two sessions on the same machine and workspace.
 */
import { ownBlock } from "../lib/own_block.ts";
import { showPath } from "../lib/shown_path.ts";

export interface SessionContextPorts {
  /** Such as `linux x86_64`. */
  readonly platform: string;
  readonly shell: string;
  readonly workspace: string;
  /** Which programs are there; asked for a fixed list. */
  which(program: string): Promise<string | undefined>;
  /** Saved notes that every session begins with; undefined where there are none. */
  background?(): Promise<string | undefined>;
}

export interface SessionContextSettings {
  /** False leaves the look at the machine out. */
  readonly enabled: boolean;
  /** States that there is no network. */
  readonly offline: boolean;
  /** Paths the user vouches for, by tool name. */
  readonly tools: Readonly<Record<string, string>>;
  /** Language of the reasoning people can see. */
  readonly reasoningLanguage?: "auto" | "zh" | "en";
}

/** Worth knowing before a command is tried. */
const PROGRAMS = [
  "git",
  "rg",
  "node",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "deno",
  "python3",
  "pip",
  "uv",
  "go",
  "cargo",
  "java",
  "mvn",
  "gcc",
  "make",
  "cmake",
  "docker",
  "gh",
  "jq",
  "curl",
];

export async function createSessionContext(
  ports: SessionContextPorts,
  settings: SessionContextSettings,
): Promise<string> {
  const lines = [`workspace: ${showPath(ports.workspace)}`];
  if (settings.enabled) {
    const found = await Promise.all(
      PROGRAMS.map(async (name) => await ports.which(name) === undefined ? undefined : name),
    );
    const present = found.filter((name) => name !== undefined);
    const missing = PROGRAMS.filter((name) => !present.includes(name) && settings.tools[name] === undefined);
    const given = Object.entries(settings.tools).map(([name, path]) => `${name} at ${path}`);
    lines.unshift(`os: ${ports.platform}`, `shell: ${ports.shell} (a fresh one for each command)`);
    lines.push(
      `programs found: ${[...present, ...given].join(", ") || "none"}`,
      `not found: ${missing.join(", ") || "none"}`,
    );
  }
  if (settings.offline) lines.push("network: none; do not try downloads or installs");
  if (settings.reasoningLanguage === "zh") lines.push("reasoning: think in Chinese");
  if (settings.reasoningLanguage === "en") lines.push("reasoning: think in English");
  const background = await ports.background?.();
  if (background !== undefined) lines.push(background);
  return ownBlock("session-context", lines.join("\n"), { version: "1" });
}
