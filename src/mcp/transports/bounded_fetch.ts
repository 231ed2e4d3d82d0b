/**
 * `fetch` for servers of other people: a message has a largest size, whether it comes as one body or as an event of a
 * stream, and numbers JSON has no word for do no harm.
 */
import { toText } from "../../lib/bytes.ts";
import { readBounded } from "../../lib/read_body.ts";
import { parseLenient } from "./lenient_json.ts";

/** One message. Bytes. */
const LONGEST = 16 << 20;

export function boundFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const { body, status, statusText, headers } = response;
    const { signal }: { signal?: AbortSignal | null } = init ?? {};
    if (body === null) return response;
    const type = (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
    if (type === "text/event-stream") {
      return new Response(body.pipeThrough(boundEvents(), signal ? { signal } : {}), { status, statusText, headers });
    }
    const bytes = await readBounded(body, { most: LONGEST, signal });
    if (bytes === undefined) throw tooLarge();
    const text = toText(bytes);
    const mended = type === "application/json" && /NaN|Infinity/.test(text)
      ? JSON.stringify(parseLenient(text))
      : undefined;
    // A status without a body takes none, not even an empty one.
    const isBare = status === 204 || status === 205 || status === 304;
    return new Response(isBare ? null : mended ?? text, { status, statusText, headers: withoutEncoding(headers) });
  };
}

/** Lets events through and breaks the stream at one that is too large. */
function boundEvents(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let last = 0;
  return new TransformStream({
    transform(bytes, controller) {
      for (const byte of bytes) {
        if (byte === 13) continue;
        size = byte === 10 && last === 10 ? 0 : size + 1;
        last = byte;
      }
      if (size > LONGEST) return controller.error(tooLarge());
      controller.enqueue(bytes);
    },
  });
}

function withoutEncoding(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete("content-encoding");
  copy.delete("content-length");
  return copy;
}

const tooLarge = () => new Error(`the server sent more than ${LONGEST >> 20} MiB in one message`);
