/**
 * Whether a path is one of some places or lies below one, asked of the disk and not of the text: the same file under
 * another spelling (letter case, short names, bind mounts) has the same identity. Places need not exist.
 */
import { FileError, type Files, type FileStat } from "../../contract/workspace.ts";
import { basename, dirname, isInside, join } from "../../lib/path.ts";

export interface PlacesOptions {
  /**
   * How long what the disk said about a folder may be believed, in milliseconds; 0 (default): never. For reads of
   * thousands of files in a row.
   */
  readonly believeMs?: number;
  /**
   * What to assume where neither disk nor text can tell two spellings apart. `same` for bans, so that they fail
   * closed; `different` (default) for what is granted.
   */
  readonly unsure?: "same" | "different";
}

interface Place {
  /** As given, for messages. */
  readonly path: string;
  readonly real: string;
  /** The deepest folder on the way that exists, and the names below it that do not. */
  readonly anchor: string;
  readonly rest: readonly string[];
  readonly anchorIdentity: string | undefined;
  /** Letter case does not matter below the anchor. */
  readonly caseless: boolean;
}

export class Places {
  readonly #files: Files;
  readonly #paths: readonly string[];
  readonly #believeMs: number;
  readonly #unsure: "same" | "different";
  #places: { readonly until: number; readonly list: Promise<readonly Place[]> } | undefined;
  readonly #looked = new Map<string, { readonly until: number; readonly stat: FileStat | undefined }>();

  constructor(files: Files, paths: readonly string[], options: PlacesOptions = {}) {
    this.#files = files;
    this.#paths = paths;
    this.#believeMs = options.believeMs ?? 0;
    this.#unsure = options.unsure ?? "different";
  }

  /** The place that `real`, a path without links, is or lies in. */
  async holding(real: string): Promise<string | undefined> {
    const places = await this.#current();
    const byText = places.find((place) => isInside(real, place.real));
    if (byText !== undefined) return byText.path;
    let below: string[] = [];
    for (let at = real;; at = dirname(at)) {
      const stat = await this.#look(at, at !== real);
      // What does not exist is not an existing place under another spelling.
      const found = stat === undefined ? undefined : places.find((place) => this.#isAt(place, { at, stat, below }));
      if (found !== undefined) return found.path;
      if (dirname(at) === at) return undefined;
      below = [basename(at), ...below];
    }
  }

  /** A place that lies below `real` or is it: what would be carried along if `real` were moved. */
  async carriedBy(real: string): Promise<string | undefined> {
    const identity = (await this.#look(real, false))?.identity;
    for (const place of await this.#current()) {
      if (isInside(place.real, real)) return place.path;
      if (identity === undefined) continue;
      for (let at = place.anchor; dirname(at) !== at; at = dirname(at)) {
        if ((await this.#look(at, true))?.identity === identity) return place.path;
      }
    }
    return undefined;
  }

  #isAt(
    place: Place,
    here: { readonly at: string; readonly stat: FileStat; readonly below: readonly string[] },
  ): boolean {
    const known = here.stat.identity !== undefined && place.anchorIdentity !== undefined;
    const sameAnchor = known
      ? here.stat.identity === place.anchorIdentity
      : this.#unsure === "same" && here.at.toLowerCase() === place.anchor.toLowerCase();
    if (!sameAnchor || here.below.length < place.rest.length) return false;
    const caseless = place.caseless || (!known && this.#unsure === "same");
    return place.rest.every((name, i) =>
      name === here.below[i] || (caseless && name.toLowerCase() === here.below[i]!.toLowerCase())
    );
  }

  #current(): Promise<readonly Place[]> {
    const now = Date.now();
    if (this.#places !== undefined && now < this.#places.until) return this.#places.list;
    const list = Promise.all(this.#paths.map((path) => this.#locate(path)));
    this.#places = { until: now + this.#believeMs, list };
    return list;
  }

  async #locate(path: string): Promise<Place> {
    const real = await orUndefined(this.#files.real(path)) ?? this.#files.absolute(path);
    const rest: string[] = [];
    let anchor = real;
    let stat = await orUndefined(this.#files.stat(anchor));
    while (stat === undefined && dirname(anchor) !== anchor) {
      rest.unshift(basename(anchor));
      anchor = dirname(anchor);
      stat = await orUndefined(this.#files.stat(anchor));
    }
    return {
      path,
      real,
      anchor,
      rest,
      anchorIdentity: stat?.identity,
      caseless: rest.length > 0 && await this.#isCaseless(anchor),
    };
  }

  /** Asks with the letter case of an existing name turned around. A folder without letters in its names: unsure. */
  async #isCaseless(folder: string): Promise<boolean> {
    return await isCaseless(this.#files, folder) ?? this.#unsure === "same";
  }

  async #look(path: string, isFolder: boolean): Promise<FileStat | undefined> {
    if (!isFolder || this.#believeMs === 0) return await this.#files.stat(path);
    const now = Date.now();
    const known = this.#looked.get(path);
    if (known !== undefined && now < known.until) return known.stat;
    if (this.#looked.size > 10_000) this.#looked.clear();
    const stat = await this.#files.stat(path);
    this.#looked.set(path, { until: now + this.#believeMs, stat });
    return stat;
  }
}

/** A place this process may not look at is judged by its name, below the deepest folder it may look at. */
async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Whether names in `folder` match in any letter case; undefined when nothing there can tell. */
export async function isCaseless(files: Files, folder: string): Promise<boolean | undefined> {
  const names = (await orUndefined(files.list(folder)) ?? []).map((entry) => join(folder, entry.name));
  for (const path of [...names, folder]) {
    const turned = join(dirname(path), turnCase(basename(path)));
    if (turned === path) continue;
    const identity = (await orUndefined(files.stat(path)))?.identity;
    if (identity === undefined) continue;
    return (await orUndefined(files.stat(turned)))?.identity === identity;
  }
  return undefined;
}

function turnCase(name: string): string {
  const lower = name.toLowerCase();
  return lower === name ? name.toUpperCase() : lower;
}

/** The directory entry a path names: parents resolved, a link at its end not followed. */
export async function entryOf(files: Files, path: string): Promise<string> {
  const absolute = files.absolute(path);
  return join(await files.real(dirname(absolute)), basename(absolute));
}
