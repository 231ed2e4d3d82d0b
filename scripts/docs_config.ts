/**
 * Writes what people read about settings from the one table of keys: the reference in docs/CONFIG.md (between its
 * marks) and reasonix.example.toml. `deno run -A scripts/docs_config.ts` writes both; a test compares them.
 */
import { parse } from "smol-toml";
import { keyToToml, type TomlValue, valueToToml } from "../src/config/edit/toml_value.ts";
import { MCP_SERVERS, PLUGINS } from "../src/config/keys/mcp_servers.ts";
import { ROOT } from "../src/config/keys/root.ts";
import type { AnyLeaf, Dictionary, Entries, Fields, Node, Scope, Table } from "../src/config/schema.ts";
import { SCAFFOLD } from "../src/config/scaffold.ts";

const DOCUMENT = new URL("../docs/CONFIG.md", import.meta.url);
const EXAMPLE = new URL("../reasonix.example.toml", import.meta.url);

/** Values shown where the default is "not set" or says little. */
const SHOWN: Readonly<Record<string, TomlValue>> = {
  "agent.keep": ["errors", "user_marked"],
  "agent.subagent_models": { review: "deepseek/deepseek-v4-pro", security_review: "deepseek/deepseek-v4-pro" },
  "agent.subagent_efforts": { review: "max", security_review: "high" },
  "agent.plan_mode_read_only_commands": ["gh issue view"],
  "permissions.deny": ["Bash(rm -rf*)", "Bash(git push:*)"],
  "permissions.allow": ["Bash(go test:*)", "Bash(git status:*)"],
  "sandbox.forbid_read": ["${HOME}/.ssh"],
  "sandbox.allow_write": ["/tmp"],
  "tools.shell.env": { BASH_ENV: "/home/me/.bashenv" },
  "tools.system_one.laya": {},
  "environment.tools": { go: "/opt/go/bin/go" },
  "lsp.servers": { go: { command: "gopls", args: [], extensions: [".go"] } },
  "skills.paths": ["~/my-skills", "../shared/skills"],
  "skills.excluded_paths": ["~/.agents/skills"],
  "skills.disabled_skills": ["review"],
  "cli.diff_formatter": ["delta"],
  "network.no_proxy": ["localhost", "127.0.0.1"],
  "desktop.provider_access": ["deepseek"],
  "desktop.language": "zh",
  "desktop.currency": "CNY",
  storage: {},
  "providers.name": "local",
  "providers.display_name": "Local gateway",
  "providers.base_url": "http://127.0.0.1:11434/v1",
  "providers.request_url": "http://127.0.0.1:11434/v1/chat/completions",
  "providers.chat_url": "http://127.0.0.1:11434/v1/chat/completions",
  "providers.models_url": "http://127.0.0.1:11434/v1/models",
  "providers.model": "coder",
  "providers.models": ["coder", "coder-large"],
  "providers.default": "coder",
  "providers.api_key_env": "LOCAL_API_KEY",
  "providers.headers": { "X-Team": "tools" },
  "providers.extra_body": { top_p: 0.9 },
  "providers.price.input": 0.2,
  "providers.price.output": 0.4,
  "providers.price.cache_hit": 0.02,
  "providers.price.cache_write": 1.25,
  "providers.price.currency": "USD",
  "providers.prices.*.input": 0.2,
  "providers.prices.*.output": 0.4,
  "providers.prices.*.cache_write": 1.25,
  "providers.prices.*.cache_hit": 0.02,
  "providers.prices.*.currency": "USD",
  "providers.billing_currency": "USD",
  "providers.balance_url": "http://127.0.0.1:11434/v1/balance",
  "providers.thinking": "enabled",
  "providers.effort": "high",
  "providers.supported_efforts": ["low", "high"],
  "providers.default_effort": "low",
  "providers.vision_models": ["coder-large"],
  "providers.vision_detail": "high",
  "providers.responses_stateful": false,
  "providers.model_overrides.*.context_window": 1_000_000,
  "providers.model_overrides.*.max_output_tokens": 32_768,
  "providers.model_overrides.*.reasoning_protocol": "openai",
  "providers.model_overrides.*.supported_efforts": ["low", "high"],
  "providers.model_overrides.*.default_effort": "low",
  "providers.model_overrides.*.vision": true,
  "providers.preset_id": "local",
  "providers.preset_version": 1,
  "plugins.name": "example",
  "plugins.command": "reasonix-plugin-example",
  "plugins.env": { FOO: "bar" },
  "plugins.dir": ".",
  "plugins.url": "https://mcp.example.com",
  "plugins.headers": { Authorization: "Bearer ${EXAMPLE_TOKEN}" },
  "plugins.tool_timeout_seconds": { generate_video: 1800 },
  "plugins.concurrency": "parallel",
  "plugins.oauth": {},
  "mcp.servers.name": "other",
  "tools.mcp_load.*": "always",
  "tools.system_one.api_key_env": "SYSTEM_ONE_API_KEY",
  "tools.system_one.model": "small",
  "tools.system_one.base_url": "http://127.0.0.1:9000/v1",
  "ui.shortcut_layout": "classic",
  "ui.commandmode": "vi",
  "serve.share_port": 8788,
  "remote.hosts.name": "box",
  "remote.hosts.host": "box.example.com",
  "remote.hosts.user": "me",
  "remote.hosts.identity_file": "~/.ssh/id_ed25519",
  "remote.hosts.workspace": "/home/me/project",
  "remote.hosts.passphrase_env": "BOX_PASSPHRASE",
  "remote.hosts.password_env": "BOX_PASSWORD",
  "remote.hosts.jump": "gate",
  "remote.hosts.forwards.bind": "127.0.0.1:8080",
  "remote.hosts.forwards.target": "127.0.0.1:80",
};

