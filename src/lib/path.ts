/**
 * Path text, without the disk and without `node:path` (its import costs start-up time). POSIX and Windows forms are
 * both understood where Windows runs; results use the platform's own separator only in what came in with it.
 */
const WINDOWS = Deno.build.os === "windows";

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || (WINDOWS && (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\")));
}

/** Joins and removes `.`, `..` and doubled separators. An absolute part starts anew. Never empty: `.` at least. */
export function join(...parts: string[]): string {
  let joined = "";
  for (const part of parts) {
    if (part === "") continue;
    joined = joined === "" || isAbsolute(part) ? part : `${joined}/${part}`;
  }
  return normalize(joined);
}

export function normalize(path: string): string {
  const text = WINDOWS ? path.replaceAll("\\", "/") : path;
  const drive = WINDOWS ? /^[A-Za-z]:/.exec(text)?.[0] ?? "" : "";
  const rest = text.slice(drive.length);
  const rooted = rest.startsWith("/");
  const out: string[] = [];
  for (const segment of rest.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") out.push(segment);
    else if (out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (!rooted) out.push("..");
  }
  return drive + (rooted ? "/" : "") + out.join("/") || ".";
}

export function dirname(path: string): string {
  const at = path.lastIndexOf("/");
  if (at < 0) return ".";
  return at === 0 ? "/" : path.slice(0, at);
}

export function basename(path: string): string {
  const text = path.replace(/\/+$/, "");
  return text.slice(text.lastIndexOf("/") + 1);
}

/** With the dot, lower case; empty for none. A leading dot is not an extension. */
export function extension(path: string): string {
  const name = basename(path);
  const at = name.lastIndexOf(".");
  return at <= 0 ? "" : name.slice(at).toLowerCase();
}

/** True when `path` is `folder` or lies below it. Both absolute and normal; by segment, never by text prefix. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith("/") ? folder : folder + "/");
}

/** `path` as seen from `folder` when it lies inside, otherwise `path` itself. `.` for the folder. */
export function relativeTo(path: string, folder: string): string {
  if (path === folder) return ".";
  return isInside(path, folder) ? path.slice(folder === "/" ? 1 : folder.length + 1) : path;
}
