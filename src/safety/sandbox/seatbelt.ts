/**
 * The walls in the words of Seatbelt (macOS). Of several rules that match, the last decides. There is no private
 * `/tmp` and no process namespace. Pure.
 */
import { dirname } from "../../lib/path.ts";
import type { Walls } from "./walls.ts";

/** Written by ordinary programs wherever they run. */
const ALWAYS_WRITABLE = ["/dev", "/tmp", "/private/tmp", "/private/var/tmp", "/private/var/folders"];

export function seatbeltProfile(walls: Walls): string {
  const rules = ["(version 1)", "(allow default)", "(deny file-write*)"];
  const writable = [...ALWAYS_WRITABLE, ...(walls.temp === undefined ? [] : [walls.temp]), ...walls.roots];
  for (const path of writable) rules.push(`(allow file-write* (subpath ${text(path)}))`);
  for (const { path, access } of walls.caches) rules.push(fileRule(access, path));
  for (const { path, access } of walls.guards) {
    rules.push(fileRule(access, path));
    rules.push(`(deny file-write-unlink (literal ${text(path)}))`);
  }
  for (const { path } of walls.masks) {
    rules.push(`(deny file-read* file-write* (subpath ${text(path)}))`);
    rules.push(`(deny file-write-unlink (literal ${text(dirname(path))}))`);
  }
  if (walls.network !== "open") {
    rules.push("(deny network*)");
    rules.push("(allow network-outbound (remote unix-socket))", "(allow network-bind (local unix-socket))");
    if (walls.network === "proxy" && walls.proxyPort !== undefined) {
      rules.push(`(allow network-outbound (remote ip "localhost:${walls.proxyPort}"))`);
    }
  }
  for (const path of walls.deniedSockets) {
    rules.push(`(deny network-outbound (remote unix-socket (subpath ${text(path)})))`);
  }
  return rules.join("\n") + "\n";
}

function fileRule(access: "rw" | "ro", path: string): string {
  return `(${access === "rw" ? "allow" : "deny"} file-write* (subpath ${text(path)}))`;
}

function text(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}
