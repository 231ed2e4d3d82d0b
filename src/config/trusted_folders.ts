/**
 * `<home>/trusted-folders.json`: which folders the person has answered for, by absolute path with links resolved, and
 * what exactly each asked for then. A file that cannot be understood trusts nothing.
 */
import { isRecord, parseJson } from "../lib/json.ts";
import { isInside } from "../lib/path.ts";
import type { ReasonixPaths } from "./paths.ts";
import { type ProjectDemand, sortedDemands } from "./project_demands.ts";
import { rewriteFile } from "./rewrite_file.ts";
import { readSourceFile } from "./source_file.ts";

export interface FolderTrust {
  readonly folder: string;
  /** `declined`: the person said no, and is not asked again while the folder asks for the same. */
  readonly answer: "trusted" | "declined";
  /** What the answer is about. */
  readonly demands: readonly ProjectDemand[];
}

/** The person's answer for this folder, or undefined where there is none. */
export async function loadFolderTrust(path: string, folder: string): Promise<FolderTrust | undefined> {
  const source = await readSourceFile(path);
  const known = source.state === "ok" ? parseFolders(source.text) : [];
  return known.find((item) => item.folder === folder);
}

export async function saveFolderTrust(path: string, trust: FolderTrust): Promise<void> {
  await update(path, trust.folder, [trust]);
}

/** False when there was nothing to forget. */
export async function forgetFolder(path: string, folder: string): Promise<boolean> {
  if (await loadFolderTrust(path, folder) === undefined) return false;
  await update(path, folder, []);
  return true;
}

/**
 * Why this folder is never trusted as a whole, as the end of a sentence about it; undefined when it can be. What lies
 * in a home folder or at the top of a disk comes from everywhere.
 */
export function untrustableReason(folder: string, paths: Pick<ReasonixPaths, "home" | "osHome">): string | undefined {
  if (folder === "/" || /^[A-Za-z]:[\\/]?$/.test(folder)) return "it is the top of a file system";
  if (isInside(paths.osHome, folder)) return "it is a home folder or lies above one";
  if (isInside(folder, paths.home)) return "it belongs to Reasonix itself";
  return undefined;
}

async function update(path: string, folder: string, fresh: readonly FolderTrust[]): Promise<void> {
  await rewriteFile(path, (text) => {
    const others = parseFolders(text).filter((item) => item.folder !== folder);
    const folders = [...others, ...fresh].map((item) => ({
      folder: item.folder,
      answer: item.answer,
      demands: sortedDemands(item.demands),
    }));
    return JSON.stringify({ version: 1, folders }, null, 2) + "\n";
  }, { mode: 0o600, enforceMode: true });
}

function parseFolders(text: string): readonly FolderTrust[] {
  const json = parseJson(text);
  const items = isRecord(json) && Array.isArray(json["folders"]) ? json["folders"] : [];
  return items.filter((item): item is FolderTrust =>
    isRecord(item) && typeof item["folder"] === "string" &&
    (item["answer"] === "trusted" || item["answer"] === "declined") &&
    Array.isArray(item["demands"]) && item["demands"].every(isDemand)
  );
}

function isDemand(item: unknown): item is ProjectDemand {
  return isRecord(item) && ["setting", "server", "provider", "hook"].includes(item["kind"] as string) &&
    typeof item["name"] === "string" && typeof item["value"] === "string";
}
