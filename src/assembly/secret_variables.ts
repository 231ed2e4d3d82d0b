/** Variables that no program started here sees: saved keys, the places of keys, and, as the user wishes, look-alikes. */
import type { Config } from "../config/mod.ts";

/** A word of the name says that its value is a secret. `SSH_AUTH_SOCK` is the place of one, not one itself. */
const LOOKS_SECRET =
  /(^|_)(key|keys|apikey|token|tokens|pat|secret|secrets|password|passwd|passphrase|credential|credentials|cookie)(_|$)/i;

export interface SecretSources {
  readonly config: Pick<Config, "providers" | "secrets">;
  /** Names of saved keys. */
  readonly saved: Iterable<string>;
  /** Names of everything in the environment of this program. */
  readonly inherited: Iterable<string>;
}

export function secretVariables({ config, saved, inherited }: SecretSources): string[] {
  const named = config.providers.map(({ apiKeyEnv }) => apiKeyEnv).filter((name) => name !== "");
  const alike = config.secrets.filterSubprocessEnv ? [...inherited].filter((name) => LOOKS_SECRET.test(name)) : [];
  return [...new Set([...saved, ...named, ...alike])];
}
