/** Changing MCP servers in the file their effective entry stands in; what a removal uncovers is the next lower entry. */
import type { PluginEntry } from "../config.ts";
import { isTable } from "../schema.ts";
import type { EditPath } from "./data_edit.ts";
import { editConfigFile, type EditOptions } from "./edit_config_file.ts";
import { editMcpJson, type ServerFields } from "./edit_mcp_json.ts";
import type { TomlValue } from "./toml_value.ts";

type Owned = Pick<PluginEntry, "name" | "source">;

/** Sets fields by their names in the file; undefined removes one. Throws as `editConfigFile` does. */
export async function changeServer({ name, source }: Owned, fields: ServerFields): Promise<void> {
  if (source.layer === "mcp_json") {
    await editMcpJson(source.file, name, fields);
    return;
  }
  await editConfigFile(source.file, (document) => {
    const entry = pathOf(document, name);
    return Object.entries(fields).map(([key, value]) =>
      value === undefined ? { remove: [...entry, key] } : { set: [...entry, key], value }
    );
  });
}

export async function removeServer({ name, source }: Owned): Promise<void> {
  if (source.layer === "mcp_json") await editMcpJson(source.file, name, undefined);
  else await editConfigFile(source.file, (document) => [{ remove: pathOf(document, name) }]);
}

/** Adds an entry to `[[plugins]]` of a TOML file, or replaces the one of that name there. */
export async function addServer(
  file: string,
  entry: { readonly name: string } & { readonly [key: string]: TomlValue },
  options: EditOptions = {},
): Promise<void> {
  await editConfigFile(file, (document) => {
    const path = pathOf(document, entry.name);
    const known = listAt(document, path.slice(0, -1)).some((item) => item["name"] === entry.name);
    return known ? [{ set: path, value: entry }] : [{ append: ["plugins"], value: entry }];
  }, options);
}

/** `[[mcp.servers]]` when it stands there, else `[[plugins]]`. */
function pathOf(document: Record<string, unknown>, name: string): EditPath {
  const other: EditPath = ["mcp", "servers"];
  const list = listAt(document, other).some((item) => item["name"] === name) ? other : ["plugins"];
  return [...list, { name }];
}

function listAt(document: Record<string, unknown>, path: EditPath): readonly Record<string, unknown>[] {
  let at: unknown = document;
  for (const step of path) at = isTable(at) && typeof step === "string" ? at[step] : undefined;
  return Array.isArray(at) ? at.filter(isTable) : [];
}
