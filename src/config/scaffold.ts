/** What `reasonix setup` writes for somebody who starts: one provider that works once its key is there. */
import { editConfigFile, type EditOptions } from "./edit/edit_config_file.ts";
import { parseDocument } from "./parse_document.ts";
import { rewriteFile } from "./rewrite_file.ts";

export const SCAFFOLD =
  `# Settings of Reasonix. Every key is explained in docs/CONFIG.md; keys of providers lie in .env beside the user config.

default_model = "deepseek"

[[providers]]
name = "deepseek"
kind = "anthropic"
base_url = "https://api.deepseek.com/anthropic"
models = ["deepseek-flash", "deepseek-v4-pro"]
default = "deepseek-flash"
api_key_env = "DEEPSEEK_API_KEY"
web_search = true
context_window = 1000000
`;

/** Name of the key that the scaffold's provider needs. */
export const SCAFFOLD_KEY = "DEEPSEEK_API_KEY";

/**
 * Writes the scaffold into a file that is missing or empty; adds its provider to one that has none. `kept`: the file
 * has providers already and was left alone. Throws as `editConfigFile` does.
 */
export async function writeScaffold(path: string, options: EditOptions = {}): Promise<"written" | "added" | "kept"> {
  const wrote = await rewriteFile(path, (text) => text.trim() === "" ? SCAFFOLD : text, options);
  if (wrote) return "written";
  const parsed = await parseDocument(await Deno.readTextFile(path), path);
  if ("document" in parsed && Array.isArray(parsed.document["providers"]) && parsed.document["providers"].length > 0) {
    return "kept";
  }
  const scaffold = await parseDocument(SCAFFOLD, "scaffold");
  if (!("document" in scaffold)) throw scaffold.problem;
  const [provider] = scaffold.document["providers"] as [Record<string, string>];
  const named = "document" in parsed && parsed.document["default_model"] !== undefined;
  await editConfigFile(path, [
    { append: ["providers"], value: provider },
    ...(named ? [] : [{ set: ["default_model"], value: "deepseek" } as const]),
  ], options);
  return "added";
}
