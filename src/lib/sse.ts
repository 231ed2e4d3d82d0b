/**
 * Server-sent events out of raw bytes. Bytes may be cut anywhere: inside a character, inside a CRLF, inside a line.
 * The last event counts although no blank line follows it.
 */
import { createParser } from "eventsource-parser";

export interface SseHandler {
  /** `name` is undefined for events without an `event:` field. `final`: the stream ended inside this event. */
  onEvent(data: string, name: string | undefined, final: boolean): void;
}

export interface SseReader {
  feed(bytes: Uint8Array): void;
  /** No more bytes will come. */
  end(): void;
}

/** One event may not be larger than this; a stream without line ends must not fill the memory. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/** And may not have more lines than this: each costs much more memory than its few characters. */
const MAX_EVENT_LINES = 200_000;

/** A single event that would fill the memory. */
export class OversizedEvent extends Error {
  override readonly name: string = "OversizedEvent";
}

/** `feed` throws `OversizedEvent` when one event is larger than 64 Mi characters or has more than 200 000 lines. */
export function createSseReader(handler: SseHandler): SseReader {
  const decoder = new TextDecoder();
  let final = false;
  let overflow = false;
  let events = 0;
  /** Of the event that is coming in; counted only where a whole piece of the stream ends none. */
  let lines = 0;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: (event) => {
      events++;
      handler.onEvent(event.data, event.event, final);
    },
    onError: (error) => {
      // A line that is neither event data nor a comment is passed over.
      if (error.type === "max-buffer-size-exceeded") overflow = true;
    },
  });
  return {
    feed(bytes) {
      const before = events;
      const text = decoder.decode(bytes, { stream: true });
      parser.feed(text);
      lines = events === before ? lines + dataLines(text) : 0;
      if (lines > MAX_EVENT_LINES) throw new OversizedEvent(`an event has more than ${MAX_EVENT_LINES} lines`);
      if (overflow) throw new OversizedEvent(`an event is larger than ${MAX_EVENT_CHARS} characters`);
    },
    end() {
      const rest = decoder.decode();
      final = true;
      // A line end completes a line the stream was cut in, the second one dispatches the event.
      if (!overflow) parser.feed(rest + "\n\n");
    },
  };
}

function dataLines(text: string): number {
  return text.match(/[\r\n]data/g)?.length ?? 0;
}
