/**
 * Remembers the requests that go through a provider, beside the transcript of the conversation they belong to. It costs
 * a digest of what is new and one append without waiting for the disk; a record that cannot be written is lost.
 */
import type { Message } from "../../contract/message.ts";
import type { Chunk, ModelRequest, Provider } from "../../contract/provider.ts";
import type { ToolSchema } from "../../contract/tool.ts";
import { byteLength, toBytes } from "../../lib/bytes.ts";
import { digestText, foldDigest } from "../../lib/digest64.ts";
import { appendWhole } from "../../lib/whole_writes.ts";
import { sidecars } from "../paths.ts";
import { openSideFile } from "../side_file.ts";
import { type Change, countShared, type MessagePart, type Part, toLine } from "./record.ts";

export interface RecorderOptions {
  /** The transcript; its path changes once when the conversation moves to a recovery branch. */
  readonly place: { readonly path: string };
  /** Unix time in milliseconds. */
  now(): number;
}

type Ended = Extract<Chunk, { type: "done" | "error" }>;

/** The same provider, its requests remembered. */
export function recordRequests(provider: Provider, options: RecorderOptions): Provider {
  const last = new Map<string, Sent>();
  const toSent = createDigester();
  const note = (request: ModelRequest, at: number, end: Ended) => {
    const source = request.source ?? "executor";
    const sent = toSent(request);
    const before = last.get(source);
    const kept = before ? countShared(before.messages, sent.messages) : 0;
    const change = before && findChange(before, sent, kept);
    last.set(source, sent);
    const usage = end.type === "done" ? end.answer.lastUsage : undefined;
    const line = toLine({
      at,
      model: `${provider.name}/${provider.model}`,
      source,
      ...(request.effort ? { effort: request.effort } : {}),
      system: sent.system,
      tools: sent.tools,
      messages: sent.messages,
      ...(change ? { change } : {}),
      ...(usage && !usage.estimated
        ? {
          input: usage.prompt,
          ...(usage.cacheHit === undefined ? {} : { cacheHit: usage.cacheHit }),
          ...(usage.cacheWrite === undefined ? {} : { cacheWrite: usage.cacheWrite }),
        }
        : {}),
      ...(end.type === "error" ? { failure: end.error.code } : {}),
    }, kept);
    append(sidecars(options.place.path).requests, line);
  };
  return {
    name: provider.name,
    model: provider.model,
    contextWindow: provider.contextWindow,
    ...(provider.price ? { price: provider.price } : {}),
    ...(provider.vision ? { vision: true } : {}),
    async *stream(request, signal) {
      const at = options.now();
      for await (const chunk of provider.stream(request, signal)) {
        if (chunk.type === "done" || chunk.type === "error") {
          const record = () => {
            try {
              note(request, at, chunk);
            } catch {
              // What people read about their cache is not worth a turn, nor the program.
            }
          };
          // Calls do not wait for it. After any other answer the program may be about to end.
          if (chunk.type === "done" && chunk.answer.calls.length > 0) setTimeout(record);
          else record();
        }
        yield chunk;
      }
    },
  };
}

function append(path: string, line: string): void {
  using file = openSideFile(path, { append: true }).file;
  appendWhole(file, toBytes(line));
}

interface Sent {
  readonly request: ModelRequest;
  readonly system: Part;
  readonly tools: Part;
  readonly messages: readonly MessagePart[];
}

/** Digests of what does not change are made once. */
function createDigester(): (request: ModelRequest) => Sent {
  const parts = new WeakMap<Message, MessagePart>();
  const toolParts = new WeakMap<readonly ToolSchema[], Part>();
  let system: { readonly text: string; readonly part: Part } | undefined;
  return (request) => {
    if (system?.text !== request.system) system = { text: request.system, part: partOf(request.system) };
    return {
      request,
      system: system.part,
      tools: once(toolParts, request.tools, (tools) => partOf(JSON.stringify(tools))),
      messages: request.messages.map((message) =>
        once(parts, message, (one) => ({ role: one.role, ...partOf(Object.values(textsOf(one)).join("\n")) }))
      ),
    };
  };
}

const partOf = (text: string): Part => ({ digest: digestText(foldDigest(0n, text)), size: text.length });

function once<K extends object, V>(known: WeakMap<K, V>, key: K, make: (key: K) => V): V {
  const held = known.get(key);
  if (held !== undefined) return held;
  const made = make(key);
  known.set(key, made);
  return made;
}

/** All of a message that a provider may send. */
function textsOf(message: Message): Readonly<Record<NonNullable<Change["what"]>, string>> {
  const { role, content, tool_calls, reasoning_content, images, tool_call_id, name } = message;
  return {
    text: content ?? "",
    calls: tool_calls ? JSON.stringify(tool_calls) : "",
    reasoning: reasoning_content ?? "",
    images: images ? images.map(({ url }) => url).join("\n") : "",
    rest: JSON.stringify([role, tool_call_id, name, message.reasoning_signature, message.provider_items]),
  };
}

/** Undefined where the request extends the one before. */
function findChange(before: Sent, now: Sent, kept: number): Change | undefined {
  if (before.system.digest !== now.system.digest) {
    return { part: "system", byte: firstDifference(before.request.system, now.request.system) };
  }
  if (before.tools.digest !== now.tools.digest) {
    return { part: "tools", ...firstTool(before.request.tools, now.request.tools) };
  }
  if (kept === before.messages.length) return undefined;
  const [old, other] = [before.request.messages[kept]!, now.request.messages[kept]];
  if (other === undefined) return { part: "message", index: kept };
  const [a, b] = [textsOf(old), textsOf(other)];
  const what = (Object.keys(a) as (keyof typeof a)[]).find((key) => a[key] !== b[key])!;
  return { part: "message", index: kept, what, byte: firstDifference(a[what], b[what]) };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return byteLength(a.slice(0, at));
}

function firstTool(before: readonly ToolSchema[], now: readonly ToolSchema[]): { readonly tool?: string } {
  const at = now.findIndex((tool, place) => JSON.stringify(tool) !== JSON.stringify(before[place]));
  const tool = at >= 0 ? now[at] : before[now.length];
  return tool ? { tool: tool.name } : {};
}
