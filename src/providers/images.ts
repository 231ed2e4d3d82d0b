/** Pictures in requests: what stands in their place where a model sees none, and what they count for in estimates. */
import type { Image, Message } from "../contract/message.ts";

/** Undefined where there is nothing to say. */
export function unseenNote(images: readonly Image[] | undefined): string | undefined {
  if (!images || images.length === 0) return undefined;
  const what = images.length === 1 ? "An image" : `${images.length} images`;
  return `[${what} left out: this model does not see images.]`;
}

/** Media type and base64 text of a `data:` URL; undefined for any other. */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  const found = /^data:([\w.+-]+\/[\w.+-]+);base64,/.exec(url.slice(0, 200));
  return found ? { mediaType: found[1]!, data: url.slice(found[0].length) } : undefined;
}

/** Roughly what a picture costs, in bytes of text. */
const IMAGE_AS_TEXT = 6000;

/** Size of a body with its pictures counted as what they cost. `shown`: the body holds the pictures of the messages. */
export function textBytes(
  body: Uint8Array,
  messages: readonly Message[],
  options: { readonly shown: boolean },
): number {
  if (!options.shown) return body.length;
  let [count, bytes] = [0, 0];
  for (const message of messages) {
    for (const image of message.images ?? []) {
      count++;
      bytes += image.url.length;
    }
  }
  return Math.max(0, body.length - bytes) + count * IMAGE_AS_TEXT;
}
