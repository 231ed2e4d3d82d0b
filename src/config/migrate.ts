/**
 * Bringing settings of older versions along, once: files are copied and never deleted, what is already there wins, and
 * a marker in the home remembers each step. Not done under `REASONIX_HOME`, nor by commands that only look.
 */
import { ReasonixError } from "../contract/errors.ts";
import { isThere } from "../lib/at_path.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import { join } from "../lib/path.ts";
import { editConfigFile } from "./edit/edit_config_file.ts";
import type { ConfigEdit } from "./edit/data_edit.ts";
import type { ConfigNotice } from "./findings.ts";
import { readLegacyJson } from "./legacy_json.ts";
import { legacyKeys } from "./legacy_keys.ts";
import { saveKeys } from "./key_store.ts";
import { parseEnv } from "./env_file.ts";
import { type Document, parseDocument } from "./parse_document.ts";
import type { PathOptions, ReasonixPaths } from "./paths.ts";
import { readDocument } from "./read_document.ts";
import { rewriteFile } from "./rewrite_file.ts";
import { isTable } from "./schema.ts";
import { readSourceFile } from "./source_file.ts";
import { upgradedDeepSeek } from "./upgrade_deepseek.ts";

export interface MigrationOptions {
  readonly paths: ReasonixPaths;
  readonly os: PathOptions["os"];
  /** Do every step again, as `/migrate` does. */
  readonly again?: boolean;
}

type Step = "config_file" | "keys" | "servers" | "retired_keys" | "deepseek_endpoint";

/** In this order, before the first load. A step that fails is told and tried again at the next start; the run goes on. */
export async function migrateConfig(options: MigrationOptions): Promise<readonly ConfigNotice[]> {
  const { paths } = options;
  if (paths.isolated) return [];
  const marker = join(paths.home, "migrations.json");
  const done = options.again ? new Set<string>() : await readMarker(marker);
  const pending = STEPS.filter(({ step }) => !done.has(step));
  if (pending.length === 0) return [];

  const notices: ConfigNotice[] = [];
  for (const { step, run } of pending) {
    try {
      notices.push(
        ...(await run(options)).map((text) => ({ level: "info" as const, code: "config.migrated" as const, text })),
      );
      done.add(step);
    } catch (error) {
      // A file that is malformed is reported by the load that follows.
      if (!(error instanceof ReasonixError)) throw error;
      if (error.code === "config.write_failed") {
        notices.push({
          level: "warning",
          code: "config.migrated",
          text: `not brought along (${step}): ${error.message}`,
        });
      }
    }
  }
  if (notices.length > 0 || isThere(paths.home)) await writeMarker(marker, done);
  return notices;
}

const STEPS: readonly { readonly step: Step; readonly run: (options: MigrationOptions) => Promise<string[]> }[] = [
  { step: "config_file", run: copyConfigFile },
  { step: "keys", run: copyKeys },
  { step: "servers", run: copyServers },
  { step: "retired_keys", run: dropRetiredKeys },
  { step: "deepseek_endpoint", run: upgradeDeepSeek },
];

/** The first old file that can be read, when there is no new one. */
async function copyConfigFile({ paths, os }: MigrationOptions): Promise<string[]> {
  if (isThere(paths.userConfig)) return [];
  const told: string[] = [];
  for (const file of oldConfigFiles(paths, os)) {
    const source = await readSourceFile(file);
    if (source.state !== "ok") continue;
    const parsed = await parseDocument(source.text, file);
    if ("problem" in parsed) {
      told.push(`${file} was not copied, because it is malformed: ${parsed.problem.message}`);
      continue;
    }
    const wrote = await rewriteFile(paths.userConfig, (text) => text === "" ? source.text : text, { mode: 0o600 });
    return wrote ? [...told, `settings were copied from ${file} to ${paths.userConfig}`] : told;
  }
  const legacy = await readLegacyJson(paths);
  if (legacy === undefined || legacy.edits.length === 0) return told;
  await editConfigFile(paths.userConfig, legacy.edits, { mode: 0o600 });
  return [...told, `settings were copied from ${legacy.file} to ${paths.userConfig}`];
}

