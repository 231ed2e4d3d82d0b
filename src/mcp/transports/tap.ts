/**
 * Stands between the protocol and a transport and mends what servers get wrong without harm: a protocol version this
 * program has not heard of, a handshake with parts missing, an answer stream that ends without the answer.
 */
import type { JSONRPCMessage, Transport, TransportSendOptions } from "@modelcontextprotocol/client";
import { isRecord } from "../../lib/json.ts";

type Outgoing = TransportSendOptions & { onRequestStreamEnd?: () => void };

const STREAM_ENDED = -32000;

export class Tap implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];

  readonly #inner: Transport;
  readonly #known: readonly string[];
  readonly #open = new Set<string | number>();
  #handshake: { readonly id: string | number; readonly offered: string } | undefined;
  #version = "";

  /** `known` are the versions the protocol layer accepts. */
  constructor(inner: Transport, known: readonly string[]) {
    this.#inner = inner;
    this.#known = known;
  }

  /** As the server said it. */
  get protocolVersion(): string {
    return this.#version;
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => {
      if ("id" in message && !("method" in message)) {
        this.#open.delete(message.id!);
        if (message.id === this.#handshake?.id && "result" in message) this.#mend(message.result);
      }
      this.onmessage?.(message, extra);
    };
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options: Outgoing = {}): Promise<void> {
    if (!("method" in message) || !("id" in message)) return await this.#inner.send(message, options);
    const { id } = message;
    if (message.method === "initialize") {
      this.#handshake = { id, offered: String((message.params as { protocolVersion?: unknown }).protocolVersion) };
    }
    this.#open.add(id);
    try {
      const more: Outgoing = { ...options, onRequestStreamEnd: () => this.#streamEnded(id) };
      await this.#inner.send(message, more);
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(this.#version === "" ? version : this.#version);
  }

  /** Without this the call would wait for its limit. */
  #streamEnded(id: string | number): void {
    if (!this.#open.delete(id)) return;
    const error = { code: STREAM_ENDED, message: "the server ended the answer's stream without the answer" };
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  #mend(result: Record<string, unknown>): void {
    const { protocolVersion, serverInfo } = result;
    this.#version = typeof protocolVersion === "string" && protocolVersion !== ""
      ? protocolVersion
      : this.#known.at(-1)!;
    result["protocolVersion"] = this.#known.includes(this.#version) ? this.#version : this.#handshake!.offered;
    if (!isRecord(result["capabilities"])) result["capabilities"] = { tools: {} };
    const info = isRecord(serverInfo) ? serverInfo : {};
    result["serverInfo"] = { ...info, name: String(info["name"] ?? ""), version: String(info["version"] ?? "") };
  }
}
