/** Where the effective value of a setting comes from. */
import type { SourceLayer } from "./config.ts";
import type { LoadedConfig } from "./load.ts";
import { camel } from "./schema.ts";

export interface SettingOrigin {
  readonly layer: SourceLayer;
  /** Of `user` and `project`. */
  readonly file?: string;
  /** For people: `built-in default`, `user`, `project: reasonix.toml`. */
  readonly label: string;
}

/** `key` as written in a file, such as `agent.compact_ratio`. */
export function originOf(
  loaded: Pick<LoadedConfig, "layers" | "ignored" | "projectConfig" | "userConfig">,
  key: string,
): SettingOrigin {
  const names = key.split(".").map(camel);
  const found = loaded.layers.findLast(({ layer, values }) =>
    hasAt(values, names) && !(layer === "project" && loaded.ignored.includes(key))
  );
  switch (found?.layer) {
    case "environment":
      return { layer: "environment", label: "environment" };
    case "project": {
      const { file, shownAs } = loaded.projectConfig;
      return { layer: "project", file, label: `project: ${shownAs}` };
    }
    case "user":
      return { layer: "user", file: loaded.userConfig, label: "user" };
    default:
      return { layer: "built_in", label: "built-in default" };
  }
}

function hasAt(values: unknown, names: readonly string[]): boolean {
  let at = values;
  for (const name of names) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return at !== undefined;
}
