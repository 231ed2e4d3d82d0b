/**
 * `rg` as a sieve: which of these files may hold a match? Which files are asked, and what a match is, is decided here
 * and not by `rg`, so that searches answer the same with it and without it.
 */
import type { Processes } from "../../contract/workspace.ts";
import type { Limit } from "./reply.ts";
import type { FoundFile } from "./walk.ts";

const FLAGS = [
  "--no-config",
  "--no-messages",
  "--color=never",
  "--files-with-matches",
  "--null",
  "--text",
  "--no-ignore",
  "--hidden",
  "--max-depth=1",
];

export interface Sieve {
  /** Absolute path of the program. */
  readonly program: string;
  readonly patterns: readonly string[];
  /** Folder the names of the files start from. */
  readonly folder: string;
}

export interface SieveBatch {
  readonly files: readonly FoundFile[];
  /** Relative paths: folders of which every file is asked for, and single files. */
  readonly places: readonly string[];
}

/** The files of the batch that may match, in order. Undefined: `rg` could not tell. Never rejects. */
export async function sift(
  processes: Processes,
  sieve: Sieve,
  batch: SieveBatch,
  limit: Limit,
): Promise<readonly FoundFile[] | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const running = await processes.start({
      command: {
        argv: [sieve.program, ...FLAGS, ...sieve.patterns.flatMap((pattern) => ["-e", pattern]), "--", ...batch.places],
      },
      cwd: sieve.folder,
      readOnly: true,
      onOutput: (bytes) => void (text += decoder.decode(bytes, { stream: true })),
    });
    let stopped = false;
    const stop = () => {
      stopped = true;
      void running.kill();
    };
    timer = setTimeout(stop, limit.left());
    limit.signal.addEventListener("abort", stop);
    const { code, wallFailure } = await running.ended;
    limit.signal.removeEventListener("abort", stop);
    if (stopped) return [];
    // The code is then that of the wall, which found nothing because it searched nothing.
    if (wallFailure !== undefined) return undefined;
    // 0: found, 1: none, 2: something could not be read, or nothing was understood.
    if (code !== 0 && code !== 1 && code !== 2) return undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
  if (text !== "" && !text.endsWith("\0")) return undefined;
  const named = new Set(text.split("\0").map((path) => path.replace(/^\.\//, "")));
  return batch.files.filter((file) => named.has(file.names.join("/")));
}
