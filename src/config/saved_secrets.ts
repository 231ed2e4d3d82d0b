/** Every value of the settings that must not be shown: saved keys, and what stands where a key or a password would. */
import { isTable } from "./schema.ts";
import type { LoadedConfig } from "./load.ts";

const TELLING = /key|token|secret|passw|auth|credential|cookie/i;

/** Of the user's own files: what a repository writes is no secret, and must not blank words of the output. */
export function savedSecrets({ config, keys }: Pick<LoadedConfig, "config" | "keys">): readonly string[] {
  const providers = config.providers.filter(({ source }) => source.layer === "user");
  const plugins = config.plugins.filter(({ source }) => source.layer === "user");
  const { network, serve, tools } = config;
  const found = [
    ...keys.values.values(),
    ...providers.flatMap(({ headers, extraBody }) => [...telling(headers), ...telling(extraBody)]),
    ...plugins.flatMap(({ headers, env }) => [...telling(headers), ...telling(env)]),
    ...telling(tools.shell.env),
    network.proxy.password,
    passwordOf(network.proxyUrl),
    serve.token,
    serve.passwordHash,
  ];
  return [...new Set(found.filter((value) => value !== "" && !/^\$\{.*\}$/.test(value)))];
}

/** Values under a name that speaks of secrets, `Bearer …` also without its first word. */
function telling(table: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(table).flatMap(([name, value]) => {
    if (isTable(value)) return telling(value);
    if (typeof value !== "string" || !TELLING.test(name)) return [];
    return [value, value.replace(/^\w+\s+/, "")];
  });
}

function passwordOf(address: string): string {
  if (!URL.canParse(address)) return "";
  const { password } = new URL(address);
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
