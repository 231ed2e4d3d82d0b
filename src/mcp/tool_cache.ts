/**
 * What a server offered last time, so that its tools stand in the first request of a session while it is still
 * starting. Bound to the connection it was read over: another command or address has another cache.
 */
import type { JsonSchema } from "../contract/tool.ts";
import { replaceFile } from "../lib/atomic_file.ts";
import { toBytes } from "../lib/bytes.ts";
import type { RemoteTool } from "./listing.ts";

const VERSION = 1;
const LARGEST = 8 << 20;

interface CacheFile {
  readonly version: typeof VERSION;
  readonly identity: string;
  /** Null: it was started and has never listed anything. */
  readonly tools:
    | null
    | readonly {
      readonly name: string;
      readonly description: string;
      readonly schema: JsonSchema;
      readonly read_only: boolean;
      readonly destructive: boolean;
    }[];
}

/**
 * Undefined when nothing is known of this connection; null when it was tried and never got as far as listing. Never
 * throws: a cache that cannot be read is none.
 */
export async function loadToolCache(
  folder: string,
  identity: string,
): Promise<readonly RemoteTool[] | null | undefined> {
  try {
    const path = cachePath(folder);
    if ((await Deno.stat(path)).size > LARGEST) return undefined;
    const file = JSON.parse(await Deno.readTextFile(path)) as CacheFile;
    if (file.version !== VERSION || file.identity !== identity) return undefined;
    if (!Array.isArray(file.tools)) return null;
    return file.tools.map(({ read_only, ...tool }) => ({ ...tool, readOnly: read_only }));
  } catch {
    return undefined;
  }
}

/** Never throws: without a cache the next session begins with less. */
export async function saveToolCache(
  folder: string,
  identity: string,
  tools: readonly RemoteTool[] | null,
): Promise<void> {
  const file: CacheFile = {
    version: VERSION,
    identity,
    tools: tools === null ? null : tools.map(({ readOnly, ...tool }) => ({ ...tool, read_only: readOnly })),
  };
  try {
    const text = JSON.stringify(file) + "\n";
    if (await Deno.readTextFile(cachePath(folder)).catch(() => "") === text) return;
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(cachePath(folder), toBytes(text), { mode: 0o600 });
  } catch {
    // A full or read-only disk.
  }
}

const cachePath = (folder: string) => `${folder}/tools.json`;
