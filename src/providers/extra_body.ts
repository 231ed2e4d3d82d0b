/** `extra_body` of the settings: fields for every request body, but for those that the protocol owns. */
import { ReasonixError } from "../contract/errors.ts";
import type { ProviderSettings } from "../contract/provider.ts";

export interface ExtraBody {
  readonly fields: Readonly<Record<string, unknown>>;
  /** One line for each field that is left out. */
  readonly notices: readonly string[];
}

/** Throws `config.type` for a null. `owned`: keys that cannot be taken over. */
export function readExtraBody(settings: ProviderSettings, owned: readonly string[]): ExtraBody {
  const fields: Record<string, unknown> = {};
  const notices: string[] = [];
  for (const [key, value] of Object.entries(settings.extraBody)) {
    if (value === null || value === undefined) {
      throw new ReasonixError(
        "config.type",
        `extra_body.${key} of provider ${settings.name} is null; it needs a value`,
        {
          remedy: `Give extra_body.${key} a value or remove it.`,
        },
      );
    }
    if (owned.includes(key)) {
      notices.push(`extra_body.${key} of provider ${settings.name} is ignored: Reasonix sets it itself.`);
    } else fields[key] = value;
  }
  return { fields, notices };
}
