/**
 * A limit for making the connection, which `fetch` does not have: a host that swallows packets would be waited for as
 * long as a slow model. After the limit without headers the host is dialled once more beside the request; when that
 * fails too, the wait is over. A model that merely thinks is not disturbed.
 */
import { startQuietTimer } from "../lib/quiet_timer.ts";

/** Milliseconds: a request without headers so far is looked at after `wait`, the second dial may take `dial`. */
export interface DialLimits {
  readonly wait: number;
  readonly dial: number;
}

const LIMITS: DialLimits = { wait: 20_000, dial: 10_000 };

/** Settles like `answer`, or rejects with a `TypeError` when `target` cannot be dialled. */
export async function guardDial<T>(
  answer: Promise<T>,
  target: URL,
  options: { readonly limits?: DialLimits; connect?(target: URL): Promise<void> } = {},
): Promise<T> {
  const limits = options.limits ?? LIMITS;
  const connect = options.connect ?? dial;
  const stops: (() => void)[] = [];
  const stop = () => stops.forEach((one) => one());
  const unreachable = new Promise<never>((_, reject) => {
    const giveUp = (cause: unknown) => reject(new TypeError("fetch failed", { cause }));
    stops.push(startQuietTimer(limits.wait, () => {
      stops.push(startQuietTimer(limits.dial, () => giveUp(new Error("timed out"))));
      connect(target).then(stop, giveUp);
    }));
  });
  try {
    return await Promise.race([answer, unreachable]);
  } finally {
    stop();
  }
}

async function dial(target: URL): Promise<void> {
  const port = Number(target.port) || (target.protocol === "https:" ? 443 : 80);
  const connection = await Deno.connect({ hostname: target.hostname.replace(/^\[|\]$/g, ""), port });
  connection.close();
}
