/** Everything that can end the program from outside its own keys: signals, and errors that nobody caught. */
export interface GuardPorts {
  crash(error: unknown): void;
  signal(name: Deno.Signal): void;
}

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP"];

export class Guard {
  readonly #ports: GuardPorts;
  readonly #onSignal = new Map<Deno.Signal, () => void>();

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  install(): void {
    globalThis.addEventListener("error", this.#onError);
    globalThis.addEventListener("unhandledrejection", this.#onRejection);
    for (const name of SIGNALS) {
      const heard = () => this.#ports.signal(name);
      this.#onSignal.set(name, heard);
      Deno.addSignalListener(name, heard);
    }
  }

  remove(): void {
    globalThis.removeEventListener("error", this.#onError);
    globalThis.removeEventListener("unhandledrejection", this.#onRejection);
    for (const [name, heard] of this.#onSignal) Deno.removeSignalListener(name, heard);
    this.#onSignal.clear();
  }

  readonly #onError = (event: ErrorEvent) => {
    event.preventDefault();
    this.#ports.crash(event.error ?? new Error(event.message));
  };

  readonly #onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    this.#ports.crash(event.reason);
  };
}
