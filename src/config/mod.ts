/** Settings: the files they stand in, keys, trust, and where everything lies. */
export type { Config, EntrySource, PluginEntry, ProviderEntry } from "./config.ts";
export { confirmKey, loadConfirmedKeys, revokeKey } from "./confirmed_keys.ts";
export { type ConfigEdit, type EditPath, type EditStep, sameData } from "./edit/data_edit.ts";
export { editConfigFile, type EditResult } from "./edit/edit_config_file.ts";
export { addServer, changeServer, removeServer } from "./edit/edit_server.ts";
export type { TomlValue } from "./edit/toml_value.ts";
export { effectiveEntry, effectiveSettings, withoutLogin } from "./effective_settings.ts";
export { defaultKeyName } from "./entries.ts";
export { expandVariables } from "./expand.ts";
export { expandServer } from "./expand_server.ts";
export type { ConfigNotice, ConfigProblem } from "./findings.ts";
export { saveKeys } from "./key_store.ts";
export { inspectConfig, type InspectedConfig, loadConfig, type LoadedConfig, type LoadOptions } from "./load.ts";
export { migrateConfig } from "./migrate.ts";
export { defaultModel, findModel, type ModelChoice, modelRefs, resolveModel } from "./models.ts";
export { originOf } from "./origin_of.ts";
export { isPrivateHost, originsOf } from "./origins.ts";
export { type EnvironmentReader, type ReasonixPaths, resolvePaths } from "./paths.ts";
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
export { SMALL_SETTINGS, type SmallSetting } from "./small_settings.ts";
