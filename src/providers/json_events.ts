/**
 * The events of a stream as JSON objects, for the decoders of every kind. Text that is no JSON is a keep-alive, or the
 * rest of an event that the stream broke off in; any other is told once, and remembered: it may have held arguments.
 */
import { isRecord, parseJson } from "../lib/json.ts";
import type { Speech } from "./speech.ts";

export interface JsonEvents {
  /** Undefined for what is no object. `final`: the stream ended inside this event. Text that is an error is `{ error }`. */
  parse(data: string, name: string | undefined, final: boolean): Record<string, unknown> | undefined;
  /** An event was lost. */
  readonly damaged: boolean;
}

export function createJsonEvents(speech: Speech): JsonEvents {
  let damaged = false;
  return {
    parse(data, name, final) {
      const value = parseJson(data);
      if (value !== undefined) return isRecord(value) ? value : undefined;
      const text = data.trim();
      if (text === "" || text.startsWith(":") || final || name === "ping") return undefined;
      if (name === "error") return { error: text };
      if (!damaged) {
        speech.flush();
        speech.chunks.push({ type: "notice", code: "provider.bad_response", text: SKIPPED });
      }
      damaged = true;
      return undefined;
    },
    get damaged() {
      return damaged;
    },
  };
}

const SKIPPED = "A line of the model's stream was not JSON and was skipped.";
