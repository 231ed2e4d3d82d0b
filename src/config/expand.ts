/** `${VAR}` and `${VAR:-default}` in texts of the config. Pure. */

/** Undefined: not set. */
export type VariableReader = (name: string) => string | undefined;

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** A variable that is not set, or empty where a default is given, becomes the default, else nothing. */
export function expandVariables(text: string, read: VariableReader): string {
  return text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = read(name);
    return (fallback === undefined ? value : value || fallback) ?? "";
  });
}

/** Names of variables a text asks for and gets neither a value nor a default. */
export function missingVariables(text: string, read: VariableReader): string[] {
  const missing = new Set<string>();
  for (const [, name, fallback] of text.matchAll(VARIABLE)) {
    if (fallback === undefined && read(name!) === undefined) missing.add(name!);
  }
  return [...missing];
}
