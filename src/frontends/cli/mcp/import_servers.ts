/**
 * `mcp import [NAME…] [--yes]`: servers that other programs on this machine know, copied into the user's settings. Names
 * that are taken stay as they are.
 */
import { addServer } from "../../../config/mod.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { join } from "../../../lib/path.ts";
import { readPlainText } from "../../../lib/reach.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import { EXIT } from "../exit_codes.ts";
import { somebodyThere, yesOrNo } from "../terminal_input.ts";
import type { McpCall } from "./mcp_command.ts";

interface Found {
  readonly name: string;
  readonly from: string;
  readonly entry: Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;
}

/** Files of other programs: below the home or the workspace, and the key their servers stand under. */
const PLACES = [
  { at: "home", file: ".claude.json", key: "mcpServers" },
  { at: "home", file: "Library/Application Support/Claude/claude_desktop_config.json", key: "mcpServers" },
  { at: "home", file: ".config/Claude/claude_desktop_config.json", key: "mcpServers" },
  { at: "home", file: ".cursor/mcp.json", key: "mcpServers" },
  { at: "home", file: ".gemini/settings.json", key: "mcpServers" },
  { at: "home", file: ".qwen/settings.json", key: "mcpServers" },
  { at: "workspace", file: ".cursor/mcp.json", key: "mcpServers" },
  { at: "workspace", file: ".vscode/mcp.json", key: "servers" },
] as const;

/** Other programs keep much else beside their servers. Bytes. */
const LARGEST = 64 * 1024 * 1024;

export async function importServers({ streams, parsed, project }: McpCall): Promise<number> {
  const { paths, root, loaded } = project;
  const taken = new Set(loaded.config.plugins.map((plugin) => plugin.name));
  const found: Found[] = [];
  for (const { at, file, key } of PLACES) {
    const path = join(at === "home" ? paths.osHome : root, file);
    for (const one of await serversIn(path, key)) {
      if (taken.has(one.name)) streams.err.line(`! "${toLine(one.name)}" of ${toLine(path)} is known already`);
      else if (!found.some(({ name }) => name === one.name)) found.push(one);
    }
  }
  const wanted = parsed.words.length === 0 ? found : found.filter(({ name }) => parsed.words.includes(name));
  const unknown = parsed.words.filter((word) => !found.some(({ name }) => name === word));
  for (const word of unknown) streams.err.line(`! no new server named "${toLine(word)}" was found`);
  if (wanted.length === 0) {
    streams.err.line("Nothing to import.");
    return unknown.length > 0 ? EXIT.failure : EXIT.success;
  }
  for (const { name, from, entry } of wanted) {
    const target = entry.url ?? [entry.command, ...(entry.args as readonly string[] | undefined ?? [])].join(" ");
    streams.out.line(toTerminal(`${toLine(name, 60)}: ${toLine(String(target), 120)} (${from})`));
  }
  const yes = parsed.values.has("yes") || (somebodyThere() && await yesOrNo("Copy into your settings?", streams));
  if (!yes) {
    if (!somebodyThere()) streams.err.line("Nothing was copied; --yes copies them.");
    return EXIT.success;
  }
  for (const { name, entry } of wanted) await addServer(loaded.userConfig, { name, ...entry }, { mode: 0o600 });
  streams.out.line(toTerminal(`copied ${wanted.length} to ${loaded.userConfig}`));
  return EXIT.success;
}

async function serversIn(path: string, key: string): Promise<Found[]> {
  const text = await readPlainText(path, LARGEST);
  const json = typeof text === "string" ? parseJson(text) : undefined;
  const servers = isRecord(json) && isRecord(json[key]) ? json[key] : {};
  return Object.entries(servers).flatMap(([name, value]) => {
    if (!isRecord(value)) return [];
    const entry = toEntry(value);
    return entry === undefined ? [] : [{ name, from: path, entry }];
  });
}

/** The fields both sides know; what cannot be started or reached is passed over. */
function toEntry(value: Record<string, unknown>): Found["entry"] | undefined {
  const { command, args, env, url, httpUrl, headers, type } = value;
  if (typeof command === "string" && command !== "") {
    return {
      command,
      ...(Array.isArray(args) && args.length > 0 ? { args: args.map(String) } : {}),
      ...(isRecord(env) && Object.keys(env).length > 0 ? { env: texts(env) } : {}),
    };
  }
  const address = typeof httpUrl === "string" ? httpUrl : url;
  if (typeof address !== "string" || address === "") return undefined;
  return {
    type: type === "sse" ? "sse" : "http",
    url: address,
    ...(isRecord(headers) && Object.keys(headers).length > 0 ? { headers: texts(headers) } : {}),
  };
}

function texts(table: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, String(value)]));
}
