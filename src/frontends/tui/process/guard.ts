/** Everything that can end the program from outside its own keys: signals, errors nobody caught, a terminal that is gone. */
import { type EndSignal, EndSignals } from "../../../lib/end_signals.ts";

export interface GuardPorts {
  crash(error: unknown): void;
  signal(name: EndSignal): void;
}

export class Guard {
  readonly #ports: GuardPorts;
  #signals: EndSignals | undefined;

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  install(): void {
    globalThis.addEventListener("error", this.#onError);
    globalThis.addEventListener("unhandledrejection", this.#onRejection);
    this.#signals = new EndSignals((name) => this.#ports.signal(name));
  }

  remove(): void {
    globalThis.removeEventListener("error", this.#onError);
    globalThis.removeEventListener("unhandledrejection", this.#onRejection);
    this.#signals?.[Symbol.dispose]();
  }

  readonly #onError = (event: ErrorEvent) => {
    event.preventDefault();
    this.#uncaught(event.error ?? new Error(event.message));
  };

  readonly #onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    this.#uncaught(event.reason);
  };

  #uncaught(error: unknown): void {
    if (isTerminalGone(error)) this.#ports.signal("SIGHUP");
    else this.#ports.crash(error);
  }
}

/** A closed window is told by a signal, and often a moment earlier by what can no longer be written or read. */
function isTerminalGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return (code === "EPIPE" || code === "EIO") && (syscall === "write" || syscall === "read" || !hasTerminal());
}

/** Older runtimes do not tell what failed. */
function hasTerminal(): boolean {
  try {
    Deno.consoleSize();
    return true;
  } catch {
    return false;
  }
}
