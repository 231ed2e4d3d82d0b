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
export { type Confirmation, type ConfirmedKeys, confirmKey, loadConfirmedKeys, revokeKey } from "./confirmed_keys.ts";
export type { ConfigEdit, EditPath, EditStep } from "./edit/data_edit.ts";
export { type ConfigEdits, editConfigFile, type EditOptions, type EditResult } from "./edit/edit_config_file.ts";
export type { ServerFields } from "./edit/edit_mcp_json.ts";
export { addServer, changeServer, removeServer } from "./edit/edit_server.ts";
export type { TomlValue } from "./edit/toml_value.ts";
export { type EffectiveSetting, effectiveSettings, withoutLogin } from "./effective_settings.ts";
export { defaultKeyName } from "./entries.ts";
export type { EnvFile } from "./env_file.ts";
export { expandVariables } from "./expand.ts";
export { type ExpandedServer, expandServer, type ServerContext } from "./expand_server.ts";
export type { ConfigNotice, ConfigProblem, NoticeCode } from "./findings.ts";
export { saveKeys } from "./key_store.ts";
export {
  ConfigError,
  inspectConfig,
  type InspectedConfig,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
} from "./load.ts";
export type { Loosening } from "./merge.ts";
export { migrateConfig, type MigrationOptions } from "./migrate.ts";
export { defaultModel, findModel, type ModelChoice, modelRefs, resolveModel } from "./models.ts";
export { originOf, type SettingOrigin } from "./origin_of.ts";
export { isPrivateHost, originsOf } from "./origins.ts";
export {
  type EnvironmentReader,
  type EnvironmentSettings,
  type PathOptions,
  projectConfigPlaces,
  readEnvironment,
  type ReasonixPaths,
  resolvePaths,
} from "./paths.ts";
export {
  agreement,
  type DemandChange,
  demandChanges,
  type ProjectDemand,
  projectDemands,
  providerDemand,
  sortedDemands,
} from "./project_demands.ts";
export { trustCommand } from "./project_notices.ts";
export {
  type KeyAccess,
  KeyNotConfirmed,
  type KeyQuestion,
  needsKey,
  providerSettings,
  proxySettings,
  unconfirmedKey,
} from "./provider_settings.ts";
export { readDocument } from "./read_document.ts";
export { savedSecrets } from "./saved_secrets.ts";
export { SCAFFOLD, SCAFFOLD_KEY, writeScaffold } from "./scaffold.ts";
export {
  type FolderTrust,
  forgetFolder,
  loadFolderTrust,
  saveFolderTrust,
  untrustableReason,
} from "./trusted_folders.ts";
export { readSourceFile, type SourceFile } from "./source_file.ts";
export { SMALL_SETTINGS, type SmallSetting } from "./small_settings.ts";
