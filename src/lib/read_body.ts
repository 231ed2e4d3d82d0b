/**
 * The body of an answer, read until it ends or a signal aborts; then the signal's reason is thrown. The signal given to
 * `fetch` is not enough: once the answer has begun and memory was tidied, the runtime has forgotten it, and a body
 * without an end would be read for ever.
 */

/** All of a body; undefined where it has more than `most` bytes, and then no more of it is read. */
export async function readBounded(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  options: { readonly most: number; readonly signal?: AbortSignal | null | undefined },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return new Uint8Array();
  const { most, signal } = options;
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > most) return undefined;
      pieces.push(value);
    }
    signal?.throwIfAborted();
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  } finally {
    signal?.removeEventListener("abort", stop);
    await reader.cancel().catch(() => {});
  }
}
