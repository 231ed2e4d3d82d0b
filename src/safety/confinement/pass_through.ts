/** Every operation of a workspace's files handed on as it is; a wrapper spreads this and replaces what it guards. */
import type { Files } from "../../contract/workspace.ts";

export function passThrough(files: Files): Files {
  return {
    absolute: (path) => files.absolute(path),
    stat: (path) => files.stat(path),
    read: (path, options) => files.read(path, options),
    readHead: (path, bytes) => files.readHead(path, bytes),
    list: (path) => files.list(path),
    hidden: (path) => files.hidden(path),
    write: (path, bytes, options) => files.write(path, bytes, options),
    move: (from, to, options) => files.move(from, to, options),
    remove: (path) => files.remove(path),
    real: (path) => files.real(path),
  };
}
