/** JSON as servers in fact write it: a byte-order mark, and numbers JSON has no word for. */

/** Undefined for what is no JSON even then. `NaN` and the infinities become null. */
export function parseLenient(text: string): unknown {
  const bare = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(bare);
  } catch {
    if (!/NaN|Infinity/.test(bare)) return undefined;
  }
  try {
    const mended = bare.replace(
      /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs,
      (found) => found.startsWith('"') ? found : "null",
    );
    return JSON.parse(mended);
  } catch {
    return undefined;
  }
}
