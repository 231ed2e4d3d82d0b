/**
 * The only way out for commands when hosts are filtered: an HTTP proxy of our own that asks the rules for each
 * connection. It sees names and ports, never inside an encrypted connection; a name it lets through must not lead to
 * this machine or a local network unless it is listed itself.
 */
import { join } from "../../lib/path.ts";
import { concatBytes, toBytes, toText } from "../../lib/bytes.ts";
import { makeTempFolder } from "../../lib/temp_folder.ts";
import { copy, writeAll } from "./relay.ts";
import {
  type DomainRules,
  isAllowedTarget,
  isLocalAddress,
  isNamedLiterally,
  parseTarget,
  type Target,
} from "./domain_rules.ts";

export interface DomainProxy {
  /** Unix socket, or undefined where a port is used. */
  readonly socket?: string;
  readonly port?: number;
  /** How many hosts were turned away so far; a mark for `refusedSince`. */
  readonly refusedCount: number;
  refusedSince(count: number): readonly string[];
  close(): Promise<void>;
}

const LARGEST_HEAD = 32 * 1024;
const HEAD_MS = 15_000;

/** `socket`: in a private folder of its own. `port`: on the loopback interface. */
export function createDomainProxy(options: {
  readonly rules: DomainRules;
  readonly on: "socket" | "port";
  /** See `makeTempFolder`. */
  readonly tempNotes?: string | undefined;
}): DomainProxy {
  const { rules } = options;
  const folder = options.on === "socket" ? makeTempFolder(options.tempNotes, { what: "proxy" }) : undefined;
  const listener = folder === undefined
    ? Deno.listen({ hostname: "127.0.0.1", port: 0 })
    : Deno.listen({ transport: "unix", path: join(folder.path, "proxy.sock") });
  const open = new Set<Deno.Conn>();
  const refused: string[] = [];
  const serving = serve();

  async function serve(): Promise<void> {
    const running = new Set<Promise<void>>();
    try {
      for await (const client of listener) {
        const work = handle(client).catch(() => {});
        running.add(work);
        work.then(() => running.delete(work));
      }
    } catch {
      // Closed.
    }
    await Promise.all(running);
  }

  async function handle(client: Deno.Conn): Promise<void> {
    open.add(client);
    let server: Deno.Conn | undefined;
    try {
      const request = await readRequest(client);
      if (request === undefined) return await answer(client, "400 Bad Request", "this is an HTTP proxy");
      const { target } = request;
      const name = `${target.host}:${target.port}`;
      if (!isAllowedTarget(target, rules)) return await refuse(client, name);
      server = await connect(target).catch(() => undefined);
      if (server === undefined) return await answer(client, "502 Bad Gateway", `cannot reach ${name}`);
      open.add(server);
      if (leadsInside(server, target)) return await refuse(client, name);
      if (request.kind === "tunnel") await client.write(toBytes("HTTP/1.1 200 Connection established\r\n\r\n"));
      await writeAll(server, request.first);
      await Promise.all([copy(client, server), copy(server, client)]);
    } finally {
      for (const connection of [client, server]) if (connection) close(connection);
    }
  }

  function leadsInside(server: Deno.Conn, target: Target): boolean {
    const address = server.remoteAddr as Deno.NetAddr;
    return rules.allowed.length > 0 && isLocalAddress(address.hostname) && !isNamedLiterally(target, rules);
  }

  async function refuse(client: Deno.Conn, name: string): Promise<void> {
    refused.push(name);
    await answer(
      client,
      "403 Forbidden",
      `the sandbox does not let commands reach ${name} (allowed_domains, denied_domains)`,
    );
  }

  function close(connection: Deno.Conn): void {
    open.delete(connection);
    try {
      connection.close();
    } catch {
      // Closed already.
    }
  }

  return {
    ...(listener.addr.transport === "unix" ? { socket: listener.addr.path } : {}),
    ...(listener.addr.transport === "tcp" ? { port: listener.addr.port } : {}),
    get refusedCount() {
      return refused.length;
    },
    refusedSince: (count) => [...new Set(refused.slice(count))],
    async close() {
      listener.close();
      for (const connection of [...open]) close(connection);
      await serving;
      await folder?.remove();
    },
  };
}

interface Request {
  readonly kind: "tunnel" | "plain";
  readonly target: Target;
  /** What goes to the server first. */
  readonly first: Uint8Array;
}

async function readRequest(client: Deno.Conn): Promise<Request | undefined> {
  const late = setTimeout(() => client.close(), HEAD_MS);
  try {
    let read = new Uint8Array();
    const buffer = new Uint8Array(8192);
    for (;;) {
      const count = await client.read(buffer);
      if (count === null) return undefined;
      read = concatBytes(read, buffer.subarray(0, count));
      const end = headEnd(read);
      if (end >= 0) return parseRequest(toText(read.subarray(0, end)), read.subarray(end));
      if (read.length > LARGEST_HEAD) return undefined;
    }
  } finally {
    clearTimeout(late);
  }
}

function headEnd(bytes: Uint8Array): number {
  for (let i = 3; i < bytes.length; i++) {
    if (bytes[i] === 10 && bytes[i - 1] === 13 && bytes[i - 2] === 10 && bytes[i - 3] === 13) return i + 1;
  }
  return -1;
}

function parseRequest(head: string, body: Uint8Array): Request | undefined {
  const [line = "", ...headers] = head.split("\r\n");
  const [, method, address, version] = /^([A-Z]+) (\S+) (HTTP\/1\.[01])$/.exec(line) ?? [];
  if (method === undefined || address === undefined) return undefined;
  if (method === "CONNECT") {
    const target = parseTarget(address, 443);
    return target && { kind: "tunnel", target, first: body };
  }
  const parts = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(address);
  const target = parts ? parseTarget(parts[1]!, 80) : undefined;
  if (!parts || target === undefined) return undefined;
  // One request a connection: the next may be for another host and has to be asked for anew.
  const kept = headers.filter((header) => header !== "" && !/^(?:proxy-|connection:|host:)/i.test(header));
  const path = parts[2]!.startsWith("/") ? parts[2]! : `/${parts[2]}`;
  const out = [`${method} ${path} ${version}`, `Host: ${parts[1]}`, ...kept, "Connection: close"].join("\r\n");
  const start = toBytes(`${out}\r\n\r\n`);
  return { kind: "plain", target, first: concatBytes(start, body) };
}

async function connect(target: Target): Promise<Deno.Conn> {
  return await Deno.connect({ hostname: target.host, port: target.port });
}

async function answer(client: Deno.Conn, status: string, text: string): Promise<void> {
  const body = `${text}\n`;
  await writeAll(
    client,
    toBytes(
      `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    ),
  );
}
