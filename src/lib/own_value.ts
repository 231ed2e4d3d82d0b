/**
 * The value a table has under a name that somebody else gave. Plain indexing would also find what every object
 * inherits: `constructor`, `toString`, `__proto__`.
 */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