function oldConfigFiles(paths: ReasonixPaths, os: PathOptions["os"]): string[] {
  return [
    ...(os === "darwin" ? [join(paths.osHome, "Library/Application Support/reasonix/config.toml")] : []),
    join(paths.osHome, ".config/reasonix/config.toml"),
    join(paths.osHome, ".reasonix/reasonix.toml"),
  ];
}

/** Keys that are neither there nor were removed on purpose. */
async function copyKeys({ paths }: MigrationOptions): Promise<string[]> {
  const source = await readSourceFile(paths.envFile);
  if (source.state === "failed") throw source.problem;
  const present = parseEnv(source.state === "ok" ? source.text : "");
  const told: string[] = [];
  for (const { file, keys } of await legacyKeys(paths)) {
    const missing = [...keys].filter(([name]) => !present.values.has(name) && !present.cleared.has(name));
    if (missing.length === 0) continue;
    await saveKeys(paths.envFile, Object.fromEntries(missing));
    told.push(`keys were copied from ${file} to ${paths.envFile}: ${missing.map(([name]) => name).join(", ")}`);
  }
  return told;
}

/** By name; an entry of the user's own wins. */
async function copyServers({ paths }: MigrationOptions): Promise<string[]> {
  const legacy = await readLegacyJson(paths);
  if (legacy === undefined || legacy.servers.length === 0) return [];
  const document = await readDocument(paths.userConfig);
  const present = serverNames(document);
  const fresh = legacy.servers.filter((server) => !present.has(server.name));
  const edits: ConfigEdit[] = fresh.map((value) => ({ append: ["plugins"], value }));
  if (edits.length === 0) return [];
  await editConfigFile(paths.userConfig, edits, { mode: 0o600 });
  return [`MCP servers were copied from ${legacy.file}: ${fresh.map((server) => server.name).join(", ")}`];
}

async function dropRetiredKeys({ paths }: MigrationOptions): Promise<string[]> {
  if (!isThere(paths.userConfig)) return [];
  const { dropped } = await editConfigFile(paths.userConfig, []);
  return dropped.length === 0
    ? []
    : [`${paths.userConfig}: settings without effect were removed: ${dropped.join(", ")}`];
}

async function upgradeDeepSeek({ paths }: MigrationOptions): Promise<string[]> {
  if (!isThere(paths.userConfig)) return [];
  const { edits, names } = upgradedDeepSeek(await readDocument(paths.userConfig));
  if (edits.length === 0) return [];
  await editConfigFile(paths.userConfig, edits);
  return [`${paths.userConfig}: provider ${names.join(", ")} now uses DeepSeek's Messages endpoint`];
}

function serverNames(document: Document): Set<unknown> {
  const mcp = document["mcp"];
  const lists = [document["plugins"], isTable(mcp) ? mcp["servers"] : undefined];
  return new Set(
    lists.flatMap((list) => Array.isArray(list) ? list.map((item) => isTable(item) ? item["name"] : undefined) : []),
  );
}

async function readMarker(file: string): Promise<Set<string>> {
  const source = await readSourceFile(file);
  const json = source.state === "ok" ? parseJson(source.text) : undefined;
  return new Set(isRecord(json) && Array.isArray(json["done"]) ? json["done"] as string[] : []);
}

/** Best effort: without the marker the steps run again and find nothing to do. */
async function writeMarker(file: string, done: ReadonlySet<string>): Promise<void> {
  try {
    await rewriteFile(file, () => JSON.stringify({ version: 1, done: [...done] }, null, 2) + "\n", { mode: 0o600 });
  } catch (error) {
    if (!(error instanceof ReasonixError)) throw error;
  }
}
