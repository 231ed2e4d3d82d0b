/**
 * The settings of one run: files of the user and the project, the environment and flags, in one frozen value. Nothing
 * is written, and nothing of a folder that is not trusted loosens what the user set.
 */
import type { Config, EntrySource, SourceLayer } from "./config.ts";
import { mergePlugins, mergeProviders, type SourcedEntries } from "./entries.ts";
import { ReasonixError } from "../contract/errors.ts";
import { EMPTY_ENV, type EnvFile, parseEnv } from "./env_file.ts";
import type { ConfigNotice, ConfigProblem, Finding } from "./findings.ts";
import { ROOT } from "./keys/root.ts";
import { parseServers } from "./mcp_json.ts";
import { type Loosening, mergeLayers, type Stacked } from "./merge.ts";
import { findModel } from "./models.ts";
import { parseDocument } from "./parse_document.ts";
import { type EnvironmentReader, projectConfigPlaces, readEnvironment, type ReasonixPaths } from "./paths.ts";
import { type LayerValues, readLayer } from "./read_layer.ts";
import { reportFindings } from "./report.ts";
import { readSourceFile } from "./source_file.ts";
import { join } from "../lib/path.ts";

export interface LoadOptions {
  readonly paths: ReasonixPaths;
  /** Absolute folder of the project. */
  readonly workspace: string;
  /** The user has trusted this folder. False: what loosens safety in its files is ignored. */
  readonly trusted: boolean;
  /** Theme and telemetry variables outrank the files. */
  readonly env: EnvironmentReader;
  /** Values of command-line flags; nested and named as `Config` is. They outrank everything. */
  readonly flags?: DeepPartial<Config>;
  /** Leave the project's files out, for work on folders nobody vouches for. */
  readonly withoutProject?: boolean;
}

// deno-lint-ignore no-explicit-any
export type DeepPartial<T> = T extends readonly any[] ? T
  : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> }
  : T;

export interface LoadedConfig {
  readonly config: Config;
  readonly notices: readonly ConfigNotice[];
  /** The project's settings file that counts, or where a new one would go. */
  readonly projectConfig: { readonly file: string; readonly exists: boolean };
  /** What the project's files ask for that needs trust; in force when `trusted` was given. For `reasonix trust`. */
  readonly loosenings: readonly Loosening[];
  /** Keys of `<home>/.env`. Secret. */
  readonly keys: EnvFile;
  /** Variables of the project's `.env` that `${VAR}` in MCP settings may use. */
  readonly projectEnv: ReadonlyMap<string, string>;
  /** Highest layer last; for `originOf`. */
  readonly layers: readonly Stacked[];
}

export interface InspectedConfig extends LoadedConfig {
  /** What would have stopped a run. `config` then holds what could be read. */
  readonly problems: readonly ConfigProblem[];
}

/** Stops a run. The first problem speaks; `problems` and `notices` hold the rest. */
export class ConfigError extends ReasonixError {
  readonly problems: readonly ConfigProblem[];
  readonly notices: readonly ConfigNotice[];

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]], notices: readonly ConfigNotice[]) {
    const [first, ...others] = problems;
    const more = others.length === 0 ? "" : `; also: ${others.map((problem) => problem.message).join("; ")}`;
    super(first.code, first.message + more, { place: first.place, remedy: first.remedy, cause: first });
    this.problems = problems;
    this.notices = notices;
  }
}

