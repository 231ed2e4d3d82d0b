/**
 * Endpoints that `setup` offers by name, as data. Model lists are starting points: the list of the endpoint itself is
 * asked for before anything is written, and wins.
 */
import type { TomlValue } from "../../../config/mod.ts";

export interface Vendor {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  /** As written to the file. */
  readonly provider: {
    readonly name: string;
    readonly kind: "openai" | "anthropic" | "responses";
    readonly base_url: string;
    readonly models: readonly string[];
    readonly default: string;
    /** Empty: the endpoint wants none. */
    readonly api_key_env: string;
    readonly context_window: number;
    readonly [key: string]: TomlValue;
  };
  /** Where models are listed, when that does not follow from the rest and is no part of what is written. */
  readonly listUrl?: string;
  /** Where a person gets a key. */
  readonly keyPage?: string;
}

export const VENDORS: readonly Vendor[] = [
  {
    id: "deepseek",
    title: "DeepSeek",
    hint: "api.deepseek.com",
    provider: {
      name: "deepseek",
      kind: "anthropic",
      base_url: "https://api.deepseek.com/anthropic",
      models: ["deepseek-flash", "deepseek-v4-pro"],
      default: "deepseek-flash",
      api_key_env: "DEEPSEEK_API_KEY",
      web_search: true,
      context_window: 1_000_000,
    },
    listUrl: "https://api.deepseek.com/models",
    keyPage: "https://platform.deepseek.com/api_keys",
  },
  {
    id: "openai",
    title: "OpenAI",
    hint: "api.openai.com",
    provider: {
      name: "openai",
      kind: "openai",
      base_url: "https://api.openai.com/v1",
      models: ["gpt-5", "gpt-5-mini"],
      default: "gpt-5",
      api_key_env: "OPENAI_API_KEY",
      context_window: 400_000,
    },
    keyPage: "https://platform.openai.com/api-keys",
  },
  {
    id: "anthropic",
    title: "Anthropic",
    hint: "api.anthropic.com",
    provider: {
      name: "anthropic",
      kind: "anthropic",
      base_url: "https://api.anthropic.com",
      models: ["claude-sonnet-4-5", "claude-haiku-4-5"],
      default: "claude-sonnet-4-5",
      api_key_env: "ANTHROPIC_API_KEY",
      context_window: 200_000,
    },
    keyPage: "https://console.anthropic.com/settings/keys",
  },
  {
    id: "openrouter",
    title: "OpenRouter",
    hint: "openrouter.ai",
    provider: {
      name: "openrouter",
      kind: "openai",
      base_url: "https://openrouter.ai/api/v1",
      models: ["deepseek/deepseek-chat", "anthropic/claude-sonnet-4.5"],
      default: "deepseek/deepseek-chat",
      api_key_env: "OPENROUTER_API_KEY",
      context_window: 128_000,
    },
    keyPage: "https://openrouter.ai/keys",
  },
  {
    id: "groq",
    title: "Groq",
    hint: "api.groq.com",
    provider: {
      name: "groq",
      kind: "openai",
      base_url: "https://api.groq.com/openai/v1",
      models: ["openai/gpt-oss-120b", "moonshotai/kimi-k2-instruct-0905"],
      default: "openai/gpt-oss-120b",
      api_key_env: "GROQ_API_KEY",
      context_window: 131_072,
    },
    keyPage: "https://console.groq.com/keys",
  },
  {
    id: "moonshot",
    title: "Moonshot (Kimi)",
    hint: "api.moonshot.ai",
    provider: {
      name: "moonshot",
      kind: "openai",
      base_url: "https://api.moonshot.ai/v1",
      models: ["kimi-k2-0905-preview", "kimi-k2-thinking"],
      default: "kimi-k2-0905-preview",
      api_key_env: "MOONSHOT_API_KEY",
      context_window: 262_144,
    },
    keyPage: "https://platform.moonshot.ai/console/api-keys",
  },
  {
    id: "zhipu",
    title: "Zhipu (GLM)",
    hint: "open.bigmodel.cn",
    provider: {
      name: "zhipu",
      kind: "openai",
      base_url: "https://open.bigmodel.cn/api/paas/v4",
      models: ["glm-4.6", "glm-4.5-air"],
      default: "glm-4.6",
      api_key_env: "ZHIPU_API_KEY",
      context_window: 200_000,
    },
    keyPage: "https://open.bigmodel.cn/usercenter/apikeys",
  },
  {
    id: "minimax",
    title: "MiniMax",
    hint: "api.minimax.io",
    provider: {
      name: "minimax",
      kind: "openai",
      base_url: "https://api.minimax.io/v1",
      models: ["MiniMax-M2"],
      default: "MiniMax-M2",
      api_key_env: "MINIMAX_API_KEY",
      context_window: 204_800,
    },
    keyPage: "https://platform.minimax.io/user-center/basic-information/interface-key",
  },
  {
    id: "xai",
    title: "xAI (Grok)",
    hint: "api.x.ai",
    provider: {
      name: "xai",
      kind: "openai",
      base_url: "https://api.x.ai/v1",
      models: ["grok-code-fast-1", "grok-4"],
      default: "grok-code-fast-1",
      api_key_env: "XAI_API_KEY",
      context_window: 256_000,
    },
    keyPage: "https://console.x.ai",
  },
  {
    id: "mistral",
    title: "Mistral",
    hint: "api.mistral.ai",
    provider: {
      name: "mistral",
      kind: "openai",
      base_url: "https://api.mistral.ai/v1",
      models: ["devstral-medium-latest", "mistral-large-latest"],
      default: "devstral-medium-latest",
      api_key_env: "MISTRAL_API_KEY",
      context_window: 128_000,
    },
    keyPage: "https://console.mistral.ai/api-keys",
  },
  {
    id: "ollama",
    title: "Ollama",
    hint: "this machine, port 11434, no key",
    provider: {
      name: "ollama",
      kind: "openai",
      base_url: "http://127.0.0.1:11434/v1",
      models: [],
      default: "",
      api_key_env: "",
      context_window: 32_768,
    },
  },
  {
    id: "lmstudio",
    title: "LM Studio",
    hint: "this machine, port 1234, no key",
    provider: {
      name: "lmstudio",
      kind: "openai",
      base_url: "http://127.0.0.1:1234/v1",
      models: [],
      default: "",
      api_key_env: "",
      context_window: 32_768,
    },
  },
  {
    id: "llamacpp",
    title: "llama.cpp server",
    hint: "this machine, port 8080, no key",
    provider: {
      name: "llamacpp",
      kind: "openai",
      base_url: "http://127.0.0.1:8080/v1",
      models: [],
      default: "",
      api_key_env: "",
      context_window: 32_768,
    },
  },
];

export function vendorOf(baseUrl: string): Vendor | undefined {
  return VENDORS.find((vendor) => vendor.provider.base_url === baseUrl);
}
