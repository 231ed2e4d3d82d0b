/**
 * A file system that ignores letter case, laid over the real one: each name is looked up in any spelling. As on Linux,
 * and unlike on macOS, the real form of a path keeps the spelling it was given.
 */
import type { Files } from "../../src/contract/workspace.ts";

export function ignoringCase(files: Files): Files {
  const spelt = async (path: string): Promise<string> => {
    let real = "";
    for (const name of files.absolute(path).split("/").slice(1)) {
      const entries = await files.list(real === "" ? "/" : real).catch(() => []);
      const entry = entries.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
      real += `/${entry?.name ?? name}`;
    }
    return real;
  };
  return {
    absolute: (path) => files.absolute(path),
    stat: async (path) => files.stat(await spelt(path)),
    read: async (path, options) => ({ ...await files.read(await spelt(path), options), path: await files.real(path) }),
    readHead: async (path, bytes) => files.readHead(await spelt(path), bytes),
    list: async (path) => files.list(await spelt(path)),
    hidden: async (path) => files.hidden(await spelt(path)),
    write: async (path, bytes, options) => files.write(await spelt(path), bytes, { ...options, resolved: false }),
    move: async (from, to) => files.move(await spelt(from), await spelt(to)),
    remove: async (path) => files.remove(await spelt(path)),
    real: (path) => files.real(path),
  };
}