/** Throws `ConfigError` when a file is malformed, unreadable, or would be unsafe to go on with. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { problems, ...loaded } = await inspectConfig(options);
  const [first, ...others] = problems;
  if (first) throw new ConfigError([first, ...others], loaded.notices);
  return loaded;
}

/** As `loadConfig`, but always answers: for `doctor`, `config`, `setup` and `version`. */
export async function inspectConfig(options: LoadOptions): Promise<InspectedConfig> {
  const { paths, workspace } = options;
  const notices: ConfigNotice[] = [];
  const problems: ConfigProblem[] = [];
  const collect = (file: LoadedFile) => {
    notices.push(...file.notices);
    problems.push(...file.problems);
    return file;
  };

  const places = projectConfigPlaces(workspace);
  const user = collect(await loadFile(paths.userConfig, "user"));
  let project = NO_FILE;
  let projectFile = places[0];
  if (!options.withoutProject) {
    // A user who works in the home folder has one config, not two.
    for (const place of places) {
      if (place === paths.userConfig) continue;
      project = collect(await loadFile(place, "project"));
      if (project.exists) {
        projectFile = place;
        break;
      }
    }
  }

  const layers: Stacked[] = [
    { layer: "user", values: user.values },
    { layer: "project", values: project.values },
    { layer: "environment", values: environmentLayer(options.env) },
    { layer: "flag", values: (options.flags ?? {}) as LayerValues },
  ];
  const merged = mergeLayers(SECTIONS, layers, options.trusted);
  if (merged.loosenings.length > 0 && !options.trusted) {
    notices.push(untrusted(projectFile, merged.loosenings, workspace));
  }

  const { providers, shadowed } = mergeProviders(
    listOf(user.values, "providers", "user", paths.userConfig),
    listOf(project.values, "providers", "project", projectFile),
  );
  if (shadowed.length > 0) notices.push(shadowedProviders(projectFile, shadowed));

  const jsonServers = options.withoutProject ? NO_SERVERS : await loadServers(join(workspace, ".mcp.json"), notices);
  const plugins = mergePlugins([
    pluginsOf(project.values, "project", projectFile),
    jsonServers,
    pluginsOf(user.values, "user", paths.userConfig),
  ]);

  const keys = await loadEnv(paths.envFile, problems);
  const config = deepFreeze({ ...merged.values, providers, plugins }) as unknown as Config;
  const projectEnv = options.withoutProject ? new Map() : await loadProjectEnv(workspace, config, notices);
  return {
    config: settleDefaultModel(config, layers, notices, projectFile),
    notices,
    problems,
    projectConfig: { file: projectFile, exists: project.exists },
    loosenings: merged.loosenings,
    keys,
    projectEnv,
    layers,
  };
}

const { providers: _providers, plugins: _plugins, mcp: _mcp, ...SECTIONS } = ROOT.fields;

interface LoadedFile {
  readonly exists: boolean;
  readonly values: LayerValues;
  readonly notices: readonly ConfigNotice[];
  readonly problems: readonly ConfigProblem[];
}

const NO_FILE: LoadedFile = { exists: false, values: {}, notices: [], problems: [] };

async function loadFile(file: string, kind: "user" | "project"): Promise<LoadedFile> {
  const source = await readSourceFile(file);
  if (source.state === "missing") return NO_FILE;
  if (source.state === "failed") return { ...NO_FILE, exists: true, problems: [source.problem] };
  const parsed = await parseDocument(source.text, file);
  if ("problem" in parsed) return { ...NO_FILE, exists: true, problems: [parsed.problem] };
  const layer = readLayer(parsed.document, kind);
  const findings: readonly Finding[] = [...layer.findings, ...duplicateNames(layer.values)];
  return { exists: true, values: layer.values, ...await reportFindings(findings, { file, text: source.text }) };
}

function duplicateNames(values: LayerValues): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  entriesAt(values, "providers").forEach(({ name }, index) => {
    if (typeof name !== "string") return;
    if (seen.has(name)) findings.push({ kind: "duplicate", path: ["providers", index], name });
    seen.add(name);
  });
  return findings;
}

function entriesAt(values: LayerValues, key: string): readonly LayerValues[] {
  return (values[key] ?? []) as readonly LayerValues[];
}

function listOf(values: LayerValues, key: string, layer: SourceLayer, file: string): SourcedEntries {
  return { source: { layer, file }, entries: entriesAt(values, key) };
}

function pluginsOf(values: LayerValues, layer: SourceLayer, file: string): SourcedEntries {
  const servers = entriesAt((values["mcp"] ?? {}) as LayerValues, "servers");
  return { source: { layer, file }, entries: [...entriesAt(values, "plugins"), ...servers] };
}

const NO_SERVERS: SourcedEntries = { source: { layer: "mcp_json", file: "" }, entries: [] };

