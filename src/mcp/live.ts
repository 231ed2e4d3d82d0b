/** One server connected: the transport its settings ask for, and how to part with it. */
import type { StartStage } from "../contract/servers.ts";
import { settledWithin } from "../lib/waiting.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { HostPorts } from "./host_ports.ts";
import { createCredentials } from "./oauth/credentials.ts";
import { SignInStore } from "./oauth/store.ts";
import { hasAuthorization, type ServerSettings } from "./settings.ts";
import { openRemote } from "./transports/remote.ts";
import { StdioTransport } from "./transports/stdio.ts";

export interface Live {
  readonly connection: Connection;
  /** The server keeps a session for us, which it may forget. */
  hasSession(): boolean;
  ended(): boolean;
  /** Says goodbye where that is possible. Nothing of the server's process lives afterwards. Never rejects. */
  end(): Promise<void>;
}

export interface LiveOptions {
  readonly ports: HostPorts;
  /** The server's private folder. */
  readonly folder: string;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** The program behind a local server, from before it is started. */
  program(stdio: StdioTransport): void;
  reached(stage: StartStage): void;
  changed(what: "tools" | "prompts" | "resources"): void;
  /** Once, however the connection ended. */
  closed(): void;
}

/** Longest wait for a goodbye over HTTP. Milliseconds. */
const GOODBYE = 700;

/** Settles after the handshake. Throws what went wrong; nothing is left then. */
export async function openLive(settings: ServerSettings, options: LiveOptions): Promise<Live> {
  const { ports, signal } = options;
  const { transport, terminate, hasSession } = await openTransport(settings, options);
  let ended = false;
  const connection = await openConnection({
    transport,
    version: ports.version,
    root: ports.root,
    ...(ports.elicit ? { elicit: (request, stop) => ports.elicit!(settings.name, request, stop) } : {}),
    changed: options.changed,
    closed: () => {
      ended = true;
      options.closed();
    },
    signal,
  });
  return {
    connection,
    hasSession,
    ended: () => ended,
    end: async () => {
      if (!ended) await settledWithin(terminate(), GOODBYE);
      await connection.close().catch(() => {});
    },
  };
}

async function openTransport(settings: ServerSettings, { ports, folder, program, reached }: LiveOptions) {
  const { target } = settings;
  if (target.kind === "stdio") {
    const transport = new StdioTransport({
      open: (spec) => ports.open(settings, spec),
      argv: [target.command, ...target.args],
      cwd: target.dir ?? ports.root,
      env: target.env,
      started: () => reached("initialize"),
    });
    program(transport);
    return { transport, terminate: () => Promise.resolve(), hasSession: () => false };
  }
  reached("initialize");
  const auth = hasAuthorization(target.headers)
    ? undefined
    : createCredentials({ store: new SignInStore(folder), resource: target.url, fetch: ports.fetch });
  const { transport, terminate } = await openRemote({ ...target, fetch: ports.fetch, ...(auth ? { auth } : {}) });
  return { transport, terminate, hasSession: () => transport.sessionId !== undefined };
}
