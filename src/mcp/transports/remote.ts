/** Servers over HTTP: the streaming transport of today, and the older one with a separate stream of events. */
import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import { boundFetch } from "./bounded_fetch.ts";

export interface RemoteOptions {
  readonly kind: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  readonly auth?: AuthProvider;
}

export interface RemoteTransport {
  readonly transport: Transport;
  /** Tells the server that the session is over, where it keeps one. */
  terminate(): Promise<void>;
}

/** Streams of a server that drops them now and then are opened again this often. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 4,
};

export async function openRemote(options: RemoteOptions): Promise<RemoteTransport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const url = new URL(options.url);
  const shared = {
    fetch: boundFetch(options.fetch),
    requestInit: { headers: { ...options.headers } },
    ...(options.auth ? { authProvider: options.auth } : {}),
    redirectPolicy: "same-origin" as const,
  };
  if (options.kind === "sse") {
    return { transport: new SSEClientTransport(url, shared), terminate: () => Promise.resolve() };
  }
  const transport = new StreamableHTTPClientTransport(url, {
    ...shared,
    reconnectionOptions: RECONNECTION,
    onInsufficientScope: "throw",
  });
  return { transport, terminate: () => transport.terminateSession() };
}
