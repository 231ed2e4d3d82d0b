/** `[[providers]]`: one endpoint with its models. */
import { isVariableName } from "../env_file.ts";
import type { Leaf } from "../schema.ts";
import {
  anyTable,
  choice,
  dictionary,
  entries,
  flag,
  maybeFlag,
  maybeList,
  maybeNumber,
  maybeText,
  notYet,
  table,
  text,
  textMap,
  whole,
} from "../schema.ts";

const REASONING_PROTOCOLS = ["auto", "anthropic", "deepseek", "glm", "kimi-k3", "openai", "none"] as const;

/** Never the key itself: what is written here is shown to people. */
function keyName(meaning: string): Leaf<string> {
  return {
    ...text("", meaning, { shown: "<NAME>_API_KEY" }),
    expected: "the name of a variable, such as DEEPSEEK_API_KEY",
    read(raw) {
      const name = typeof raw === "string" ? raw.trim() : undefined;
      return name === "" || (name !== undefined && isVariableName(name)) ? { value: name } : undefined;
    },
  };
}

const PRICE = {
  input: maybeNumber("Input tokens."),
  output: maybeNumber("Output tokens."),
  cache_hit: maybeNumber("Input tokens that came from the provider's cache."),
  cache_write: maybeNumber("Input tokens written to the provider's cache, where that has its own price."),
  currency: maybeText("Such as `USD` or `CNY`."),
};

export const PROVIDERS = entries("Model endpoints. A project adds entries; it never changes one of the user's.", {
  name: text("", "Stable identity; the first half of `provider/model`.", { required: true }),
  kind: text("openai", "Protocol: `openai`, `anthropic` or `responses`."),
  display_name: maybeText("Label shown to people."),
  base_url: text("", "Address of the API; the path is derived from the protocol. Required without `request_url`."),
  request_url: maybeText("Exact address of the model request."),
  chat_url: maybeText("Old form of `request_url`; kind `openai` only."),
  models_url: maybeText("Address that lists models; used for discovery only."),
  model: maybeText("The only model of this entry."),
  models: maybeList("All models of this entry."),
  default: maybeText("Model that the bare provider name means. Default: the first one."),
  api_key_env: keyName("Name of the key in `<home>/.env`. Blank: no key."),
  auth_header: flag(false, "Kind `anthropic`: send `Authorization: Bearer` instead of `x-api-key`."),
  headers: textMap("Headers sent with every request."),
  extra_body: anyTable("Fields added to every request body; those the protocol owns are protected."),
  context_window: whole(0, "Tokens that fit into one request. 0: unknown, no compaction.", { min: 0 }),
  max_output_tokens: whole(0, "Longest answer. 0: automatic; negative: the field is left out."),
  idle_timeout_seconds: whole(300, "A stream silent for this long is ended.", { min: 1, outside: "default" }),
  price: table("Price per million tokens of every model without one in `prices`.", PRICE),
  prices: dictionary("Price per million tokens by model.", table("Price of one model.", PRICE)),
  billing_currency: maybeText("Currency of prices that name none."),
  billing_mode: notYet(choice(["payg", "subscription_equivalent"], "payg", "How cost figures are to be read.")),
  balance_url: maybeText("Address that answers the account's balance, where the program does not know it."),
  thinking: choice(["", "enabled", "disabled", "adaptive"], "", "Thinking switch, for endpoints that have one."),
  effort: text("", "Reasoning effort; `auto` and `off` mean none is asked for."),
  reasoning_protocol: choice(REASONING_PROTOCOLS, "auto", "How effort is written on the wire."),
  supported_efforts: maybeList("Efforts the models accept."),
  default_effort: maybeText("Effort used when none is chosen."),
  vision: flag(false, "Models take images."),
  vision_models: maybeList("Models that take images, where not all do."),
  vision_detail: choice(["", "low", "high", "original"], "", "Resolution of images."),
  web_search: flag(false, "Use the provider's own web search."),
  responses_mode: choice(["stateless", "stateful"], "stateless", "Kind `responses`: who keeps the history."),
  responses_stateful: maybeFlag("Old form of `responses_mode`."),
  model_overrides: dictionary(
    "Differences of single models.",
    table("One model.", {
      context_window: maybeNumber("Tokens that fit into one request."),
      max_output_tokens: maybeNumber("Longest answer."),
      reasoning_protocol: choice(["", ...REASONING_PROTOCOLS], "", "How effort is written on the wire."),
      supported_efforts: maybeList("Efforts the model accepts."),
      default_effort: maybeText("Effort used when none is chosen."),
      vision: maybeFlag("The model takes images."),
    }),
  ),
  http1_only: notYet(flag(false, "Do not use HTTP/2.")),
  preset_id: notYet(maybeText("Catalogue entry this was made from.")),
  preset_version: notYet(maybeNumber("Version of that catalogue entry.")),
  no_proxy: flag(false, "Connect directly, whatever `[network]` says."),
});
