/**
 * Notices that an attempt has fallen silent. Answers are life; comments and junk keep a stream alive for a bounded
 * time only, because proxies and queues send them for ever.
 */
import { startQuietTimer } from "../lib/quiet_timer.ts";

/** A timer that is so late tells that this program stood still, not the server. Milliseconds. */
const STOOD_STILL_MS = 1_000;

/** Without any part of an answer a stream lives so many idle limits at most, however many keep-alives it sends. */
const KEEP_ALIVE_LIMITS = 3;

export interface Watchdog {
  /** Part of an answer, or the response headers, arrived. */
  life(): void;
  /** Bytes arrived that say nothing. */
  keepAlive(): void;
  /** From now on silence lasts `ms` at most. */
  tighten(ms: number): void;
  stop(): void;
  readonly expired: boolean;
}

export function startWatchdog(limitMs: number, onExpire: () => void): Watchdog {
  let limit = limitMs;
  let lastLife = performance.now();
  let lastByte = lastLife;
  let expired = false;
  let disarm = () => {};

  const deadline = () => Math.min(lastByte + limit, lastLife + limit * KEEP_ALIVE_LIMITS);
  // The timer is not re-armed for each event: when it fires too early it sleeps for the rest.
  const arm = () => {
    const due = Math.max(performance.now(), deadline());
    disarm = startQuietTimer(due - performance.now(), () => {
      const now = performance.now();
      if (now < deadline()) return arm();
      // Stopped and gone on with, in a terminal or as a machine: what came meanwhile waits to be read.
      if (now - due > STOOD_STILL_MS) {
        lastLife = lastByte = now;
        return arm();
      }
      expired = true;
      onExpire();
    });
  };
  if (limit > 0) arm();

  return {
    life: () => {
      lastLife = lastByte = performance.now();
    },
    keepAlive: () => {
      lastByte = performance.now();
    },
    tighten(ms) {
      if (limit > 0 && limit <= ms) return;
      limit = ms;
      disarm();
      arm();
    },
    stop: () => disarm(),
    get expired() {
      return expired;
    },
  };
}
