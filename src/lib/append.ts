/** `list.push(...more)` for any number: a call takes some 120 000 arguments, and a folder or an answer may have more. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
