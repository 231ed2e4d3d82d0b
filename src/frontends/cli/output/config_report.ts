/** `config show` and `config path`: the settings in force, as TOML with their sources and as JSON. No secret is in it. */
import type { InspectedProject } from "../../../assembly/mod.ts";
import {
  effectiveEntry,
  effectiveSettings,
  type EntrySource,
  type PluginEntry,
  type ProviderEntry,
  withoutLogin,
} from "../../../config/mod.ts";
import { showPath } from "../../../lib/shown_path.ts";

type Json = Record<string, unknown>;

export function toPathsJson({ root, paths, loaded }: InspectedProject): Json {
  return {
    schema_version: 1,
    command: "config.path",
    home: paths.home,
    state: paths.state,
    cache: paths.cache,
    user_config: loaded.userConfig,
    project_config: loaded.projectConfig.file,
    project_config_exists: loaded.projectConfig.exists,
    keys: paths.envFile,
    workspace: root,
  };
}

export function toConfigJson(project: InspectedProject): Json {
  const { loaded } = project;
  return {
    ...toPathsJson(project),
    command: "config.show",
    trusted: project.trusted,
    settings: effectiveSettings(loaded).map(({ key, value, origin }) => ({
      key,
      value,
      source: origin.layer,
      ...(origin.file ? { file: origin.file } : {}),
    })),
    providers: loaded.config.providers.map((provider) => providerJson(provider, loaded.keys.values)),
    mcp_servers: loaded.config.plugins.map(serverJson),
    ignored: loaded.ignored,
    notices: loaded.notices.map(({ level, code, text }) => ({ level, code, text })),
    problems: loaded.problems.map(({ code, message, remedy }) => ({ code, message, ...(remedy ? { remedy } : {}) })),
  };
}

function providerJson(provider: ProviderEntry, keys: ReadonlyMap<string, string>): Json {
  const { name, kind, baseUrl, models, apiKeyEnv, contextWindow, source, headers } = provider;
  return {
    name,
    kind,
    base_url: withoutLogin(baseUrl),
    models,
    default: provider.default,
    api_key_env: apiKeyEnv,
    key_present: keys.has(apiKeyEnv),
    context_window: contextWindow,
    header_names: Object.keys(headers),
    source: source.layer,
    set: effectiveEntry(provider),
  };
}

function serverJson(server: PluginEntry): Json {
  const { name, type, source } = server;
  return { name, type, source: source.layer, set: effectiveEntry(server) };
}

/** Only what some file, variable or flag has set; everything else has the default of docs/CONFIG.md. */
export function toConfigText(project: InspectedProject): string {
  const { loaded, paths } = project;
  const { projectConfig, config, keys } = loaded;
  const set = effectiveSettings(loaded).filter(({ key, origin }) =>
    origin.layer !== "built_in" || key === "default_model"
  );
  const lines = [
    `# user config:    ${loaded.userConfig}`,
    `# project config: ${projectConfig.file}${projectConfig.exists ? "" : " (not there)"}`,
    `# keys:           ${paths.envFile}`,
    "# What is not listed has its default.",
    "",
  ];
  let open = "";
  for (const { key, value, origin } of set) {
    const at = key.lastIndexOf(".");
    const section = key.slice(0, Math.max(at, 0));
    if (section !== open) {
      lines.push(...(lines.at(-1) === "" ? [] : [""]), `[${section}]`);
      open = section;
    }
    lines.push(`${key.slice(at + 1)} = ${tomlValue(value)}  # ${origin.label}`);
  }
  for (const provider of config.providers) {
    const { name, kind, baseUrl, models, apiKeyEnv, source } = provider;
    const always = { name, kind, base_url: withoutLogin(baseUrl), models, default: provider.default };
    const state = apiKeyEnv === "" ? "no key needed" : `key ${keys.values.has(apiKeyEnv) ? "present" : "missing"}`;
    lines.push(
      "",
      `[[providers]]  # ${sourceText(source)}, ${state}`,
      ...tomlLines({ ...always, ...effectiveEntry(provider), api_key_env: apiKeyEnv }),
    );
  }
  for (const server of config.plugins) {
    const { name, type, source } = server;
    lines.push("", `[[plugins]]  # ${sourceText(source)}`, ...tomlLines({ name, type, ...effectiveEntry(server) }));
  }
  return lines.join("\n");
}

function tomlLines(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).map(([key, value]) => `${key} = ${tomlValue(value)}`);
}

function sourceText({ layer, file }: EntrySource): string {
  if (layer === "built_in") return "built-in default";
  return layer === "user" ? "user" : `${layer === "mcp_json" ? "project" : layer}: ${showPath(file)}`;
}

/** JSON texts, numbers and lists are TOML as well; tables become inline tables. */
function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) =>
    `${/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key)} = ${tomlValue(item)}`
  );
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}
