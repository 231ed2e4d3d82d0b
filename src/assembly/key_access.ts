/** What it takes to find the key of a provider: the saved keys, and the addresses they may go to. */
import { type KeyAccess, loadConfirmedKeys } from "../config/mod.ts";
import type { InspectedProject } from "./inspect_project.ts";

export async function keyAccess(
  { loaded, paths, env }: Pick<InspectedProject, "paths" | "env"> & {
    readonly loaded: Pick<InspectedProject["loaded"], "keys">;
  },
): Promise<KeyAccess> {
  return {
    keys: loaded.keys,
    confirmed: await loadConfirmedKeys(paths.confirmedKeys),
    envFile: paths.envFile,
    env,
  };
}
