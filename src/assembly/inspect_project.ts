/** A folder and its settings for commands that look or mend: opens whatever state the files are in, writes nothing. */
import { inspectConfig, type InspectedConfig } from "../config/mod.ts";
import { findPlace, type Place, type PlaceOptions } from "./directory.ts";
import { trustInForce } from "./folder_trust.ts";

export interface InspectedProject extends Place {
  readonly trusted: boolean;
  readonly loaded: InspectedConfig;
}

/** Throws `workspace.unusable`, and `config.unreadable` when there is no home at all. */
export async function inspectProject(options: PlaceOptions = {}): Promise<InspectedProject> {
  const { root, paths, env } = await findPlace(options);
  const { trusted, agrees, answered } = await trustInForce(paths, root);
  const loaded = await inspectConfig({ paths, workspace: root, trusted, agreed: agrees, answered, env });
  return { root, paths, env, trusted, loaded };
}
