/**
 * Folders of the person's home that builds need to write to, and what in them runs or steers programs later and
 * therefore stays as it is.
 */

interface Cache {
  /** Below the home folder. */
  readonly folder: string;
  readonly readOnly?: readonly string[];
}

export const CACHES: readonly Cache[] = [
  { folder: ".cache" },
  { folder: ".cargo", readOnly: ["bin", "config", "config.toml", "env", "credentials", "credentials.toml"] },
  { folder: ".npm" },
  { folder: "go", readOnly: ["bin"] },
  { folder: ".gradle", readOnly: ["gradle.properties", "init.gradle", "init.gradle.kts", "init.d"] },
  { folder: ".m2", readOnly: ["settings.xml", "settings-security.xml", "extensions.xml"] },
  { folder: ".nuget", readOnly: ["NuGet"] },
  { folder: ".pub-cache", readOnly: ["bin"] },
  { folder: ".yarn", readOnly: ["bin"] },
  { folder: ".bun/install/cache" },
  { folder: ".local/share/pnpm/store" },
  { folder: "Library/Caches" },
];

/** Variables in which the person has put a cache elsewhere. */
export const CACHE_VARIABLES = [
  "XDG_CACHE_HOME",
  "npm_config_cache",
  "GOCACHE",
  "GOMODCACHE",
  "PIP_CACHE_DIR",
  "UV_CACHE_DIR",
  "DENO_DIR",
];

/** Where a cache goes that does not exist: its program would fail, and nothing is made in the home. Below the temp folder. */
export const FALLBACKS: readonly { readonly folder: string; readonly variable: string; readonly place: string }[] = [
  { folder: ".cache", variable: "XDG_CACHE_HOME", place: "cache" },
  { folder: ".npm", variable: "npm_config_cache", place: "npm" },
  { folder: "go", variable: "GOMODCACHE", place: "gomod" },
];
