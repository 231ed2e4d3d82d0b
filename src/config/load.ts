/**
 * The settings of one run: files of the user and the project and the environment, in one frozen value. Nothing is
 * written, and nothing of a folder that is not trusted loosens what the user set. What flags say of a run is laid over
 * it in assembly.
 */
import { ReasonixError } from "../contract/errors.ts";
import { join, relativeTo } from "../lib/path.ts";
import type { Config, PluginEntry, SourceLayer } from "./config.ts";
import { settleDefaultModel } from "./default_model.ts";
import { mergePlugins, mergeProviders, type SourcedEntries } from "./entries.ts";
import type { EnvFile } from "./env_file.ts";
import { environmentLayer } from "./environment_layer.ts";
import type { ConfigNotice, ConfigProblem } from "./findings.ts";
import { expandForbidden } from "./forbid_read.ts";
import { ROOT } from "./keys/root.ts";
import { type LoadedFile, loadEnv, loadFile, loadProjectEnv, loadServers, NO_FILE } from "./load_files.ts";
import { type Loosening, mergeLayers, type Stacked } from "./merge.ts";
import { type EnvironmentReader, projectConfigPlaces, type ReasonixPaths } from "./paths.ts";
import { type ProjectDemand, serverDemand, settingDemand } from "./project_demands.ts";
import { heldServersNotice, shadowedNotice, untrustedNotice } from "./project_notices.ts";
import type { LayerValues } from "./read_layer.ts";

export interface LoadOptions {
  readonly paths: ReasonixPaths;
  /** Absolute folder of the project. */
  readonly workspace: string;
  /** The user has trusted this folder. False: what loosens safety in its files is ignored. */
  readonly trusted: boolean;
  /** Of a trusted folder: what the person agreed to. Anything else it asks for waits. Absent: everything. */
  readonly agreed?: (demand: ProjectDemand) => boolean;
  /** The person has said yes or no to this folder: a server that they did not agree to then waits. */
  readonly answered?: boolean;
  /** Theme and telemetry variables outrank the files. */
  readonly env: EnvironmentReader;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly notices: readonly ConfigNotice[];
  readonly userConfig: string;
  /** The project's settings file that counts, or where a new one would go; `shownAs` is relative to the workspace. */
  readonly projectConfig: { readonly file: string; readonly shownAs: string; readonly exists: boolean };
  /** What the project's files ask for that needs trust; in force when `trusted` was given. For `reasonix trust`. */
  readonly loosenings: readonly Loosening[];
  /** Keys of the project that were ignored for want of trust. */
  readonly ignored: readonly string[];
  /** Servers of the project that wait for trust: by `[security] project_servers`, or for the person's answer. */
  readonly heldServers: readonly PluginEntry[];
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

const MOST_NAMED = 4;

/** Stops a run. The first problem speaks; `problems` and `notices` hold the rest. */
export class ConfigError extends ReasonixError {
  readonly problems: readonly ConfigProblem[];
  readonly notices: readonly ConfigNotice[];

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]], notices: readonly ConfigNotice[]) {
    const [first, ...others] = problems;
    const named = others.slice(0, MOST_NAMED).map((problem) => `; also: ${problem.message}`).join("");
    const more = others.length > MOST_NAMED ? `; and ${others.length - MOST_NAMED} more` : "";
    super(first.code, first.message + named + more, { place: first.place, remedy: first.remedy, cause: first });
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
  const { paths, workspace, trusted, env } = options;
  const notices: ConfigNotice[] = [];
  const problems: ConfigProblem[] = [];

  const user = await loadFile(paths.userConfig, "user");
  const { project, projectFile } = await loadProject(options);
  for (const file of [user, project]) {
    notices.push(...file.notices);
    problems.push(...file.problems);
  }
  const layers: readonly Stacked[] = [
    { layer: "user", values: user.values },
    { layer: "project", values: project.values },
    { layer: "environment", values: environmentLayer(env) },
  ];
  const accepts = (demand: ProjectDemand) => trusted && (options.agreed?.(demand) ?? true);
  const merged = mergeLayers(SECTIONS, layers, (loosening) => accepts(settingDemand(loosening)));
  const { values, loosenings } = merged;
  const sections = values as unknown as Omit<Config, "providers" | "plugins">;
  const ignored = merged.ignored.map(({ key }) => key);
  if (ignored.length > 0) notices.push(untrustedNotice(projectFile, workspace, ignored));

  const ofUser = entriesOf(user.values, "user", paths.userConfig);
  const ofProject = entriesOf(project.values, "project", projectFile);
  const { providers, shadowed } = mergeProviders(ofUser.providers, ofProject.providers);
  if (shadowed.length > 0) notices.push(shadowedNotice(projectFile, shadowed));

  const declared = mergePlugins([
    ofProject.plugins,
    await loadServers(join(workspace, ".mcp.json"), notices),
    ofUser.plugins,
  ]);
  // A folder that nobody was asked about starts its servers; an answer is not gone past.
  const asks = sections.security.projectServers === "trusted" || options.answered === true;
  const waits = (server: PluginEntry) => asks && server.source.layer !== "user" && !accepts(serverDemand(server));
  const heldServers = declared.filter(waits);
  if (heldServers.length > 0) notices.push(heldServersNotice(workspace, heldServers));

  const confined = sections.sandbox.bash !== "off" && Deno.build.os !== "windows";
  const forbidRead = expandForbidden(sections.sandbox.forbidRead, { env, confined });
  notices.push(...forbidRead.notices);
  problems.push(...forbidRead.problems);

  const keys = await loadEnv(paths.envFile, problems);
  const projectEnv = await loadProjectEnv(workspace, { providers, keys }, notices);
  const config: Config = {
    ...sections,
    agent: withinConcurrency(sections.agent),
    sandbox: { ...sections.sandbox, forbidRead: forbidRead.paths },
    providers,
    plugins: declared.filter((plugin) => !heldServers.includes(plugin)),
  };
  return {
    config: deepFreeze(settleDefaultModel(config, layers, { file: projectFile, notices })),
    notices,
    problems,
    userConfig: paths.userConfig,
    projectConfig: { file: projectFile, shownAs: relativeTo(projectFile, workspace), exists: project.exists },
    loosenings,
    ignored,
    heldServers,
    keys,
    projectEnv,
    layers,
  };
}

