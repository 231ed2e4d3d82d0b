/**
 * One live connection: handshake, requests, notifications, close, written once over every transport. Results come as
 * the server sent them; nothing here judges them.
 */
import type { Client, Transport } from "@modelcontextprotocol/client";
import { basename } from "../lib/path.ts";
import { LONGEST_DELAY } from "../lib/waiting.ts";
import { Tap } from "./transports/tap.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What becomes of a form. No interface: the SDK wants a type that takes other keys. */
export type ElicitAnswer = {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
};

/** What a server asks of the person through a form. */
export type Elicit = (request: Fields, signal: AbortSignal) => Promise<ElicitAnswer>;

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly version: string;
  /** Absolute; told to servers as their workspace. */
  readonly root: string;
  /** Absent: a server is told that nobody can answer. */
  readonly elicit?: Elicit;
  /** The server says that what it offers has changed. */
  changed(what: "tools" | "prompts" | "resources"): void;
  closed(): void;
  /** Ends the handshake. */
  readonly signal: AbortSignal;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Chosen by the caller and part of the request's `_meta`. */
  readonly progressToken?: string;
  onProgress?(text: string): void;
}

export interface Connection {
  readonly protocolVersion: string;
  readonly serverName: string;
  readonly serverVersion: string;
  readonly capabilities: Fields;
  /** Rejects with what the server answered, with the abort, or when the connection ends. */
  call(method: string, params: Fields, options: CallOptions): Promise<Fields>;
  notify(method: string, params?: Fields): Promise<void>;
  close(): Promise<void>;
}

/** Offered newest first; the server may answer with any other, which is then used. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** Limits are the caller's: this one is never reached. Milliseconds. */
const NO_LIMIT = LONGEST_DELAY;

export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const sdk = await import("@modelcontextprotocol/client");
  const { root, elicit, signal } = options;
  const client: Client = new sdk.Client({ name: "reasonix", version: options.version }, {
    supportedProtocolVersions: VERSIONS,
    capabilities: {
      roots: {},
      ...(elicit === undefined ? {} : { elicitation: { form: { applyDefaults: true } } }),
    },
  });
  const progress = new Map<string | number, (text: string) => void>();
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: fileUri(root), name: basename(root) || "/" }] }));
  if (elicit !== undefined) {
    client.setRequestHandler(
      "elicitation/create",
      async (request, context) => await elicit(request.params as unknown as Fields, context.mcpReq.signal),
    );
  }
  client.setNotificationHandler("notifications/progress", ({ params }) => {
    progress.get(params.progressToken)?.(progressText(params as Fields));
  });
  for (const what of ["tools", "prompts", "resources"] as const) {
    client.setNotificationHandler(`notifications/${what}/list_changed`, () => options.changed(what));
  }
  // Faults beside a call: the call itself tells what became of it.
  client.onerror = () => {};
  client.onclose = options.closed;

  const tap = new Tap(options.transport, VERSIONS);
  const stop = () => void tap.close().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(tap, { signal, timeout: NO_LIMIT });
  } catch (error) {
    await tap.close().catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const info = client.getServerVersion();
  return {
    protocolVersion: tap.protocolVersion,
    serverName: info?.name ?? "",
    serverVersion: info?.version ?? "",
    capabilities: client.getServerCapabilities() as Fields ?? {},
    async call(method, params, { signal, progressToken, onProgress }) {
      if (progressToken !== undefined && onProgress) progress.set(progressToken, onProgress);
      try {
        return await client.request({ method, params: { ...params } }, ANYTHING, {
          signal,
          timeout: NO_LIMIT,
        }) as Fields;
      } finally {
        if (progressToken !== undefined) progress.delete(progressToken);
      }
    },
    notify: (method, params) => client.notification({ method, ...(params ? { params: { ...params } } : {}) }),
    close: () => tap.close(),
  };
}

/** A result of any shape: one odd tool must not cost the others. */
const ANYTHING = {
  "~standard": {
    version: 1 as const,
    vendor: "reasonix",
    validate: (value: unknown) =>
      typeof value === "object" && value !== null
        ? { value: value as Fields }
        : { issues: [{ message: "the result is not an object" }] },
  },
};

function progressText({ message, progress, total }: Fields): string {
  const share = typeof progress !== "number"
    ? ""
    : typeof total === "number" && total > 0
    ? `${Math.min(100, Math.round(progress / total * 100))} %`
    : `${progress}`;
  return [share, typeof message === "string" ? message : ""].filter((part) => part !== "").join(" ");
}

function fileUri(path: string): string {
  const url = new URL("file:///");
  url.pathname = path.replaceAll("%", "%25").replaceAll("\\", "/");
  return url.href;
}
