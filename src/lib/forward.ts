/** A port whose owner may be replaced: every use goes to what `current` answers at that moment. Not to be spread. */
export function forwardTo<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, key) => {
      const target = current();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    has: (_, key) => Reflect.has(current(), key),
  });
}