/** The first of the two places that exists at all counts, whatever state it is in; a new file goes to the first. */
async function loadProject(
  { paths, workspace }: LoadOptions,
): Promise<{ readonly project: LoadedFile; readonly projectFile: string }> {
  const places = projectConfigPlaces(workspace);
  for (const projectFile of places) {
    // Working in the home folder must not make one file count twice.
    if (projectFile === paths.userConfig) continue;
    const project = await loadFile(projectFile, "project");
    if (project.exists) return { project, projectFile };
  }
  return { project: NO_FILE, projectFile: places[0] };
}

/** Providers and MCP servers are joined by name elsewhere. */
const { providers: _providers, plugins: _plugins, mcp: _mcp, ...SECTIONS } = ROOT.fields;

function entriesOf(
  values: LayerValues,
  layer: SourceLayer,
  file: string,
): { readonly providers: SourcedEntries; readonly plugins: SourcedEntries } {
  const listed = values as {
    readonly providers?: readonly LayerValues[];
    readonly plugins?: readonly LayerValues[];
    readonly mcp?: { readonly servers?: readonly LayerValues[] };
  };
  const source = { layer, file };
  return {
    providers: { source, entries: listed.providers ?? [] },
    plugins: { source, entries: [...listed.plugins ?? [], ...listed.mcp?.servers ?? []] },
  };
}

function withinConcurrency(agent: Config["agent"]): Config["agent"] {
  return { ...agent, maxParallelWriters: Math.min(agent.maxParallelWriters, agent.maxSubagentConcurrency) };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
