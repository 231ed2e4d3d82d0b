/** What is left on the account of the model's provider: asked for once, or kept in sight while the person wants it. */
import { providerSettings, resolveModel } from "../config/mod.ts";
import { ReasonixError } from "../contract/errors.ts";
import type { Event } from "../contract/event.ts";
import { errorText } from "../lib/error_text.ts";
import type { EventLog } from "../controller/mod.ts";
import { type Balance, createPorts, requestBalance } from "../providers/mod.ts";
import { keyAccess } from "./key_access.ts";
import type { Project } from "./project.ts";

const LIMIT_MS = 8_000;
/** Between two questions that nobody asked for. */
const PAUSE_MS = 60_000;

/** Undefined where nobody knows how to ask. `model`: `provider/model`. Throws `config.*` and `provider.*`. */
export async function askBalance(
  project: Project,
  model: string,
  signal?: AbortSignal,
): Promise<Balance | undefined> {
  const { loaded: { config }, env } = project;
  const choice = resolveModel(config, model);
  const settings = providerSettings(config, choice, await keyAccess(project));
  const limit = AbortSignal.timeout(LIMIT_MS);
  const ports = createPorts({ proxy: settings.proxy, env });
  try {
    return await requestBalance(settings, ports, {
      configured: choice.provider.balanceUrl,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    if (!limit.aborted || signal?.aborted || error instanceof ReasonixError) throw error;
    const text = `${settings.name} did not tell its balance within ${LIMIT_MS / 1000} s`;
    throw new ReasonixError("provider.stalled", text, { retry: true });
  }
}

export interface BalanceWatchPorts {
  readonly log: EventLog;
  project(): Project;
  /** `provider/model` of the open conversation. */
  model(): string;
  /** Monotonic, milliseconds. */
  now(): number;
}

/** While it is on, tells the balance after a turn and after a change of model. What fails is told once and no more. */
export class BalanceWatch {
  readonly #ports: BalanceWatchPorts;
  readonly #closing = new AbortController();
  #on = false;
  #askedAt = -Infinity;
  #asking: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(ports: BalanceWatchPorts) {
    this.#ports = ports;
    ports.log.subscribe((event) => this.#heard(event));
  }

  turn(on: boolean): void {
    this.#on = on;
    this.#failed = false;
    if (on) this.#ask();
    else this.#ports.log.emit({ kind: "balance", amounts: [] });
  }

  /** Ends the question under way. */
  async close(): Promise<void> {
    this.#on = false;
    this.#closing.abort();
    await this.#asking;
  }

  #heard(event: Event): void {
    if (!this.#on) return;
    if (event.kind === "model_changed" || event.kind === "session_opened") this.#ask();
    const ended = event.kind === "turn_done" && event.parentCallId === undefined;
    if (ended && this.#ports.now() - this.#askedAt >= PAUSE_MS) this.#ask();
  }

  #ask(): void {
    this.#askedAt = this.#ports.now();
    this.#asking = this.#asking.then(() => this.#tell());
  }

  async #tell(): Promise<void> {
    const { log, project, model } = this.#ports;
    if (!this.#on) return;
    try {
      const balance = await askBalance(project(), model(), this.#closing.signal);
      if (this.#on) log.emit({ kind: "balance", amounts: balance?.amounts ?? [] });
    } catch (error) {
      if (!this.#on || this.#failed) return;
      this.#failed = true;
      const text = `the balance is not known: ${errorText(error)}`;
      log.emit({ kind: "notice", level: "warning", text });
    }
  }
}
