/** MCP servers as text and as JSON. Values of variables and headers are never shown: they may be secrets. */
import type { PluginEntry } from "../../../config/mod.ts";
import type { ServerView } from "../../../contract/servers.ts";
import { clip } from "../../../lib/clip.ts";
import { toLine } from "../../../lib/terminal_text.ts";

export interface Shown {
  readonly plugin: PluginEntry;
  readonly standing: {
    readonly tools?: readonly { readonly name: string; readonly readOnly: boolean; readonly description: string }[];
    readonly signIn: string;
    readonly problem?: string;
    readonly notes: readonly string[];
  };
  /** Held back until its folder is trusted. */
  readonly held?: boolean;
}

export function toServerJson({ plugin, standing, held }: Shown): Record<string, unknown> {
  const { name, type, command, args, env, url, headers, source, concurrency } = plugin;
  return {
    name,
    type,
    ...(type === "stdio"
      ? { command, args: args.map(withoutSecrets), env: Object.keys(env) }
      : { url: withoutSecrets(url), headers: Object.keys(headers) }),
    source: source.layer,
    source_path: source.file,
    enabled: plugin.enabled,
    auto_start: plugin.autoStart,
    required: plugin.required,
    concurrency,
    state: stateOf({ plugin, standing, held }),
    sign_in: standing.signIn,
    ...(standing.tools ? { tools: standing.tools.map((tool) => tool.name) } : {}),
    ...(standing.problem ? { problem: standing.problem } : {}),
    notes: standing.notes,
  };
}

export function stateOf({ plugin, standing, held }: Shown): string {
  if (held) return "held_back";
  if (!plugin.enabled) return "disabled";
  return standing.problem === undefined ? "enabled" : "unusable";
}

/** One line of the list. */
export function listLine(shown: Shown): string {
  const { plugin, standing } = shown;
  const target = plugin.type === "stdio"
    ? [plugin.command, ...plugin.args.map(withoutSecrets)].join(" ")
    : withoutSecrets(plugin.url);
  const known = standing.tools === undefined ? "" : `, ${standing.tools.length} tools`;
  const state = stateOf(shown).replaceAll("_", " ");
  const sign = standing.signIn === "signed_in" ? ", signed in" : standing.signIn === "ended" ? ", sign-in ended" : "";
  return `${toLine(plugin.name, 60)}: ${toLine(target, 120)} (${plugin.type}, ${
    layerName(plugin)
  }) ${state}${known}${sign}`;
}

export function serverText(shown: Shown): string {
  const { plugin, standing } = shown;
  const { type, command, args, env, url, headers, source } = plugin;
  const rows: (readonly [string, string])[] = [
    ["name", plugin.name],
    ["type", type],
    ...(type === "stdio"
      ? [["command", [command, ...args.map(withoutSecrets)].join(" ")], ["env", Object.keys(env).join(", ")]] as const
      : [["url", withoutSecrets(url)], ["headers", Object.keys(headers).join(", ")]] as const),
    ["source", `${source.file} (${layerName(plugin)})`],
    ["state", [stateOf(shown).replaceAll("_", " "), standing.problem ?? ""].filter((part) => part !== "").join(": ")],
    ["sign-in", type === "stdio" ? "" : standing.signIn.replaceAll("_", " ")],
    ["calls", plugin.concurrency],
    [
      "tools",
      standing.tools?.map(({ name, readOnly }) => readOnly ? `${name} (read-only)` : name).join(", ") ??
        "not known yet",
    ],
    ...standing.notes.map((note) => ["note", note] as const),
  ];
  return rows.filter(([, value]) => value !== "").map(([key, value]) =>
    `${`${key}:`.padEnd(9)} ${toLine(value, 2_000)}`
  ).join("\n");
}

export function liveLines(view: ServerView): string[] {
  const took = view.startMs === undefined ? "" : ` in ${(view.startMs / 1000).toFixed(1)} s`;
  const state = view.state.replaceAll("_", " ");
  const stage = view.stage === undefined ? "" : ` at ${view.stage}`;
  const counts = view.state === "ready"
    ? `: ${view.tools} tools, ${view.prompts} prompts, ${view.resources} resources`
    : "";
  return [
    `${toLine(view.name, 60)} ${state}${stage}${took}${counts}${view.reason ? `: ${toLine(view.reason, 500)}` : ""}`,
    ...view.problems.map((problem) => `  ! ${toLine(problem, 300)}`),
  ];
}

function layerName({ source }: PluginEntry): string {
  const names: Record<string, string> = {
    project: "project",
    mcp_json: ".mcp.json",
    user: "user",
    legacy: "old settings",
  };
  return names[source.layer] ?? source.layer;
}

/** Characters of an argument that are shown, and looked through for keys. */
const LONGEST = 2_000;

/** An argument or an address may carry a key in plain sight. */
function withoutSecrets(text: string): string {
  return clip(text, LONGEST).replace(/(\/\/)[^\s/@]+@/, "$1")
    .replace(/([?&;][^=&\s]*(?:key|token|secret|passw|auth)[^=&\s]*=)[^&\s]+/gi, "$1…")
    .replace(/^(--?[\w-]*(?:key|token|secret|passw|auth)[\w-]*=).+$/i, "$1…")
    .replace(/\b(?:sk|pk|ghp|gho|xox[bp])[-_][A-Za-z0-9_-]{8,}/g, "…");
}
