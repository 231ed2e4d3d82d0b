/** File contents by their SHA-256. A content is stored once, whole or not at all, and proves itself when it is read. */
import { replaceFile } from "../../lib/atomic_file.ts";
import { sha256 } from "../../lib/bytes.ts";
import { mustBeOwnFolder, readSideFile } from "../side_file.ts";

export class Blobs {
  #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The contents lie elsewhere now. */
  relocate(directory: string): void {
    this.#directory = directory;
  }

  /** Answers the address. Throws what the system answers. */
  async put(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const hash = await sha256(bytes);
    if (await this.#size(hash) === bytes.length) return hash;
    mustBeOwnFolder(this.#directory);
    await Deno.mkdir(`${this.#directory}/${hash.slice(0, 2)}`, { recursive: true, mode: 0o700 });
    await replaceFile(this.#path(hash), bytes, { mode: 0o600 });
    return hash;
  }

  /** Undefined when it is not there any more, or holds something else by now. */
  async get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const bytes = readSideFile(this.#path(hash), Infinity);
      return await sha256(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  async has(hash: string): Promise<boolean> {
    return await this.#size(hash) !== undefined;
  }

  /** Removes all but these. What cannot be removed stays. */
  async keepOnly(kept: ReadonlySet<string>): Promise<void> {
    for (const { folder, name } of await this.#all()) {
      if (!kept.has(name)) await Deno.remove(`${folder}/${name}`).catch(() => {});
    }
  }

  /** The same contents under another folder, sharing the disk where the file system can. */
  async copyTo(directory: string): Promise<void> {
    for (const { folder, name } of await this.#all()) {
      const target = `${directory}/${name.slice(0, 2)}`;
      await Deno.mkdir(target, { recursive: true, mode: 0o700 });
      await Deno.link(`${folder}/${name}`, `${target}/${name}`)
        .catch(() => Deno.copyFile(`${folder}/${name}`, `${target}/${name}`));
    }
  }

  async #all(): Promise<{ readonly folder: string; readonly name: string }[]> {
    const found: { folder: string; name: string }[] = [];
    try {
      mustBeOwnFolder(this.#directory);
      for await (const part of Deno.readDir(this.#directory)) {
        if (!part.isDirectory) continue;
        const folder = `${this.#directory}/${part.name}`;
        for await (const { name, isFile } of Deno.readDir(folder)) {
          if (isFile && /^[0-9a-f]{64}$/.test(name)) found.push({ folder, name });
        }
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return found;
  }

  async #size(hash: string): Promise<number | undefined> {
    try {
      return (await Deno.stat(this.#path(hash))).size;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  #path(hash: string): string {
    return `${this.#directory}/${hash.slice(0, 2)}/${hash}`;
  }
}
