/** The events with which each wire kind says the same things, for servers in tests. */

export interface WireSpeech {
  readonly path: string;
  /** What a stream begins with. */
  readonly open: string;
  text(part: string): string;
  reasoning(part: string): string;
  /** `id` undefined: the endpoint leaves it out. */
  call(index: number, id: string | undefined, name: string, argumentPieces: readonly string[]): string;
  /** The first piece of a call that goes no further. */
  halfCall(index: number, id: string, name: string, piece: string): string;
  finish(reason: "stop" | "tools" | "length", usage?: { readonly input: number; readonly output: number }): string;
  /** The mark behind the finish, where the protocol has one. */
  readonly mark: string;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string }): string => `event: ${value.type}\n${data(value)}`;
const choice = (delta: object, finish: string | null = null, rest: object = {}): string =>
  data({ id: "r", choices: [{ index: 0, delta, finish_reason: finish }], ...rest });

function chat(): WireSpeech {
  const start = (index: number, id: string | undefined, name: string, args: string) =>
    choice({
      tool_calls: [{
        index,
        ...(id === undefined ? {} : { id }),
        type: "function",
        function: { name, arguments: args },
      }],
    });
  return {
    path: "/chat/completions",
    open: choice({ role: "assistant", content: "" }),
    text: (content) => choice({ content }),
    reasoning: (part) => choice({ reasoning_content: part }),
    call: (index, id, name, pieces) =>
      start(index, id, name, "") +
      pieces.map((part) => choice({ tool_calls: [{ index, function: { arguments: part } }] })).join(""),
    halfCall: start,
    finish: (reason, usage) =>
      choice({}, reason === "tools" ? "tool_calls" : reason) +
      (usage
        ? data({
          choices: [],
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
          },
        })
        : ""),
    mark: "data: [DONE]\n\n",
  };
}

/** Blocks are numbered as they come. */
function messages(): WireSpeech {
  const serial = { at: 0 };
  const block = (content_block: object, deltas: readonly object[], closed = true): string => {
    const index = serial.at++;
    return named({ type: "content_block_start", index, content_block } as never) +
      deltas.map((delta) => named({ type: "content_block_delta", index, delta } as never)).join("") +
      (closed ? named({ type: "content_block_stop", index } as never) : "");
  };
  const use = (id: string | undefined, name: string) => ({
    type: "tool_use",
    ...(id === undefined ? {} : { id }),
    name,
    input: {},
  });
  const pieces = (parts: readonly string[]) =>
    parts.map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return {
    path: "/messages",
    open: named({ type: "message_start", message: { id: "m", role: "assistant", content: [] } } as never),
    text: (text) => block({ type: "text", text: "" }, [{ type: "text_delta", text }]),
    reasoning: (thinking) =>
      block({ type: "thinking", thinking: "", signature: "" }, [
        { type: "thinking_delta", thinking },
        { type: "signature_delta", signature: `signed:${thinking}` },
      ]),
    call: (_index, id, name, parts) => block(use(id, name), pieces(parts)),
    halfCall: (_index, id, name, piece) => block(use(id, name), pieces([piece]), false),
    finish: (reason, usage) =>
      named({
        type: "message_delta",
        delta: { stop_reason: { stop: "end_turn", tools: "tool_use", length: "max_tokens" }[reason] },
        ...(usage ? { usage: { input_tokens: usage.input, output_tokens: usage.output } } : {}),
      } as never),
    mark: named({ type: "message_stop" }),
  };
}

function responses(): WireSpeech {
  const serial = { at: 0 };
  const item = (value: { readonly type: string }, deltas: readonly object[], closing?: object): string => {
    const output_index = serial.at++;
    const status = value.type === "reasoning" ? {} : { status: "completed" };
    return named({ type: "response.output_item.added", output_index, item: value } as never) +
      deltas.map((delta) => named({ ...delta, output_index } as never)).join("") +
      (closing
        ? named({ type: "response.output_item.done", output_index, item: { ...value, ...status, ...closing } } as never)
        : "");
  };
  const call = (id: string | undefined, name: string) => ({
    type: "function_call",
    ...(id === undefined ? {} : { call_id: id }),
    name,
    arguments: "",
  });
  const pieces = (parts: readonly string[]) =>
    parts.map((delta) => ({ type: "response.function_call_arguments.delta", delta }));
  return {
    path: "/responses",
    open: named({ type: "response.created", response: { id: "r", status: "in_progress" } } as never),
    text: (text) =>
      item({ type: "message" }, [{ type: "response.output_text.delta", delta: text }], {
        role: "assistant",
        content: [{ type: "output_text", text }],
      }),
    reasoning: (text) =>
      item({ type: "reasoning", id: `rs_${serial.at}`, summary: [] } as never, [
        { type: "response.reasoning_summary_text.delta", delta: text },
      ], { summary: [{ type: "summary_text", text }], encrypted_content: `sealed:${text}` }),
    call: (_index, id, name, parts) => item(call(id, name), pieces(parts), { arguments: parts.join("") }),
    halfCall: (_index, id, name, piece) => item(call(id, name), pieces([piece])),
    finish: (reason, usage) =>
      named({
        type: reason === "length" ? "response.incomplete" : "response.completed",
        response: {
          id: "r",
          status: reason === "length" ? "incomplete" : "completed",
          ...(reason === "length" ? { incomplete_details: { reason: "max_output_tokens" } } : {}),
          ...(usage ? { usage: { input_tokens: usage.input, output_tokens: usage.output } } : {}),
        },
      } as never),
    mark: "",
  };
}

export const KINDS = ["openai", "anthropic", "responses"] as const;
export type KindName = (typeof KINDS)[number];

/** A new one for each stream. */
export const speechOf = (kind: KindName): WireSpeech =>
  kind === "openai" ? chat() : kind === "anthropic" ? messages() : responses();
