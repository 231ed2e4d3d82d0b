/** What `default_model` means once all files are read. */
import { showPath } from "../lib/shown_path.ts";
import type { Config } from "./config.ts";
import type { ConfigNotice } from "./findings.ts";
import type { Stacked } from "./merge.ts";
import { findModel } from "./models.ts";

/** A project's choice that means nothing here gives way to one the user made, and a default to the first provider. */
export function settleDefaultModel(
  config: Config,
  layers: readonly Stacked[],
  project: { readonly file: string; readonly notices: ConfigNotice[] },
): Config {
  if (findModel(config, config.defaultModel)) return config;
  const chosen = layers.filter((layer) => typeof layer.values["defaultModel"] === "string");
  const winner = chosen.at(-1);
  if (winner === undefined) {
    const first = config.providers.find((provider) => provider.default !== "");
    return first ? { ...config, defaultModel: `${first.name}/${first.default}` } : config;
  }
  const user = chosen.find((layer) => layer.layer === "user");
  if (winner.layer !== "project" || user === undefined) return config;
  project.notices.push({
    level: "warning",
    code: "config.default_model",
    text: `${project.file}: default_model = "${showPath(config.defaultModel)}" is not configured here; yours is used`,
    place: { file: project.file },
  });
  return { ...config, defaultModel: user.values["defaultModel"] as string };
}
