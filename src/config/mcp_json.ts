/**
 * MCP servers declared in JSON by other programs: a project's `.mcp.json`, and the old user file. A mistake there
 * costs its server, never the run.
 */
import { showPath } from "../lib/shown_path.ts";
import { readEntry } from "./read_layer.ts";
import { isTable } from "./schema.ts";
import { PLUGINS } from "./keys/mcp_servers.ts";
import type { LayerValues } from "./read_layer.ts";

export interface DeclaredServers {
  /** As entries of `[[plugins]]` are read. */
  readonly servers: readonly LayerValues[];
  /** One line each. */
  readonly mistakes: readonly string[];
}

export function parseServers(text: string): DeclaredServers {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { servers: [], mistakes: [`is not JSON (${oneLine(error)}); its servers are ignored`] };
  }
  if (!isTable(json)) return { servers: [], mistakes: ["is not a JSON object; its servers are ignored"] };
  const declared = json["mcpServers"] ?? {};
  if (!isTable(declared)) return { servers: [], mistakes: ["`mcpServers` is not an object; its servers are ignored"] };
  const servers: LayerValues[] = [];
  const mistakes: string[] = [];
  for (const [name, entry] of Object.entries(declared)) {
    const said = `"${showPath(name)}"`;
    if (!isTable(entry)) {
      mistakes.push(`server ${said} is not an object; it is ignored`);
      continue;
    }
    const read = readEntry(PLUGINS.fields, { ...entry, name });
    const wrong = read.findings.find((finding) => finding.kind === "type" || finding.kind === "missing");
    if (wrong === undefined) servers.push(read.values);
    else if (wrong.kind === "type") {
      mistakes.push(
        `server ${said} is ignored: ${String(wrong.path.at(-1))} has ${wrong.found}, expected ${wrong.expected}`,
      );
    } else mistakes.push(`a server without a name is ignored`);
  }
  return { servers, mistakes };
}

function oneLine(error: unknown): string {
  return error instanceof Error ? error.message.split("\n")[0]! : String(error);
}
