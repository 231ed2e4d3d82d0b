/**
 * Files are written, moved and removed only below the roots, judged by where a path really leads. Paths of Reasonix's
 * own state are never touched, even below a root.
 */
import { Refusal } from "../../contract/errors.ts";
import type { Files } from "../../contract/workspace.ts";
import { passThrough } from "./pass_through.ts";
import { entryOf, Places } from "./places.ts";

export interface WriteConfinement {
  /** Folders that may be written: the workspace first, as messages list them in this order. */
  readonly roots: readonly string[];
  /** Never written, whatever the roots say. */
  readonly protectedPaths: readonly string[];
}

export function confineWrites(files: Files, confinement: WriteConfinement): Files {
  const walls = new Walls(files, confinement);
  return {
    ...passThrough(files),
    write: async (path, bytes, options) => {
      const real = await files.real(path);
      await walls.mustAllow(files.absolute(path), real);
      return await files.write(real, bytes, { ...options, resolved: true });
    },
    move: async (from, to) => {
      const source = await entryOf(files, from);
      const target = await entryOf(files, to);
      await walls.mustAllow(files.absolute(from), source);
      await walls.mustAllow(files.absolute(to), target);
      await walls.mustNotCarry(source);
      await files.move(source, target, { resolved: true });
    },
    remove: async (path) => {
      const entry = await entryOf(files, path);
      await walls.mustAllow(files.absolute(path), entry);
      await walls.mustNotCarry(entry);
      await files.remove(entry);
    },
  };
}

class Walls {
  readonly #confinement: WriteConfinement;
  readonly #roots: Places;
  readonly #protected: Places;

  constructor(files: Files, confinement: WriteConfinement) {
    this.#confinement = confinement;
    this.#roots = new Places(files, confinement.roots);
    this.#protected = new Places(files, confinement.protectedPaths, { unsure: "same" });
  }

  async mustAllow(path: string, real: string): Promise<void> {
    const leadsTo = real === path ? "" : ` leads to ${real}, which`;
    const state = await this.#protected.holding(real);
    if (state !== undefined) {
      throw new Refusal(
        "workspace.write_outside_scope",
        `${path}${leadsTo} belongs to Reasonix's own state in ${state}; no tool writes there.`,
      );
    }
    if (await this.#roots.holding(real) !== undefined) return;
    throw new Refusal(
      "workspace.write_outside_scope",
      `${path}${leadsTo} lies outside the folders that may be written: ${this.#confinement.roots.join(", ")}.`,
      {
        remedy:
          "The person can allow another folder with --add-dir DIR or with allow_write under [sandbox] in the config.",
      },
    );
  }

  /** A folder is not moved away together with a root or with state inside it. */
  async mustNotCarry(entry: string): Promise<void> {
    const carried = await this.#roots.carriedBy(entry) ?? await this.#protected.carriedBy(entry);
    if (carried === undefined) return;
    throw new Refusal(
      "workspace.write_outside_scope",
      `${entry} holds ${carried}, which is never moved or removed.`,
    );
  }
}
