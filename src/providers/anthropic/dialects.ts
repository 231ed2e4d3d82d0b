/**
 * How endpoints that speak Anthropic messages differ, as data. A dialect is named by `reasoning_protocol` or recognised
 * by the endpoint's host; where the host is nobody's, by the family of the model.
 */
import type { ProviderSettings } from "../../contract/provider.ts";
import { chooseVendor, type Vendor, type VendorChoice } from "../vendor.ts";

export interface Dialect extends Vendor {
  /** Body fields of each level. */
  readonly efforts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Fields that switch thinking on where the settings ask for thinking and nobody for a level. */
  readonly thinking?: Readonly<Record<string, unknown>>;
  /** Tokens that each level may think; the level's own fields are then none. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** Whether it thinks where nobody asked it to. */
  readonly thinksUnasked: "no" | "maybe" | "yes";
  /**
   * Which reasoning goes back. `signed`: what this model signed itself. `unsigned`: the text, without signature, with
   * every turn that calls tools, also where there was none.
   */
  readonly replay: "signed" | "unsigned";
  /** Wants marks where its cache ends; others cache by themselves. */
  readonly cacheMarks: boolean;
  /** Takes `temperature`. */
  readonly sampling: boolean;
  /** Takes back what its own tools did. */
  readonly serverTools: boolean;
  /** A tool turn without reasoning and text is asked for once more. */
  readonly expectsReasoning: boolean;
  /** Lists its models at the root of the host, for a bearer. */
  readonly modelsAtRoot: boolean;
}

const PLAIN = {
  hosts: [],
  thinksUnasked: "maybe",
  replay: "signed",
  cacheMarks: true,
  sampling: true,
  serverTools: true,
  expectsReasoning: false,
  modelsAtRoot: false,
} as const;

const ADAPTIVE = { thinking: { type: "adaptive", display: "summarized" } };
const adaptive = (effort: string) => ({ ...ADAPTIVE, output_config: { effort } });
const OFF = { thinking: { type: "disabled" } };
const ON = { thinking: { type: "enabled" } };
const deepseek = (effort: string) => ({ ...ON, output_config: { effort } });

/** Where nothing tells the vendor: nothing is known about reasoning. */
const GENERIC: Dialect = { ...PLAIN, name: "generic" };

const DIALECTS: readonly Dialect[] = [
  {
    ...PLAIN,
    name: "deepseek",
    hosts: ["deepseek.com"],
    families: ["deepseek-"],
    efforts: { disabled: OFF, low: deepseek("low"), high: deepseek("high"), max: deepseek("max") },
    aliases: { medium: "high", xhigh: "high" },
    defaultEffort: "high",
    thinksUnasked: "yes",
    replay: "unsigned",
    cacheMarks: false,
    serverTools: false,
    expectsReasoning: true,
    modelsAtRoot: true,
  },
  {
    ...PLAIN,
    // Models from before adaptive thinking; they want a number of tokens.
    name: "anthropic-budget",
    hosts: ["anthropic.com"],
    hostServesOthers: true,
    families: [
      "claude-3-7",
      "claude-opus-4-0",
      "claude-opus-4-1",
      "claude-opus-4-2",
      "claude-opus-4-5",
      "claude-sonnet-4-0",
      "claude-sonnet-4-2",
      "claude-sonnet-4-5",
      "claude-haiku-4-5",
    ],
    efforts: { low: {}, medium: {}, high: {} },
    aliases: { xhigh: "high", max: "high" },
    thinksUnasked: "no",
    budgets: { low: 4096, medium: 12_288, high: 32_768 },
    sampling: false,
  },
  {
    ...PLAIN,
    name: "anthropic",
    hosts: ["anthropic.com"],
    families: ["claude-"],
    efforts: {
      low: adaptive("low"),
      medium: adaptive("medium"),
      high: adaptive("high"),
      xhigh: adaptive("xhigh"),
      max: adaptive("max"),
    },
    thinking: ADAPTIVE,
    thinksUnasked: "no",
    sampling: false,
  },
  {
    ...PLAIN,
    name: "glm",
    hosts: ["bigmodel.cn", "z.ai", "longcat.chat"],
    families: ["glm-", "longcat-"],
    efforts: { disabled: OFF, enabled: ON },
  },
  {
    ...PLAIN,
    name: "minimax",
    hosts: ["minimax.io", "minimaxi.com", "minimax.chat"],
    families: ["minimax-"],
    efforts: { disabled: OFF, adaptive: { thinking: { type: "adaptive" } } },
  },
  { ...PLAIN, name: "kimi-k3", hosts: ["moonshot.ai", "moonshot.cn", "kimi.com"], families: ["kimi-"] },
  /** No reasoning fields at all. */
  { ...PLAIN, name: "none", efforts: {} },
];

export type DialectChoice = VendorChoice<Dialect>;

export function chooseDialect(settings: ProviderSettings, target: URL): DialectChoice {
  return chooseVendor(DIALECTS, GENERIC, { settings, target });
}
