/**
 * One server of a session: its connection, how it is doing, and calls to it. Starts are shared by all who wait for
 * one, a crash costs the calls that were under way, and the next call starts it anew.
 */
import { isAbort, Refusal, ToolError } from "../contract/errors.ts";
import type { ServerState, ServerView, StartStage } from "../contract/servers.ts";
import { FileError } from "../contract/workspace.ts";
import { createRedactor, type Redactor } from "../lib/redact.ts";
import { isSecretValue } from "../lib/secret_filter.ts";
import { SerialGate } from "../lib/serial_gate.ts";
import { settledWithin } from "../lib/waiting.ts";
import type { Fields } from "./connection.ts";
import { type Failure, toFailure } from "./server_failure.ts";
import type { HostPorts } from "./host_ports.ts";
import { type Live, openLive } from "./live.ts";
import { listTools, type RemotePrompt, type RemoteResource, type RemoteTool } from "./listing.ts";
import { Offer } from "./offer.ts";
import { readResult } from "./result.ts";
import { hasAuthorization, secretsOf, type ServerSettings } from "./settings.ts";
import type { StdioTransport } from "./transports/stdio.ts";
import { CALL_WAIT_MS } from "./waits.ts";

export interface ServerOptions {
  readonly settings: ServerSettings;
  readonly identity: string;
  /** Its private folder. */
  readonly folder: string;
  readonly ports: HostPorts;
  /** What it offered last time. */
  readonly cached?: readonly RemoteTool[];
  /** It was started in an earlier session, over this very connection. */
  readonly tried: boolean;
  /** Told after any change of `view` or `tools`. */
  changed(): void;
}

export interface RemoteCall {
  readonly tool: string;
  readonly args: Fields;
  /** What the call was judged by; it is not made when the server now says worse of itself. */
  readonly judged?: Pick<RemoteTool, "readOnly" | "destructive">;
  /** Kept over what is set here. */
  readonly meta?: Fields;
  readonly planning?: boolean;
  progress?(text: string): void;
}

/** Starts that fail in a row until only the person can ask for another. */
const FAILED_STARTS = 3;
/** What is told of a failure. Characters. */
const REASON = 500;

export class Server {
  readonly settings: ServerSettings;
  readonly #options: ServerOptions;
  readonly #offer: Offer;
  readonly #redact: Redactor;
  readonly #gate: SerialGate | undefined;
  #state: ServerState;
  #reason: string | undefined;
  #stage: StartStage | undefined;
  #startedAt: number | undefined;
  #startMs: number | undefined;
  #failedStarts = 0;
  #attempt: Promise<void> | undefined;
  #stopAttempt: AbortController | undefined;
  #live: Live | undefined;
  #stdio: StdioTransport | undefined;
  #signInScope: string | undefined;
  #closed = false;