async function loadServers(file: string, notices: ConfigNotice[]): Promise<SourcedEntries> {
  const source: EntrySource = { layer: "mcp_json", file };
  const warn = (text: string) =>
    notices.push({ level: "warning", code: "config.mcp_json", text: `${file}: ${text}`, place: { file } });
  const read = await readSourceFile(file);
  if (read.state === "failed") warn("cannot be read; its servers are ignored");
  if (read.state !== "ok") return { source, entries: [] };
  const { servers, mistakes } = parseServers(read.text);
  mistakes.forEach(warn);
  return { source, entries: servers };
}

async function loadEnv(file: string, problems: ConfigProblem[]): Promise<EnvFile> {
  const source = await readSourceFile(file);
  if (source.state === "failed") problems.push(source.problem);
  return source.state === "ok" ? parseEnv(source.text) : EMPTY_ENV;
}

const NEVER_FROM_PROJECT = /^REASONIX_|^(HOME|USERPROFILE|APPDATA|XDG_CONFIG_HOME|XDG_CACHE_HOME|XDG_STATE_HOME)$/;
/** Of use to a server, but never to Reasonix itself: said aloud, because people expect otherwise. */
const PROXY = /^(https?|all|no)_proxy$/i;

async function loadProjectEnv(
  workspace: string,
  config: Config,
  notices: ConfigNotice[],
): Promise<ReadonlyMap<string, string>> {
  const file = join(workspace, ".env");
  const source = await readSourceFile(file);
  if (source.state !== "ok") return new Map();
  const { values } = parseEnv(source.text);
  const keyNames = new Set(config.providers.map((provider) => provider.apiKeyEnv));
  const barred = [...values.keys()].filter((name) => NEVER_FROM_PROJECT.test(name) || keyNames.has(name));
  const said = [...values.keys()].filter((name) => barred.includes(name) || PROXY.test(name));
  if (said.length > 0) {
    notices.push({
      level: "warning",
      code: "config.project_env",
      text: `${file}: not taken from a project's .env: ${said.join(", ")}`,
      place: { file },
    });
  }
  return new Map([...values].filter(([name]) => !barred.includes(name)));
}

function environmentLayer(env: EnvironmentReader): LayerValues {
  const { theme, themeStyle, telemetryOff } = readEnvironment(env);
  const themes = ["auto", "light", "dark"];
  const chosen = theme !== undefined && themes.includes(theme.toLowerCase()) ? { theme: theme.toLowerCase() } : {};
  return {
    ui: { ...chosen, ...(themeStyle === undefined ? {} : { themeStyle }) },
    ...(telemetryOff ? { telemetry: { cliMetrics: "off" } } : {}),
  };
}

function untrusted(file: string, loosenings: readonly Loosening[], workspace: string): ConfigNotice {
  const keys = loosenings.map((loosening) => loosening.key).join(", ");
  return {
    level: "warning",
    code: "config.untrusted",
    text: `${file}: ignored until this folder is trusted (reasonix trust --dir ${workspace}): ${keys}`,
    place: { file },
  };
}

function shadowedProviders(file: string, names: readonly string[]): ConfigNotice {
  return {
    level: "warning",
    code: "config.shadowed_provider",
    text: `${file}: ignored, because you have providers of the same name: ${names.join(", ")}`,
    place: { file },
  };
}

/** A project's choice that means nothing here gives way to one the user made, and a default to the first provider. */
function settleDefaultModel(
  config: Config,
  layers: readonly Stacked[],
  notices: ConfigNotice[],
  projectFile: string,
): Config {
  if (findModel(config, config.defaultModel)) return config;
  const chosen = layers.filter((layer) => typeof layer.values["defaultModel"] === "string");
  const winner = chosen.at(-1);
  if (winner === undefined) {
    const first = config.providers.find((provider) => provider.default !== "");
    return first ? Object.freeze({ ...config, defaultModel: `${first.name}/${first.default}` }) : config;
  }
  const user = chosen.find((layer) => layer.layer === "user");
  if (winner.layer !== "project" || user === undefined) return config;
  notices.push({
    level: "warning",
    code: "config.default_model",
    text: `${projectFile}: default_model = "${config.defaultModel}" is not configured here; yours is used`,
    place: { file: projectFile },
  });
  return Object.freeze({ ...config, defaultModel: user.values["defaultModel"] as string });
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}
