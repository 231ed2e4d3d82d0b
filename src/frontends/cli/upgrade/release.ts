/** Official releases: which is the newest, and where its files lie. Pure. Only tags of the exact form `vX.Y.Z` count. */
import { ReasonixError } from "../../../contract/errors.ts";
import { isRecord } from "../../../lib/json.ts";

/**
 * The list of releases: `[{ "tag_name": "v1.2.3", "assets": [{ "name", "browser_download_url" }] }]`, or that list under
 * `releases`. A release without assets has them beside the index, in a folder named like its tag.
 */
export const RELEASE_INDEX = "https://reasonix.io/releases/index.json";

/** Another index, for mirrors and tests. Plain HTTP only on this machine. */
export const INDEX_VARIABLE = "REASONIX_RELEASE_INDEX";

export const CHECKSUMS = "SHA256SUMS";

export interface Release {
  readonly tag: string;
  /** Address of a file of the release; undefined when it has none of that name. */
  asset(name: string): string | undefined;
}

export type Version = readonly [major: number, minor: number, patch: number];

/** Undefined for any other tag. */
export function parseVersion(tag: string): Version | undefined {
  const [, ...parts] = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(tag) ?? [];
  return parts.length === 3 ? [Number(parts[0]), Number(parts[1]), Number(parts[2])] : undefined;
}

/** The release a build was made from or after: `v1.2.3-4-gabcdef0` is based on `v1.2.3`. */
export function baseVersion(version: string): Version | undefined {
  return parseVersion(version.replace(/-\d+-g[0-9a-f]+(?:-dirty)?$|-dirty$/, ""));
}

export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Throws `cli.usage` for an address that is neither encrypted nor on this machine. */
export function safeUrl(text: string, base?: string): string {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  const isLocal = url !== undefined && /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal)) return url.href;
  throw new ReasonixError("cli.usage", `releases come over https only; got "${text}"`, {
    remedy: `Correct or unset ${INDEX_VARIABLE}.`,
  });
}

/** Undefined when there is no official release. Drafts and previews are none, whatever their tag. */
export function newestRelease(index: unknown, indexUrl: string): Release | undefined {
  let newest: { readonly version: Version; readonly release: Release } | undefined;
  for (const entry of entriesOf(index, indexUrl)) {
    const tag = entry["tag_name"] ?? entry["tag"] ?? entry["version"];
    const version = typeof tag === "string" ? parseVersion(tag) : undefined;
    if (version === undefined || entry["draft"] === true || entry["prerelease"] === true) continue;
    if (newest && compareVersions(version, newest.version) <= 0) continue;
    newest = { version, release: { tag: tag as string, asset: assetsOf(entry, tag as string, indexUrl) } };
  }
  return newest?.release;
}

type Json = Record<string, unknown>;

function entriesOf(index: unknown, indexUrl: string): readonly Json[] {
  const list = isRecord(index) ? index["releases"] : index;
  if (!Array.isArray(list)) {
    throw new ReasonixError("provider.bad_response", `${new URL(indexUrl).host} sent no list of releases`, {
      retry: true,
    });
  }
  return list.filter(isRecord);
}

function assetsOf(entry: Json, tag: string, indexUrl: string): Release["asset"] {
  const assets = entry["assets"];
  if (!Array.isArray(assets)) return (name) => safeUrl(`${tag}/${name}`, indexUrl);
  return (name) => {
    const found = assets.filter(isRecord).find((asset) => asset["name"] === name);
    const url = found?.["browser_download_url"] ?? found?.["url"];
    return typeof url === "string" ? safeUrl(url, indexUrl) : undefined;
  };
}

/** Name of the executable in a release, as scripts/build.ts calls it. */
export function assetName(os: string, arch: string): string {
  const processor = arch === "aarch64" ? "arm64" : "amd64";
  return `reasonix-${os}-${processor}${os === "windows" ? ".exe" : ""}`;
}

/** The hash that a checksum file gives for `name`, in the form of `sha256sum`. */
export function checksumFor(sums: string, name: string): string | undefined {
  for (const line of sums.split(/\r?\n/)) {
    const [, hash, file] = /^([0-9a-fA-F]{64})[ \t]+\*?(.+?)\s*$/.exec(line) ?? [];
    if (file === name) return hash!.toLowerCase();
  }
  return undefined;
}
