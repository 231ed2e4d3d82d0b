/** Changing one server of a `.mcp.json` in place. Everything else of the file keeps its values and its order. */
import { ReasonixError } from "../../contract/errors.ts";
import { ownValue } from "../../lib/own_value.ts";
import { ChangeConflict, rewriteFile } from "../rewrite_file.ts";
import { define, isTable } from "../schema.ts";
import type { TomlValue } from "./toml_value.ts";

/** Fields to set by name; undefined removes one. */
export type ServerFields = Readonly<Record<string, TomlValue | undefined>>;

/** `fields` undefined removes the server. Answers whether the file was written. Throws as `editConfigFile` does. */
export async function editMcpJson(path: string, name: string, fields: ServerFields | undefined): Promise<boolean> {
  return await rewriteFile(path, (text) => {
    const json = parseObject(text, path);
    const servers = json["mcpServers"] ?? {};
    if (!isTable(servers)) throw new ChangeConflict("`mcpServers` is not an object");
    const server = ownValue(servers, name);
    const changed = fields === undefined ? without(servers, name) : withValue(servers, name, merged(server, fields));
    const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
    return JSON.stringify(withValue(json, "mcpServers", changed), null, indent) + (text.endsWith("\n") ? "\n" : "");
  });
}

function parseObject(text: string, path: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    if (isTable(json)) return json;
  } catch (cause) {
    throw new ReasonixError("config.syntax", `${path}: is not JSON (${(cause as Error).message.split("\n")[0]})`, {
      cause,
      place: { file: path },
      remedy: "Correct the file; nothing was changed.",
    });
  }
  throw new ChangeConflict("it is not a JSON object");
}

function merged(server: unknown, fields: ServerFields): Record<string, unknown> {
  let result = isTable(server) ? server : {};
  for (const [key, value] of Object.entries(fields)) {
    result = value === undefined ? without(result, key) : withValue(result, key, value);
  }
  return result;
}

function withValue(record: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  const copy = { ...record };
  define(copy, key, value);
  return copy;
}

function without(record: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
