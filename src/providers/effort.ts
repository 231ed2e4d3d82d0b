/** Reasoning effort: which level a request asks for, checked before anything is sent. */
import { ReasonixError } from "../contract/errors.ts";
import type { ProviderSettings } from "../contract/provider.ts";
import type { Vendor, VendorChoice } from "./vendor.ts";

interface EffortLevels {
  /** Levels the endpoint takes, weakest first. */
  readonly levels: readonly string[];
  /** Other words for them. */
  readonly aliases: Readonly<Record<string, string>>;
}

/**
 * The level to send; undefined sends nothing: for `auto`, where nothing is asked for, and for `off` where thinking has
 * no switch. Throws `provider.unsupported_effort` for a level the model does not have and `provider.unknown_reasoning`
 * where nobody declared what it has.
 */
function resolveEffort(
  wanted: string | undefined,
  options: { readonly known: EffortLevels | undefined; readonly provider: string; readonly model: string },
): string | undefined {
  const level = (wanted ?? "").trim().toLowerCase();
  if (level === "" || level === "auto") return undefined;
  const off = ["disabled", "none"].find((name) => options.known?.levels.includes(name));
  if (level === "off") return off;
  const who = `${options.provider}/${options.model}`;
  if (options.known === undefined) {
    throw new ReasonixError(
      "provider.unknown_reasoning",
      `UNKNOWN_MODEL_REASONING: nothing is known about reasoning of ${who}, so effort "${level}" cannot be asked for`,
      { remedy: `Declare supported_efforts (and reasoning_protocol) for ${who}, or use effort "auto".` },
    );
  }
  const { levels, aliases } = options.known;
  if (levels.includes(level)) return level;
  const alias = aliases[level];
  if (alias !== undefined && levels.includes(alias)) return alias;
  throw new ReasonixError(
    "provider.unsupported_effort",
    `UNSUPPORTED_REASONING_EFFORT: ${who} does not take effort "${level}"; it takes ${["auto", ...levels].join(", ")}`,
    { remedy: `Use one of: ${["auto", ...levels].join(", ")}.` },
  );
}

export interface EffortChoice {
  /** Level that is asked for; undefined leaves it to the endpoint. */
  readonly effort: string | undefined;
  /** False when thinking is switched off. */
  readonly thinks: boolean;
}

/**
 * The request's own level wins; then a provider that switches thinking off, the provider's level, its default, and
 * last the vendor's default, where the vendor is not a guess by the model's family. Throws as `resolveEffort` does.
 */
export function chooseEffort(
  settings: ProviderSettings,
  choice: VendorChoice<Vendor>,
  requested: string | undefined,
): EffortChoice {
  const { dialect, by } = choice;
  const known = effortLevels(dialect, settings.supportedEfforts);
  const offered = (level: string | undefined) =>
    level !== undefined && known?.levels.includes(level) ? level : undefined;
  const switchedOff = settings.thinking === "disabled";
  const chosen = requested || (switchedOff ? offered("disabled") : undefined) || settings.effort ||
    offered(settings.thinking) || settings.defaultEffort ||
    (by === "family" || switchedOff ? undefined : dialect.defaultEffort);
  const effort = resolveEffort(chosen, { known, provider: settings.name, model: settings.model });
  const thinks = effort === undefined ? !switchedOff : effort !== "disabled" && effort !== "none";
  return { effort, thinks };
}

/** Levels to check against: what the user declared, else what the vendor is known for; undefined where nobody knows. */
function effortLevels(vendor: Vendor, declared: readonly string[] | undefined): EffortLevels | undefined {
  const { efforts, aliases = {} } = vendor;
  if (declared && declared.length > 0) return { levels: declared, aliases };
  return efforts && { levels: Object.keys(efforts), aliases };
}
