/** Settings: files, keys and paths. */
export type {
  AgentConfig,
  Config,
  EntrySource,
  NetworkConfig,
  PermissionsConfig,
  PluginEntry,
  ProviderEntry,
  SandboxConfig,
  SourceLayer,
  ToolsConfig,
  UiConfig,
} from "./config.ts";
export type { ConfigNotice, ConfigProblem, NoticeCode } from "./findings.ts";
export {
  ConfigError,
  inspectConfig,
  type InspectedConfig,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
} from "./load.ts";
export { expandVariables } from "./expand.ts";
export type { Loosening } from "./merge.ts";
export { defaultModel, findModel, type ModelChoice, modelRefs, resolveModel } from "./models.ts";
export {
  type EnvironmentReader,
  type EnvironmentSettings,
  type PathOptions,
  projectConfigPlaces,
  readEnvironment,
  type ReasonixPaths,
  resolvePaths,
} from "./paths.ts";
export { type Confirmation, type ConfirmedKeys, loadConfirmedKeys } from "./confirmed_keys.ts";
export {
  type KeyAccess,
  KeyNotConfirmed,
  type KeyQuestion,
  needsKey,
  providerSettings,
  proxySettings,
  unconfirmedKey,
} from "./provider_settings.ts";