/** Names that stand for those a person chooses. */
const NAMED: Readonly<Record<string, string>> = {
  "providers.prices": "coder",
  "providers.model_overrides": "coder",
  "tools.mcp_load": "example",
};

export function renderExample(): string {
  const lines = [
    "# Every setting of Reasonix. A line that begins with # and no blank shows a setting with its default, or with a",
    "# value as an example; take the # away to use it. The user's file is ~/.reasonix/config.toml (Windows:",
    "# %AppData%\\reasonix\\config.toml); a project's is ./reasonix.toml. docs/CONFIG.md explains the rest.",
    "",
  ];
  const scaffold = parse(SCAFFOLD);
  for (const [key, node] of Object.entries(ROOT.fields)) {
    if (isSetting(node)) {
      lines.push(...settingLines(key, node, key, key in scaffold ? scaffold[key] as TomlValue : undefined));
    }
  }
  lines.push("", ...SCAFFOLD.slice(SCAFFOLD.indexOf("[[providers]]")).trimEnd().split("\n"));
  for (const [key, node] of Object.entries(ROOT.fields)) {
    if (!isSetting(node)) lines.push(...sectionLines(node, [key], key));
  }
  return `${lines.join("\n")}\n`;
}

type Section = Table<Fields> | Entries<Fields> | Dictionary<AnyLeaf | Table<Fields>>;

function isSetting(node: Node): node is AnyLeaf {
  return node.node === "leaf" || node.node === "unused";
}

function sectionLines(node: Node, path: readonly string[], id: string): string[] {
  if (node.node === "dictionary" && node.of.node === "leaf") {
    const leaf = node.of;
    return [
      "",
      `# ${node.meaning}${restriction(node)}`,
      `#[${dotted(path)}]`,
      ...settingLines(NAMED[id]!, leaf, `${id}.*`),
    ];
  }
  const { fields, header, childPath, childId } = openSection(node as Section, path, id);
  const inside = Object.entries(fields).filter(([key]) => !isPluginsAgain(fields, id) || key === "name");
  const settings = inside.filter(([, child]) => isSetting(child));
  const sections = inside.filter(([, child]) => !isSetting(child));
  const lines = settings.flatMap(([key, child]) => settingLines(key, child as AnyLeaf, `${childId}.${key}`));
  const above = [`# ${node.meaning}${restriction(node)}`];
  return [
    ...(lines.length === 0 && node.node === "table" ? [] : ["", ...above, header, ...lines]),
    ...sections.flatMap(([key, child]) => sectionLines(child, [...childPath, key], `${childId}.${key}`)),
  ];
}

/** `[[mcp.servers]]` has the keys of `[[plugins]]`: said once. */
function isPluginsAgain(fields: Fields, id: string): boolean {
  return fields === PLUGINS.fields && id !== "plugins";
}

function openSection(node: Section, path: readonly string[], id: string) {
  if (node.node === "dictionary") {
    const childPath = [...path, NAMED[id]!];
    const fields = (node.of as Table<Fields>).fields;
    return { fields, header: `#[${dotted(childPath)}]`, childPath, childId: `${id}.*` };
  }
  const header = node.node === "entries" ? `#[[${dotted(path)}]]` : `#[${dotted(path)}]`;
  return { fields: node.fields, header, childPath: path, childId: id };
}

