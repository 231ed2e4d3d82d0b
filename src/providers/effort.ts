/** Reasoning effort: which level a request asks for, checked before anything is sent (runtime §4). */
import { ReasonixError } from "../contract/errors.ts";

export interface EffortLevels {
  /** Levels the endpoint takes, weakest first. */
  readonly levels: readonly string[];
  /** Other words for them. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/**
 * The level to send; undefined sends nothing (`auto`, or nothing asked for; `off` where thinking has no switch). Throws `provider.unsupported_effort` for a
 * level the model does not have and `provider.unknown_reasoning` where nobody declared what it has.
 */
export function resolveEffort(
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
  const alias = aliases?.[level];
  if (alias !== undefined && levels.includes(alias)) return alias;
  throw new ReasonixError(
    "provider.unsupported_effort",
    `UNSUPPORTED_REASONING_EFFORT: ${who} does not take effort "${level}"; it takes ${["auto", ...levels].join(", ")}`,
    { remedy: `Use one of: ${["auto", ...levels].join(", ")}.` },
  );
}
