/**
 * Calls the person back to the terminal (`[notifications]`): the bell, which terminals and tmux turn into a mark on the
 * window, and the sequence OSC 9, which many show as a notification of the desktop. tmux and screen would print or drop
 * the latter, so they get the bell alone.
 */
import type { Event } from "../../../contract/event.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { TextKey } from "../../view/mod.ts";

export interface NotificationSettings {
  readonly enabled: boolean;
  readonly turnDone: boolean;
  readonly approvalRequest: boolean;
  readonly askRequest: boolean;
}

/** Turns that end sooner were waited for. Milliseconds. */
const WORTH_CALLING = 5_000;

/** The words for an event that calls; undefined for one that does not. `turnMs`: how long the turn took. */
export function callFor(event: Event, settings: NotificationSettings, turnMs: number): TextKey | undefined {
  if (!settings.enabled) return undefined;
  switch (event.kind) {
    case "turn_done":
      if (!settings.turnDone || event.outcome === "cancelled" || turnMs < WORTH_CALLING) return undefined;
      return event.outcome === "completed" ? "notify.done" : "notify.failed";
    case "approval_request":
    case "plan_request":
      return settings.approvalRequest ? "notify.approval" : undefined;
    case "ask_request":
      return settings.askRequest ? "notify.ask" : undefined;
    default:
      return undefined;
  }
}

/** What to write to the terminal. It moves no cursor and prints nothing. */
export function callSequence(text: string, env: (name: string) => string | undefined): string {
  const inside = env("TMUX") !== undefined || /^(?:tmux|screen)/.test(env("TERM") ?? "");
  return inside ? "\x07" : `\x1b]9;${toLine(text, 120).replaceAll(";", ",")}\x07\x07`;
}
