/**
 * Where the recorded data others made lies: `REASONIX_SHARED`, else the folder `shared` beside the project. It is never
 * part of the project; without it the tests that need it report themselves ignored.
 */
const folder = Deno.env.get("REASONIX_SHARED") ??
  decodeURIComponent(new URL("../../../shared", import.meta.url).pathname);

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Absolute path of something below the data folder, or undefined when it is not there. */
export function sharedPath(relative: string): string | undefined {
  const path = `${folder}/${relative}`;
  return exists(path) ? path : undefined;
}

/** Rows of a JSON-lines file below the data folder; empty when it is not there. */
export function sharedRows<T>(relative: string): T[] {
  const path = sharedPath(relative);
  if (path === undefined) return [];
  return Deno.readTextFileSync(path).split("\n").filter((line) => line.trim() !== "").map((line) =>
    JSON.parse(line) as T
  );
}
