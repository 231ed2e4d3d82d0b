/** One sentence each about what a project's files asked for and did not get. */
import { shellQuote } from "../lib/shell_quote.ts";
import { showPath } from "../lib/shown_path.ts";
import type { PluginEntry } from "./config.ts";
import type { ConfigNotice } from "./findings.ts";

export function untrustedNotice(file: string, workspace: string, keys: readonly string[]): ConfigNotice {
  return {
    level: "warning",
    code: "config.untrusted",
    text: `${file}: ignored until this folder is trusted (${trustCommand(workspace)}): ${keys.join(", ")}`,
    place: { file },
  };
}

export function heldServersNotice(workspace: string, servers: readonly PluginEntry[]): ConfigNotice {
  const names = servers.map((server) => showPath(server.name)).join(", ");
  return {
    level: "warning",
    code: "config.untrusted",
    text: `MCP servers of this folder wait until it is trusted (${trustCommand(workspace)}): ${names}`,
  };
}

export function shadowedNotice(file: string, names: readonly string[]): ConfigNotice {
  return {
    level: "warning",
    code: "config.shadowed_provider",
    text: `${file}: ignored, because you have providers of the same name: ${names.map(showPath).join(", ")}`,
    place: { file },
  };
}

/** As it can be pasted into a shell. */
export function trustCommand(folder: string): string {
  return `reasonix trust --dir ${showPath(shellQuote(folder))}`;
}
