/**
 * The line of `mcp add`, which holds the line of another program: flags of ours stand before the command, everything
 * behind it is the server's own.
 */
import { UsageError } from "../flags.ts";

export interface AddedServer {
  readonly name: string;
  readonly type: "stdio" | "http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ADD_USAGE = [
  "usage: reasonix mcp add NAME -- CMD ARGS…",
  "       reasonix mcp add NAME CMD ARGS…",
  "       reasonix mcp add -- CMD ARGS…",
  "       reasonix mcp add [NAME] URL",
  "       reasonix mcp add NAME --http URL [--header K=V]…",
  "       reasonix mcp add NAME --sse URL [--header K=V]…",
  "       --env K=V sets a variable of a local server; repeatable",
].join("\n");

const PAIR = /^([^=:\s]+)(?:=|:\s?)([\s\S]*)$/;

/** Throws `UsageError`. */
export function parseAddLine(argv: readonly string[]): AddedServer {
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const words: string[] = [];
  let remote: { type: "http" | "sse"; url: string } | undefined;
  let at = 0;
  // Of a server's own line nothing is read: it begins at `--`, or with the second word when that is no address.
  for (; at < argv.length && argv[at] !== "--"; at++) {
    const word = argv[at]!;
    if (words.length === 2 && !isAddress(words[1]!)) break;
    const [flag, inline] = splitFlag(word);
    if (flag === undefined) {
      words.push(word);
      continue;
    }
    const value = inline ?? argv[++at];
    if (value === undefined) throw new UsageError(`${flag} needs a value\n${ADD_USAGE}`);
    switch (flag) {
      case "--env":
      case "-e":
        pair(flag, value, env);
        break;
      case "--header":
      case "-H":
        pair(flag, value, headers);
        break;
      case "--http":
      case "--sse":
        if (remote) throw new UsageError("give one address");
        remote = { type: flag === "--http" ? "http" : "sse", url: value };
        break;
      case "--transport":
      case "-t":
        throw new UsageError(`write --http URL or --sse URL\n${ADD_USAGE}`);
      default:
        throw new UsageError(`unknown flag ${flag}; flags of the server's own command stand behind it\n${ADD_USAGE}`);
    }
  }
  const behind = argv[at] === "--" ? argv.slice(at + 1) : argv.slice(at);
  return toServer({ words, behind, separated: argv[at] === "--", remote, env, headers });
}

interface Read {
  readonly words: readonly string[];
  readonly behind: readonly string[];
  readonly separated: boolean;
  readonly remote: { readonly type: "http" | "sse"; readonly url: string } | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

function toServer({ words, behind, separated, remote, env, headers }: Read): AddedServer {
  const [first, second] = words;
  if (remote !== undefined) {
    if (first === undefined) throw new UsageError(`the name is missing\n${ADD_USAGE}`);
    if (second !== undefined || behind.length > 0) throw new UsageError("a remote server has no command");
    return withHeaders({ name: checked(first), type: remote.type, url: address(remote.url) }, headers, env);
  }
  const url = [first, second].find((word) => word !== undefined && isAddress(word));
  if (url !== undefined && !separated) {
    if (behind.length > 0 || (url === first && second !== undefined)) throw new UsageError(ADD_USAGE);
    const name = url === first ? nameOfAddress(url) : first!;
    return withHeaders({ name: checked(name), type: "http", url: address(url) }, headers, env);
  }
  const line = separated ? behind : [...words.slice(1), ...behind];
  if (separated && second !== undefined) throw new UsageError(`one name stands before --\n${ADD_USAGE}`);
  const [command, ...args] = line;
  if (command === undefined) {
    throw new UsageError(
      first === undefined ? ADD_USAGE : `what starts "${first}"? The command is missing\n${ADD_USAGE}`,
    );
  }
  if (Object.keys(headers).length > 0) throw new UsageError("--header goes with an address, not with a command");
  const name = first ?? nameOfCommand(line);
  return { name: checked(name), type: "stdio", command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
}

function withHeaders(server: AddedServer, headers: AddedServer["headers"] & object, env: object): AddedServer {
  if (Object.keys(env).length > 0) throw new UsageError("--env goes with a command, not with an address");
  return Object.keys(headers).length > 0 ? { ...server, headers } : server;
}

function splitFlag(word: string): [string | undefined, string?] {
  if (word.length < 2 || !word.startsWith("-")) return [undefined];
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

function pair(flag: string, value: string, into: Record<string, string>): void {
  const found = PAIR.exec(value);
  if (!found) throw new UsageError(`${flag} takes NAME=VALUE`);
  into[found[1]!] = found[2]!;
}

function checked(name: string): string {
  if (name.trim() === "" || name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) {
    throw new UsageError("a server's name is one line of at most 100 characters");
  }
  return name;
}

function address(url: string): string {
  // Variables in an address are filled in when the server is started.
  if (url.includes("${") || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url;
  throw new UsageError(`"${url}" is not an http or https address`);
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

function nameOfAddress(url: string): string {
  const labels = new URL(url).hostname.split(".").filter((label) => !/^(?:mcp|www|api)$/.test(label));
  return labels.length > 1 ? labels.at(-2)! : labels[0] ?? "server";
}

/** `npx -y @scope/server-memory@1.2` is named `memory`. */
function nameOfCommand(line: readonly string[]): string {
  const runners = /^(?:npx|bunx|uvx|uv|pipx|pnpm|node|deno|bun|python3?|docker|podman|run|dlx|exec|tool)$/;
  const word = line.find((one) => !one.startsWith("-") && !runners.test(one)) ?? line[0]!;
  const base = word.split(/[\\/]/).at(-1)!.replace(/(?<=.)@[^@]*$/, "").replace(/\.(?:js|mjs|ts|py|exe)$/, "");
  return base.replace(/^(?:mcp-)?server-/, "").replace(/-mcp(?:-server)?$/, "") || base;
}
