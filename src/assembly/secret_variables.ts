/** Variables that no program started here sees: saved keys, the places of keys, and, as the user wishes, look-alikes. */
import type { Config } from "../config/mod.ts";

/** A word of the name says that its value is a secret. `SSH_AUTH_SOCK` is the place of one, not one itself. */
const SECRET_WORD = new RegExp(
  "(?:^|_)(?:keys?|tokens?|pat|secrets?|pass|passwd|pwd|passphrase|credentials?|cookies?|jwt|bearer|auth(?!_sock))(?:_|$)",
);
/** Written together with another word: `PGPASSWORD`. */
const SECRET_END = /(?:password|passwd|passphrase|token|secret|apikey|accesskey|secretkey|sshpass|credentials)(?:_|$)/;
/** Folders. */
const NO_SECRETS = new Set(["PWD", "OLDPWD"]);

function looksSecret(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return !NO_SECRETS.has(name) && (SECRET_WORD.test(words) || SECRET_END.test(words));
}

export interface SecretSources {
  readonly config: Pick<Config, "providers" | "secrets">;
  /** Names of saved keys. */
  readonly saved: Iterable<string>;
  /** Names of everything in the environment of this program. */
  readonly inherited: Iterable<string>;
}

export function secretVariables({ config, saved, inherited }: SecretSources): string[] {
  const named = config.providers.map(({ apiKeyEnv }) => apiKeyEnv).filter((name) => name !== "");
  const alike = config.secrets.filterSubprocessEnv ? [...inherited].filter(looksSecret) : [];
  return [...new Set([...saved, ...named, ...alike])];
}
