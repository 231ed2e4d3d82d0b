/**
 * What one server offers: as it said in an earlier session until it has been asked, then as it says now. What was read
 * of a connection that is gone meanwhile counts no more.
 */
import {
  type Listed,
  listPrompts,
  listResources,
  listTools,
  type RemotePrompt,
  type RemoteResource,
  type RemoteTool,
} from "./listing.ts";
import type { Live } from "./live.ts";
import { saveToolCache } from "./tool_cache.ts";

export interface OfferOptions {
  /** The server's private folder. */
  readonly folder: string;
  /** Of the connection: what is kept for another session is kept for this one alone. */
  readonly identity: string;
  readonly cached?: readonly RemoteTool[];
  /** The connection in force. */
  live(): Live | undefined;
  /** Told after any change. */
  changed(): void;
}

/** A server that says again and again that its list has changed is heard this often. Milliseconds. */
const RELIST_PAUSE = 1_000;
const LIST_LIMIT = 15_000;

export class Offer {
  readonly #options: OfferOptions;
  #tools: ReadonlyMap<string, RemoteTool> | undefined;
  #prompts: readonly RemotePrompt[] = [];
  #resources: readonly RemoteResource[] = [];
  #problems: readonly string[] = [];
  #saving: Promise<void> = Promise.resolve();
  #others: Promise<void> = Promise.resolve();
  #relisting = false;
  /** What has changed since it was last asked for. */
  readonly #stale = new Set<"tools" | "prompts" | "resources">();

  constructor(options: OfferOptions) {
    this.#options = options;
    if (options.cached !== undefined) this.#tools = byName(options.cached);
  }

  /** By the server's own names; undefined while nothing is known. */
  get tools(): ReadonlyMap<string, RemoteTool> | undefined {
    return this.#tools;
  }

  get prompts(): readonly RemotePrompt[] {
    return this.#prompts;
  }

  get resources(): readonly RemoteResource[] {
    return this.#resources;
  }

  /** What of it cannot be used and why; one line each. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Remembers for later sessions that this server was started and has not listed anything yet. */
  rememberTry(): void {
    if (this.#tools === undefined) this.#save(null);
  }

  /** Of a connection that is in force from now on. */
  begin(live: Live, tools: Listed<RemoteTool>): void {
    this.#take(tools);
    this.#others = this.#readOthers(live).catch(() => {});
  }

  /** The server says that something has changed. */
  refresh(what: "tools" | "prompts" | "resources"): void {
    this.#stale.add(what);
    if (!this.#relisting) void this.#readAgain();
  }

  /** Settles when prompts and resources are listed. Never rejects. */
  async complete(): Promise<void> {
    await this.#others;
  }

  /** Settles when what is to be remembered is on the disk. Never rejects. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  #take({ items, problems }: Listed<RemoteTool>): void {
    this.#problems = problems;
    this.#tools = byName(items);
    this.#save(items);
    this.#options.changed();
  }

  /** One after the other, so that the last one counts. */
  #save(tools: readonly RemoteTool[] | null): void {
    const { folder, identity } = this.#options;
    this.#saving = this.#saving.then(() => saveToolCache(folder, identity, tools));
  }

  async #readOthers(live: Live): Promise<void> {
    const { connection } = live;
    const signal = AbortSignal.timeout(LIST_LIMIT);
    const has = (name: string) => connection.capabilities[name] !== undefined;
    // A server that fails at these is a server without them.
    const [prompts, resources] = await Promise.all([
      has("prompts") ? listPrompts(connection, signal).catch(() => undefined) : undefined,
      has("resources") ? listResources(connection, signal).catch(() => undefined) : undefined,
    ]);
    if (!this.#isInForce(live)) return;
    this.#prompts = prompts?.items ?? [];
    this.#resources = resources?.items ?? [];
    this.#options.changed();
  }

  /** Never rejects. Goes on while the server tells of more: a change during a listing may not be in it. */
  async #readAgain(): Promise<void> {
    this.#relisting = true;
    while (this.#stale.size > 0) {
      await new Promise((rested) => setTimeout(rested, RELIST_PAUSE));
      const live = this.#options.live();
      const tools = this.#stale.has("tools");
      const others = this.#stale.has("prompts") || this.#stale.has("resources");
      this.#stale.clear();
      // A connection to come lists everything by itself.
      if (live === undefined) break;
      await Promise.all([tools && this.#readTools(live).catch(() => {}), others && this.#readOthers(live)]);
    }
    this.#relisting = false;
  }

  async #readTools(live: Live): Promise<void> {
    const tools = await listTools(live.connection, AbortSignal.timeout(LIST_LIMIT));
    if (this.#isInForce(live)) this.#take(tools);
  }

  #isInForce(live: Live): boolean {
    return this.#options.live() === live;
  }
}

function byName(tools: readonly RemoteTool[]): ReadonlyMap<string, RemoteTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}
