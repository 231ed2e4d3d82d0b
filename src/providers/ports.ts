/** The outside world of providers: HTTP with proxies and certificate authorities, clock, chance. */
import type { ProviderPorts, ProxySettings } from "../contract/provider.ts";

export interface PortOptions {
  readonly proxy: ProxySettings;
  /** PEM file whose authorities are trusted besides the built-in ones. Read at the first https request. */
  readonly caFile?: string;
}

/** Stays away from HTTP clients of its own where plain `fetch` does the same: they cost start-up time. */
export function createPorts(options: PortOptions): ProviderPorts {
  return {
    fetch: createFetch(options),
    sleep,
    random: Math.random,
    now: Date.now,
  };
}

function createFetch(options: PortOptions): typeof fetch {
  if (options.proxy.mode === "env" && options.caFile === undefined) return fetch;
  return (input, init) => fetch(input, init);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException("The wait was aborted.", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
