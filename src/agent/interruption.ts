/**
 * What ended early is recorded once, shown to people and told to the model once, with the next user turn. Partial text
 * of a broken answer is never replayed.
 */
import type { ReasonixError } from "../contract/errors.ts";
import type { InterruptedTurn, Message } from "../contract/message.ts";
import { clip } from "../lib/clip.ts";
import { ownBlock } from "../lib/own_block.ts";

const MAX_TOOLS = 24;
const MAX_FILES = 8;
const MAX_VALUE = 240;

const HOW_IT_ENDED: Record<InterruptedTurn["reason"], string> = {
  cancelled: "The person stopped the previous turn.",
  stream_failure: "The previous turn broke off: ",
  pending: "The program died during the previous turn.",
};

export interface InterruptionContext {
  /** The broken answer had already shown something. */
  readonly partial: boolean;
  readonly messages: readonly Message[];
}

/** Reads the tools of the running turn off the transcript. */
export function toInterruptedTurn(error: ReasonixError, context: InterruptionContext): InterruptedTurn {
  const from = context.messages.findLastIndex((message) =>
    message.role === "user" && !message.host_authored && !message.steer
  );
  const results = context.messages.slice(from + 1).filter((message) => message.role === "tool");
  const settled = (message: Message) => message.tool_execution?.state !== "cancelled";
  return {
    reason: error.code === "turn.cancelled" ? "cancelled" : "stream_failure",
    detail: error.message,
    completed_tools: results.filter(settled).map((message) => ({
      id: message.tool_call_id ?? "",
      name: message.name ?? "",
      files: message.tool_execution?.paths_written ?? [],
    })),
    interrupted_tools: results.filter((message) => !settled(message)).map((message) => ({
      id: message.tool_call_id ?? "",
      name: message.name ?? "",
    })),
    dropped_partial_text: context.partial,
  };
}

/** The block that opens the next user turn, when the one before was cut short and nothing was said since. */
export function recoveryBlock(last: InterruptedTurn | undefined): string | undefined {
  if (last === undefined) return undefined;
  const lines = [HOW_IT_ENDED[last.reason] + (last.reason === "stream_failure" ? short(last.detail ?? "") : "")];
  if (last.completed_tools.length > 0) {
    const tools = last.completed_tools.slice(-MAX_TOOLS).map((tool) => {
      const files = tool.files.slice(0, MAX_FILES).map(short).join(", ");
      return files === "" ? tool.name : `${tool.name} (${files})`;
    });
    lines.push(`Finished before that: ${tools.join("; ")}.`);
  }
  if (last.interrupted_tools.length > 0) {
    const names = last.interrupted_tools.slice(-MAX_TOOLS).map((tool) => tool.name);
    lines.push(`Cut off with unknown effect, look before you redo: ${names.join(", ")}.`);
  }
  if (last.harmless_tools?.length) {
    const names = last.harmless_tools.slice(-MAX_TOOLS).map((tool) => tool.name);
    lines.push(`Without a result, but not begun or only reading, by the journal of the run: ${names.join(", ")}.`);
  }
  const checks = (which: boolean) =>
    (last.checks ?? []).filter(({ stands }) => stands === which).slice(-MAX_FILES).map(({ what }) => short(what)).join(
      "; ",
    );
  if (checks(true) !== "") lines.push(`Checked with success, and nothing changed since: ${checks(true)}.`);
  if (checks(false) !== "") lines.push(`Checked before a later change, so it counts no more: ${checks(false)}.`);
  if (last.dropped_partial_text) lines.push("A partial answer was shown to the person and then dropped.");
  lines.push("What the person says next comes first.");
  return ownBlock("interrupted-turn-recovery", lines.join("\n"));
}

function short(text: string): string {
  return clip(text.replace(/\s+/g, " "), MAX_VALUE);
}
