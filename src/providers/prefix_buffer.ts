/**
 * The encoded message list of a growing conversation. A request that extends the one before costs only the encoding
 * of what is new: what was encoded stays in one buffer, recognised by the identity of the message objects.
 */
import type { Message } from "../contract/message.ts";

export interface PrefixBuffer {
  /** `head`, the messages separated by commas, and `tail`, as bytes of their own. */
  build(head: string, messages: readonly Message[], tail: string): Uint8Array<ArrayBuffer>;
}

const START_SIZE = 32 * 1024;

/** `encode` answers the wire text of one message; `""` leaves it out. Called once for each message object. */
export function createPrefixBuffer(encode: (message: Message) => string): PrefixBuffer {
  const encoder = new TextEncoder();
  const held: Message[] = [];
  /** End of each held message in `bytes`. */
  const ends: number[] = [];
  let bytes = new Uint8Array(START_SIZE);

  const append = (text: string, at: number): number => {
    // A UTF-16 unit takes three bytes at most.
    const need = at + text.length * 3;
    if (need > bytes.length) {
      const larger = new Uint8Array(Math.max(need, bytes.length * 2));
      larger.set(bytes.subarray(0, at));
      bytes = larger;
    }
    return at + encoder.encodeInto(text, bytes.subarray(at)).written;
  };

  return {
    build(head, messages, tail) {
      let same = 0;
      while (same < held.length && same < messages.length && held[same] === messages[same]) same++;
      held.length = ends.length = same;
      let used = ends.at(-1) ?? 0;
      for (const message of messages.slice(same)) {
        const text = encode(message);
        if (text !== "") used = append(used > 0 ? "," + text : text, used);
        held.push(message);
        ends.push(used);
      }
      const start = encoder.encode(head);
      const end = encoder.encode(tail);
      const body = new Uint8Array(start.length + used + end.length);
      body.set(start);
      body.set(bytes.subarray(0, used), start.length);
      body.set(end, start.length + used);
      return body;
    },
  };
}