  constructor(options: ServerOptions) {
    const { settings, folder, identity, cached, changed } = options;
    this.settings = settings;
    this.#options = options;
    this.#offer = new Offer({
      folder,
      identity,
      ...(cached ? { cached } : {}),
      live: () => this.#live,
      changed,
    });
    this.#redact = createRedactor(
      secretsOf(settings).flatMap((value) => [value, ...value.split(/\s+/)]).filter(isSecretValue),
    );
    this.#gate = settings.concurrency === "serial" ? new SerialGate() : undefined;
    this.#state = !settings.enabled ? "disabled" : settings.problem === undefined ? "waiting" : "failed";
    this.#reason = settings.enabled ? settings.problem : "switched off in the settings";
  }

  /** By the server's own names; undefined while nothing is known. From the last session until it has been asked. */
  get tools(): ReadonlyMap<string, RemoteTool> | undefined {
    return this.#offer.tools;
  }

  /** Started in an earlier session, whatever came of it. */
  get wasTried(): boolean {
    return this.#options.tried;
  }

  get prompts(): readonly RemotePrompt[] {
    return this.#offer.prompts;
  }

  get resources(): readonly RemoteResource[] {
    return this.#offer.resources;
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The scope its last refusal asked for. */
  get signInScope(): string | undefined {
    return this.#signInScope;
  }

  get view(): Omit<ServerView, "direct"> {
    const { settings } = this;
    const ms = this.#state === "starting" ? this.#options.ports.now() - this.#startedAt! : this.#startMs;
    const stderr = this.#redact(this.#stdio?.stderr ?? "", 2_000);
    const live = this.#live?.connection;
    const odd = this.#stdio?.oddLines;
    const { tools, prompts, resources } = this.#offer;
    const known = [...settings.notes, ...this.#offer.problems];
    const problems = odd === undefined || odd.count === 0 ? known : [
      ...known,
      `${odd.count} lines on its standard output were no messages, such as: ${this.#redact(odd.sample, 120)}`,
    ];
    return {
      name: settings.name,
      transport: settings.target.kind,
      state: this.#state,
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(this.#stage === undefined ? {} : { stage: this.#stage }),
      ...(ms === undefined ? {} : { startMs: Math.round(ms) }),
      required: settings.required,
      tools: tools?.size ?? 0,
      prompts: prompts.length,
      resources: resources.length,
      ...(stderr === "" ? {} : { stderr }),
      ...(live ? { identity: this.#redact(`${live.serverName} ${live.serverVersion}`.trim(), 120) } : {}),
      problems,
    };
  }

  /** Begins to start it and comes back at once. */
  startInBackground(): void {
    if (this.#mayStart()) void this.#start().catch(() => {});
  }

  /** Settles when no start is under way; never rejects. */
  async settled(): Promise<void> {
    await this.#attempt?.catch(() => {});
  }

  /** As `settled`, and prompts and resources are listed too. */
  async complete(): Promise<void> {
    await this.settled();
    await this.#offer.complete();
  }

  /** Whatever went before. Never rejects. */
  async reconnect(): Promise<void> {
    if (this.#closed || this.settings.problem !== undefined) return;
    this.#stopAttempt?.abort();
    await this.settled();
    await this.#drop();
    this.#failedStarts = 0;
    this.#state = "waiting";
    await this.#start().catch(() => {});
  }

  async setEnabled(enabled: boolean): Promise<void> {
    if (enabled) {
      if (this.#state === "disabled") await this.reconnect();
      return;
    }
    this.#stopAttempt?.abort();
    await this.settled();
    this.#state = "disabled";
    this.#reason = "switched off for this session";
    await this.#drop();
    this.#options.changed();
  }

  /** Runs a tool. Throws `ToolError` and, when `signal` aborts, its reason. */
  async callTool(call: RemoteCall, signal: AbortSignal): Promise<string> {
    const work = () => this.#callTool(call, signal);
    return await (this.#gate ? this.#gate.run(work, signal) : work());
  }

  /** Any other request. Throws as `callTool` does. */
  async request(method: string, params: Fields, signal: AbortSignal): Promise<Fields> {
    const work = () =>
      this.#withLive(signal, ({ connection }, limited) => connection.call(method, params, { signal: limited }));
    return await (this.#gate ? this.#gate.run(work, signal) : work());
  }

  /** Waits a moment for a server that is not ready. Throws `ToolError` saying what it is doing instead. */
  async ready(signal: AbortSignal): Promise<void> {
    await this.#ready(signal);
  }

  /** Nothing of it lives afterwards. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopAttempt?.abort();
    await Promise.all([this.settled(), this.#drop()]);
    await this.#offer.saved();
  }

  async #callTool(call: RemoteCall, signal: AbortSignal): Promise<string> {
    const { target, toolMs, callMs } = this.settings;
    const result = await this.#withLive(signal, async ({ connection }, limited) => {
      this.#judge(call);
      const { root, nextToken } = this.#options.ports;
      const local = target.kind === "stdio"
        ? { "io.reasonix/cwd": root, "io.reasonix/readOnly": call.planning === true }
        : {};
      const meta = { progressToken: nextToken(), ...local, ...call.meta };
      return await connection.call("tools/call", { name: call.tool, arguments: call.args, _meta: meta }, {
        signal: limited,
        progressToken: String(meta.progressToken),
        ...(call.progress ? { onProgress: call.progress } : {}),
      });
    }, toolMs[call.tool] || callMs);
    const { text, failed } = readResult(result);
    if (failed) throw new ToolError(text);
    return text;
  }

  /** Facts of the last session may be old: what is worse than what the gate was told is not run under its answer. */
  #judge({ tool, judged }: RemoteCall): void {
    const now = this.tools?.get(tool);
    if (now === undefined) throw new ToolError(`server "${this.settings.name}" has no tool "${tool}" (any more)`);
    if (judged === undefined) return;
    if ((judged.readOnly && !now.readOnly) || (!judged.destructive && now.destructive)) {
      throw new ToolError(
        `"${tool}" of server "${this.settings.name}" now says that it changes things; nothing was run. ` +
          `Call it again if it is still wanted.`,
      );
    }
  }

  async #withLive(
    signal: AbortSignal,
    work: (live: Live, signal: AbortSignal) => Promise<Fields>,
    limitMs = this.settings.callMs,
  ): Promise<Fields> {
    for (let again = false;; again = true) {
      const live = await this.#ready(signal);
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), limitMs);
      try {
        return await work(live, AbortSignal.any([signal, limit.signal]));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (error instanceof ToolError) throw error;
        if (limit.signal.aborted) throw this.#overLimit(limitMs);
        const failure = toFailure(error);
        // The server says that it did not take the request, so that asking once more repeats nothing.
        if (failure.kind === "session_expired" && live.hasSession() && !again) {
          await this.#drop(live);
          continue;
        }
        throw this.#callFailed(live, failure);
      } finally {
        clearTimeout(timer);
      }
    }
  }

  #overLimit(limitMs: number): ToolError {
    const seconds = limitMs / 1000;
    return new ToolError(
      `server "${this.settings.name}" gave no answer within ${seconds} s and was told to stop; its effect is unknown`,
    );
  }

  #callFailed(live: Live, failure: Failure): ToolError {
    const { name } = this.settings;
    const text = this.#redact(failure.text, REASON);
    switch (failure.kind) {
      case "sign_in":
        this.#needSignIn(failure);
        return new ToolError(this.#notReady());
      case "lost": {
        // The connection's end is noticed before its calls fail, so that its reason is known here.
        const end = live.ended() ? this.#reason ?? text : text;
        return new ToolError(`server "${name}" went away in the middle of the call (${end}); its effect is unknown`);
      }
      case "answered":
        return new ToolError(`server "${name}" refused the request: ${text}`);
      default:
        return new ToolError(`the request to server "${name}" failed: ${text}`);
    }
  }

  #mayStart(): boolean {
    return !this.#closed && !this.#live && !this.#attempt && this.#state !== "disabled" &&
      this.settings.problem === undefined && this.#failedStarts < FAILED_STARTS;
  }

  async #ready(signal: AbortSignal): Promise<Live> {
    signal.throwIfAborted();
    if (this.#live) return this.#live;
    if (this.#mayStart()) void this.#start().catch(() => {});
    if (this.#attempt) await settledWithin(this.settled(), CALL_WAIT_MS, signal);
    if (this.#live) return this.#live;
    throw new ToolError(this.#notReady());
  }

  #notReady(): string {
    const { name } = this.settings;
    switch (this.#state) {
      case "starting":
        return `server "${name}" is still starting (${this.#stage}); call again in a moment, or do something else first`;
      case "needs_sign_in":
        return `server "${name}" needs the person to sign in first: reasonix mcp auth ${name}`;
      case "disabled":
        return `server "${name}" is switched off`;
      default:
        return this.#failedStarts >= FAILED_STARTS
          ? `server "${name}" failed to start ${this.#failedStarts} times and is left alone now: ${this.#reason}`
          : `server "${name}" is not available: ${this.#reason ?? "it is closed"}`;
    }
  }

  #start(): Promise<void> {
    return this.#attempt ??= this.#tryStart().finally(() => this.#attempt = undefined);
  }

  async #tryStart(): Promise<void> {
    const { ports, changed } = this.#options;
    const stop = this.#stopAttempt = new AbortController();
    this.#startedAt = ports.now();
    this.#state = "starting";
    this.#reason = undefined;
    this.#stage = "launch";
    changed();
    if (!this.wasTried) this.#offer.rememberTry();
    const release = await ports.slots.take(stop.signal).catch(() => undefined);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop.abort();
    }, this.settings.startupMs);
    let live: Live | undefined;
    try {
      stop.signal.throwIfAborted();
      live = await this.#connect(stop.signal);
      this.#stage = "tools/list";
      const listed = await listTools(live.connection, stop.signal);
      if (live.ended()) throw new Error("the connection ended");
      stop.signal.throwIfAborted();
      this.#live = live;
      this.#stage = undefined;
      this.#state = "ready";
      this.#failedStarts = 0;
      this.#offer.begin(live, listed);
    } catch (error) {
      await live?.end();
      const failure = toFailure(error);
      if (failure.kind === "sign_in" && !late) this.#needSignIn(failure);
      else if (this.#state === "starting") {
        if (stop.signal.aborted && !late) {
          // Whoever stopped it knows what it is from now on; nothing has failed.
          this.#state = "waiting";
          this.#stage = undefined;
        } else {
          this.#failedStarts++;
          this.#state = "failed";
          this.#reason = this.#withStderr(
            late
              ? `it was not ready within ${this.settings.startupMs / 1000} s (${this.#stage})`
              : startText(error, this.#stdio, failure),
          );
        }
      }
      throw error;
    } finally {
      clearTimeout(timer);
      release?.();
      this.#startMs = ports.now() - this.#startedAt;
      changed();
    }
  }

  async #connect(signal: AbortSignal): Promise<Live> {
    const { settings } = this;
    const { ports, folder } = this.#options;
    return await openLive(settings, {
      ports,
      folder,
      signal,
      program: (stdio) => this.#stdio = stdio,
      reached: (stage) => this.#stage = stage,
      changed: (what) => this.#offer.refresh(what),
      closed: () => this.#lost(),
    });
  }

  /** The connection ended without having been asked to. */
  #lost(): void {
    if (this.#live === undefined) return;
    this.#live = undefined;
    this.#state = "failed";
    this.#reason = this.#withStderr(this.#stdio?.end || "the connection ended");
    this.#options.changed();
  }

  async #drop(live = this.#live): Promise<void> {
    if (live === undefined) return;
    if (this.#live === live) this.#live = undefined;
    await live.end();
  }

  #needSignIn(failure: Failure): void {
    const { target } = this.settings;
    const fixed = target.kind !== "stdio" && hasAuthorization(target.headers);
    this.#signInScope = failure.scope;
    this.#stage = "authorization";
    this.#state = fixed ? "failed" : "needs_sign_in";
    this.#reason = fixed ? "it refused the configured Authorization header" : failure.text;
    void this.#drop();
    this.#options.changed();
  }

  #withStderr(text: string): string {
    const said = (this.#stdio?.stderr ?? "").trim().split("\n").slice(-6).join("\n");
    return this.#redact(said === "" ? text : `${text}; it said: ${said}`, REASON);
  }
}

function startText(error: unknown, stdio: StdioTransport | undefined, failure: Failure): string {
  if (error instanceof FileError || error instanceof Refusal) {
    const remedy = error instanceof Refusal && error.remedy ? ` ${error.remedy}` : "";
    return error.message + remedy;
  }
  if (isAbort(error)) return "its start was stopped";
  return stdio?.end || failure.text;
}
