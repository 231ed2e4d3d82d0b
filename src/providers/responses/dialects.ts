/**
 * How endpoints that speak OpenAI responses differ, as data. A dialect is named by `reasoning_protocol` or recognised
 * by the endpoint's host; where the host is nobody's, by the family of the model.
 */
import type { ProviderSettings } from "../../contract/provider.ts";
import { chooseVendor, type Vendor, type VendorChoice } from "../vendor.ts";

export interface Dialect extends Vendor {
  /** Value of `reasoning.effort` for each level. */
  readonly efforts?: Readonly<Record<string, string>>;
  /** Reasoning is kept by the client, unreadable: it is asked for, and nothing is stored at the endpoint. */
  readonly encrypts: boolean;
  /** Reasoning goes back as plain text with every turn that calls tools. */
  readonly plainReasoning: boolean;
  /** Takes `temperature`. */
  readonly sampling: boolean;
}

const PLAIN = { hosts: [], encrypts: false, plainReasoning: false, sampling: true } as const;
const OPENAI_HOSTS = ["api.openai.com", "openai.azure.com", "services.ai.azure.com"];
const EFFORTS = { low: "low", medium: "medium", high: "high" };

/** Where nothing tells the vendor: nothing is known about reasoning. */
const GENERIC: Dialect = { ...PLAIN, name: "generic" };

const DIALECTS: readonly Dialect[] = [
  {
    ...PLAIN,
    name: "deepseek",
    hosts: ["deepseek.com"],
    families: ["deepseek-"],
    efforts: { disabled: "none", low: "low", high: "high", max: "max" },
    aliases: { medium: "high", xhigh: "high" },
    defaultEffort: "high",
    plainReasoning: true,
  },
  {
    ...PLAIN,
    name: "openai",
    hosts: OPENAI_HOSTS,
    hostServesOthers: true,
    families: ["gpt-5", "gpt-6", "o1", "o3", "o4", "codex-"],
    efforts: EFFORTS,
    aliases: { max: "high" },
    encrypts: true,
    sampling: false,
  },
  { ...PLAIN, name: "xai", hosts: ["x.ai"], families: ["grok-"], efforts: EFFORTS, encrypts: true },
  /** No reasoning fields at all. */
  { ...PLAIN, name: "none", efforts: {} },
];

export type DialectChoice = VendorChoice<Dialect>;

export function chooseDialect(settings: ProviderSettings, target: URL): DialectChoice {
  return chooseVendor(DIALECTS, GENERIC, { settings, target });
}
