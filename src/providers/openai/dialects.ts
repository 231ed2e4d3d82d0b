/**
 * How vendors of chat completions differ, as data. A dialect is named by `reasoning_protocol` or recognised by the
 * endpoint's host; where the host is nobody's, by the family of the model. Nothing else asks which vendor it talks to.
 */
import type { ProviderSettings } from "../../contract/provider.ts";
import { chooseVendor, type Vendor, type VendorChoice } from "../vendor.ts";

export interface Dialect extends Vendor {
  /** Body fields of each level. */
  readonly efforts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * Which assistant turns carry their reasoning back. `calls`: those that call tools, the key even when empty.
   * `details`: structured items, where there are some.
   */
  readonly replay: "never" | "calls" | "all" | "details";
  readonly tokenField: "max_tokens" | "max_completion_tokens";
  /** Takes `temperature`. */
  readonly sampling: boolean;
  /** Thinking may come inside the text, between `<think>` tags. */
  readonly thinkTags: boolean;
  /** Answers are limited automatically; elsewhere nobody knows what the endpoint allows. */
  readonly automaticLimit: boolean;
  /** Wants thought signatures of calls back. */
  readonly signatures: boolean;
  /** A tool turn without reasoning and text is asked for once more. */
  readonly expectsReasoning: boolean;
}

const PLAIN = {
  hosts: [],
  replay: "never",
  tokenField: "max_tokens",
  sampling: true,
  thinkTags: false,
  automaticLimit: false,
  signatures: false,
  expectsReasoning: false,
} as const;

const thinking = (type: string) => ({ thinking: { type } });
const effort = (level: string) => ({ reasoning_effort: level });
const OPENAI_EFFORTS = { low: effort("low"), medium: effort("medium"), high: effort("high") };

/** Where nothing tells the vendor: nothing is known about reasoning, and thinking may come as tags. */
const GENERIC: Dialect = { ...PLAIN, name: "generic", thinkTags: true };

const DIALECTS: readonly Dialect[] = [
  {
    ...PLAIN,
    name: "deepseek",
    hosts: ["deepseek.com"],
    families: ["deepseek-"],
    efforts: {
      disabled: thinking("disabled"),
      low: { ...thinking("enabled"), ...effort("low") },
      high: { ...thinking("enabled"), ...effort("high") },
      max: { ...thinking("enabled"), ...effort("max") },
    },
    aliases: { medium: "high", xhigh: "high" },
    defaultEffort: "high",
    replay: "calls",
    automaticLimit: true,
    expectsReasoning: true,
  },
  {
    ...PLAIN,
    name: "minimax",
    hosts: ["minimax.io", "minimaxi.com", "minimax.chat"],
    families: ["minimax-"],
    efforts: { disabled: thinking("disabled"), adaptive: thinking("adaptive") },
    thinkTags: true,
  },
  {
    ...PLAIN,
    name: "glm",
    hosts: ["bigmodel.cn", "z.ai", "longcat.chat"],
    families: ["glm-", "longcat-"],
    efforts: { disabled: thinking("disabled"), enabled: thinking("enabled") },
    replay: "all",
    automaticLimit: true,
  },
  {
    ...PLAIN,
    name: "kimi-k3",
    hosts: ["moonshot.ai", "moonshot.cn"],
    families: ["kimi-k3"],
    hostServesOthers: true,
    efforts: { low: effort("low"), high: effort("high"), max: effort("max") },
    defaultEffort: "max",
    replay: "all",
    tokenField: "max_completion_tokens",
    sampling: false,
    automaticLimit: true,
  },
  {
    ...PLAIN,
    name: "ollama-cloud",
    hosts: ["ollama.com"],
    efforts: { none: effort("none"), ...OPENAI_EFFORTS, max: effort("max") },
    aliases: { disabled: "none" },
    thinkTags: true,
  },
  {
    ...PLAIN,
    name: "openai",
    hosts: ["api.openai.com", "openai.azure.com", "services.ai.azure.com"],
    efforts: OPENAI_EFFORTS,
    aliases: { max: "high" },
    tokenField: "max_completion_tokens",
  },
  {
    ...PLAIN,
    name: "gateway",
    hosts: ["openrouter.ai", "ai-gateway.vercel.sh"],
    efforts: OPENAI_EFFORTS,
    aliases: { max: "high" },
    replay: "details",
  },
  {
    ...PLAIN,
    name: "gemini",
    hosts: ["generativelanguage.googleapis.com"],
    efforts: { none: effort("none"), ...OPENAI_EFFORTS },
    aliases: { max: "high", disabled: "none" },
    signatures: true,
  },
  /** Plain chat: no reasoning fields at all. */
  { ...PLAIN, name: "none", efforts: {}, thinkTags: true },
];

export type DialectChoice = VendorChoice<Dialect>;

export function chooseDialect(settings: ProviderSettings, target: URL): DialectChoice {
  return chooseVendor(DIALECTS, GENERIC, { settings, target });
}

/** Body fields for a level; a declared level the dialect does not know goes out as `reasoning_effort`. */
export function effortFields(dialect: Dialect, level: string | undefined): Readonly<Record<string, unknown>> {
  if (level === undefined) return {};
  return dialect.efforts?.[level] ?? { reasoning_effort: level };
}
