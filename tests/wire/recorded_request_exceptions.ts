/**
 * Where a request of ours differs from the recorded request that says the same, and why that is right. Paths name a
 * field; `*` stands for any place in a list.
 */

export interface Exception {
  readonly kind: "openai" | "anthropic" | "responses";
  /** Of the recorded request. It is not compared. */
  readonly path: string;
  readonly reason: string;
}

const DEFAULT = "says what is so without it";
const NOT_OFFERED = "a feature of the endpoint that a coding agent does not use";
const SETTING = "a setting of the recording client; extra_body holds it for who wants it";

export const EXCEPTIONS: readonly Exception[] = [
  { kind: "openai", path: "tool_choice", reason: DEFAULT },
  { kind: "openai", path: "n", reason: DEFAULT },
  { kind: "openai", path: "tools.*.function.strict", reason: "schemas are sent as tools declare them" },
  { kind: "openai", path: "messages.*.cache_control", reason: "gateways pass it to one vendor; others cache unasked" },
  {
    kind: "openai",
    path: "messages.*.tool_calls.*.cache_control",
    reason: "gateways pass it to one vendor; others cache unasked",
  },
  { kind: "openai", path: "messages.*.name", reason: "a result names its tool: some endpoints want it, none refuses" },
  { kind: "openai", path: "messages.*.reasoning", reason: "the same text as reasoning_details, which goes back" },
  { kind: "openai", path: "stream_options", reason: "usage is always asked for" },
  { kind: "openai", path: "usage", reason: SETTING },
  { kind: "openai", path: "reasoning", reason: "gateways take reasoning_effort as well" },
  { kind: "openai", path: "reasoning_effort", reason: "the level is the user's" },
  { kind: "openai", path: "temperature", reason: "left to the model unless it is set" },
  { kind: "openai", path: "models", reason: SETTING },
  { kind: "openai", path: "provider", reason: SETTING },
  { kind: "openai", path: "transforms", reason: SETTING },
  { kind: "openai", path: "moderation", reason: SETTING },
  { kind: "openai", path: "response_format", reason: NOT_OFFERED },
  { kind: "anthropic", path: "tool_choice", reason: DEFAULT },
  { kind: "anthropic", path: "messages.*.content.*.cache_control", reason: "marks are placed by our own rule" },
  { kind: "anthropic", path: "system.*.cache_control", reason: "marks are placed by our own rule" },
  { kind: "anthropic", path: "thinking.budget_tokens", reason: "budgets belong to effort levels" },
  { kind: "anthropic", path: "tools.*.defer_loading", reason: NOT_OFFERED },
  { kind: "anthropic", path: "mcp_servers", reason: "MCP servers are reached from this machine, within its walls" },
  { kind: "responses", path: "tool_choice", reason: DEFAULT },
  { kind: "responses", path: "tools.*.strict", reason: "schemas are sent as tools declare them" },
  { kind: "responses", path: "input.*.id", reason: "an item that is not stored has no id the endpoint knows" },
  { kind: "responses", path: "input.*.status", reason: "what goes back is complete" },
  { kind: "responses", path: "store", reason: "never stored, unless responses_mode is stateful" },
  { kind: "responses", path: "include", reason: "asked for where the model reasons" },
  { kind: "responses", path: "reasoning", reason: "the level is the user's; summaries need a verified account" },
  { kind: "responses", path: "service_tier", reason: SETTING },
  { kind: "responses", path: "moderation", reason: SETTING },
  { kind: "responses", path: "text", reason: NOT_OFFERED },
];

/** Recorded requests that ask for what Reasonix has no counterpart of. */
export const NO_COUNTERPART: readonly { readonly name: RegExp; readonly reason: string }[] = [
  { name: /object-generation|objectgeneration|structured|output-schema/, reason: "answers in a given schema" },
  {
    name: /computer-use|code-execution|file-search|image-generation|advisor|mcp-server|tool-search/,
    reason: NOT_OFFERED,
  },
  { name: /compact|conversation|background/, reason: "the endpoint keeps the history" },
];

/** Two names of one field of chat completions: endpoints that know the new one take the old one for older models too. */
export const SAME_NAMES: readonly (readonly [name: string, other: string])[] = [[
  "max_completion_tokens",
  "max_tokens",
]];
