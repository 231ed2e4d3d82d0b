/** The settings that `reasonix config NAME [VALUE]` shows and sets. */
import type { Config } from "./config.ts";
import type { EditPath } from "./edit/data_edit.ts";
import type { TomlValue } from "./edit/toml_value.ts";

export interface SmallSetting {
  /** As typed: `compact-ratio`. */
  readonly name: string;
  /** As written in the file. */
  readonly path: EditPath & readonly string[];
  /** `--local` may write it to the project's file. */
  readonly local: boolean;
  /** For usage lines: `auto|zh|en`. */
  readonly values: string;
  /** Undefined for a value it does not take. */
  parse(text: string): TomlValue | undefined;
  /** `compact_ratio = 90%`. */
  show(config: Config): string;
}

export const SMALL_SETTINGS: readonly SmallSetting[] = [
  {
    name: "reasoning-language",
    path: ["agent", "reasoning_language"],
    local: true,
    values: "auto|zh|en",
    parse: oneOf("auto", "zh", "en"),
    show: (config) => `reasoning_language = ${config.agent.reasoningLanguage}`,
  },
  {
    name: "compact-ratio",
    path: ["agent", "compact_ratio"],
    local: true,
    values: "VALUE, such as 90, 90% or 0.9",
    parse: parseRatio,
    show: (config) => `compact_ratio = ${percent(config.agent.compactRatio)}`,
  },
  {
    name: "currency",
    path: ["billing", "display_currency"],
    local: false,
    values: "auto|CNY|USD",
    parse: oneOf("auto", "CNY", "USD"),
    show: (config) => `display_currency = ${config.billing.displayCurrency}`,
  },
  {
    name: "telemetry",
    path: ["telemetry", "cli_metrics"],
    local: false,
    values: "auto|on|off",
    parse: oneOf("auto", "on", "off"),
    show: (config) => `cli_metrics = ${config.telemetry.cliMetrics}`,
  },
];

/** A percentage above 0 and below 100; a value up to 1 without a sign is a fraction. */
function parseRatio(text: string): number | undefined {
  const [, digits, sign] = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  const ratio = sign === "%" || value > 1 ? Number((value / 100).toPrecision(12)) : value;
  return ratio > 0 && ratio < 1 ? ratio : undefined;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(12))}%`;
}

function oneOf(...words: string[]): (text: string) => string | undefined {
  return (text) => words.find((word) => word.toLowerCase() === text.trim().toLowerCase());
}