function settingLines(key: string, leaf: AnyLeaf | Node, id: string, set?: TomlValue): string[] {
  if (leaf.node !== "leaf") return [];
  const only = restriction(leaf);
  const value = set ?? SHOWN[id] ?? leaf.fallback;
  if (value === undefined) throw new Error(`reasonix.example.toml needs a value for ${id}`);
  return [`# ${leaf.meaning}${only}`, `${set === undefined ? "#" : ""}${keyToToml(key)} = ${valueToToml(value)}`];
}

/** What people should know before they set it. */
function restriction(node: Node): string {
  return (node.scope === "user" ? " Only in the user's file." : "") + (node.notYet ? " Without effect so far." : "");
}

function dotted(path: readonly string[]): string {
  return path.map(keyToToml).join(".");
}

export function renderReference(): string {
  const top = Object.entries(ROOT.fields).filter(([, node]) => isSetting(node));
  const lines = ["### Top level", "", ...tableLines(top)];
  for (const [key, node] of Object.entries(ROOT.fields)) {
    if (!isSetting(node)) lines.push(...referenceOf(node as Section, key));
  }
  return lines.join("\n");
}

function referenceOf(node: Section, path: string): string[] {
  const title = node.node === "entries" ? `[[${path}]]` : `[${path}]`;
  if (path === "mcp") return ["", "### `[[mcp.servers]]`", "", MCP_SERVERS.meaning];
  const rows = node.node === "dictionary" ? [[`<name>`, node.of] as [string, Node]] : Object.entries(node.fields);
  return [
    "",
    `### \`${title}\``,
    "",
    node.meaning + restriction(node),
    "",
    ...tableLines(rows.flatMap(flattened), node),
  ];
}

/** Tables inside tables as rows of their own: `shell.prefer`. */
function flattened([key, node]: [string, Node]): [string, Node][] {
  switch (node.node) {
    case "table":
      return Object.entries(node.fields).flatMap(flattened).map(([inner, child]) => [
        `${key}.${inner}`,
        node.notYet ? { ...child, notYet: node.notYet } : child,
      ]);
    case "entries":
      return Object.entries(node.fields).flatMap(flattened).map(([inner, child]) => [`${key}[].${inner}`, child]);
    case "dictionary":
      return flattened(["<name>", node.of]).map(([inner, child]) => [`${key}.${inner}`, child]);
    default:
      return [[key, node]];
  }
}

const WHO: Readonly<Record<Scope, string>> = { any: "", user: "user", inert: "no effect", retired: "retired" };

/** What holds for the whole section is not said again in each row. */
function tableLines(rows: readonly [string, Node][], section?: Section): string[] {
  const cells = rows.map(([key, node]) => {
    const [takes, fallback] = node.node === "leaf" ? [takesOf(node), defaultOf(node)] : ["", ""];
    return [`\`${key}\``, takes, fallback, noteOf(node, section), cell(node.meaning)];
  });
  return aligned([["Key", "Takes", "Default", "Note", "Meaning"], ...cells]);
}

/** Columns of equal width, as `deno fmt` wants them. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = rows.map(line);
  return [head!, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body];
}

function noteOf(node: Node, section?: Section): string {
  const who = node.node === "leaf" && node.loosens ? "trust" : WHO[node.scope ?? "any"];
  const notes = [section?.scope === "user" ? "" : who, node.notYet && !section?.notYet ? "not yet" : ""];
  return notes.filter((note) => note !== "").join(", ");
}

function takesOf(leaf: AnyLeaf): string {
  return cell((leaf.takes ?? leaf.expected).replace(/^one of /, "").replace(/"([^"]*)"/g, "`$1`"));
}

function defaultOf(leaf: AnyLeaf): string {
  if (leaf.required) return "required";
  if (leaf.shown !== undefined) return `\`${cell(leaf.shown)}\``;
  if (leaf.fallback === undefined || leaf.fallback === "") return "";
  return `\`${cell(valueToToml(leaf.fallback))}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

const OPEN = "<!-- written by scripts/docs_config.ts -->";
const CLOSE = "<!-- end -->";

/** The document with its reference renewed. Throws when its marks are gone. */
export function renderDocument(document: string): string {
  const [start, end] = [document.indexOf(OPEN), document.indexOf(CLOSE)];
  if (start < 0 || end < start) throw new Error("docs/CONFIG.md has lost the marks around its reference");
  return `${document.slice(0, start + OPEN.length)}\n\n${renderReference()}\n\n${document.slice(end)}`;
}

if (import.meta.main) {
  Deno.writeTextFileSync(EXAMPLE, renderExample());
  Deno.writeTextFileSync(DOCUMENT, renderDocument(Deno.readTextFileSync(DOCUMENT)));
}
