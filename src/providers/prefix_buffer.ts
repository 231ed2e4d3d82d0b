/**
 * The encoded message list of a growing conversation. A request that extends the one before costs only the encoding
 * of what is new: what was encoded stays in one buffer, recognised by the identity of the message objects.
 */
import type { Message } from "../contract/message.ts";

export interface PrefixBuffer<State> {
  /** `head`, the messages, and `tail`, as bytes of their own. `tail` is told the state behind the last message. */
  build(head: string, messages: readonly Message[], tail: (state: State) => string): Uint8Array<ArrayBuffer>;
}

/**
 * How one message is written behind those before it, of which it sees `state` alone. Called once for each message
 * object in its place; must not depend on anything else.
 */
export type Encode<State> = (message: Message, state: State) => { readonly text: string; readonly state: State };

const START_SIZE = 32 * 1024;

/** `start`: the state before the first message. */
export function createPrefixBuffer<State>(encode: Encode<State>, start: State): PrefixBuffer<State> {
  const encoder = new TextEncoder();
  const held: Message[] = [];
  /** End of each held message in `bytes`, and the state behind it. */
  const ends: { readonly at: number; readonly state: State }[] = [];
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
      let { at: used, state } = ends.at(-1) ?? { at: 0, state: start };
      for (const message of messages.slice(same)) {
        const one = encode(message, state);
        if (one.text !== "") used = append(one.text, used);
        state = one.state;
        held.push(message);
        ends.push({ at: used, state });
      }
      const opening = encoder.encode(head);
      const end = encoder.encode(tail(state));
      const body = new Uint8Array(opening.length + used + end.length);
      body.set(opening);
      body.set(bytes.subarray(0, used), opening.length);
      body.set(end, opening.length + used);
      return body;
    },
  };
}

/** For lists whose elements know nothing of each other. `encode` answers `""` for what is left out. */
export function createListBuffer(encode: (message: Message) => string): PrefixBuffer<boolean> {
  return createPrefixBuffer((message, begun) => {
    const text = encode(message);
    return text === "" ? { text, state: begun } : { text: begun ? "," + text : text, state: true };
  }, false);
}

/**
 * One buffer for each conversation that goes through a provider, known by its first message and gone with it. `rules`:
 * what the encoding depends on beside the message; a conversation that comes with others is encoded anew.
 */
export function createBuffers<Rules, State>(
  create: (rules: Rules) => PrefixBuffer<State>,
): (rules: Rules, messages: readonly Message[]) => PrefixBuffer<State> {
  const conversations = new WeakMap<Message, { readonly rules: Rules; readonly buffer: PrefixBuffer<State> }>();
  return (rules, messages) => {
    const key = messages.find((message) => message.role !== "system");
    const held = key && conversations.get(key);
    if (held?.rules === rules) return held.buffer;
    const buffer = create(rules);
    if (key) conversations.set(key, { rules, buffer });
    return buffer;
  };
}
