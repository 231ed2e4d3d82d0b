/** `/provider`: the providers of the settings, and from one of them on to its models. */
import { closestName } from "../../lib/closest_name.ts";
import type { CommandAnswer, CommandRow } from "../command.ts";
import { type BuiltIn, choice, type CommandContext, screen, WrongArgument } from "./built_in.ts";
import type { KeyState, ProviderRow } from "./host.ts";

export const PROVIDER: BuiltIn = {
  name: "provider",
  hint: "[NAME]",
  summary: "Show the providers, and choose a model of one",
  details: "Providers are added, changed and removed with `reasonix setup` in a shell; `/reload` takes them up.",
  run: async (name, context) => {
    const providers = await context.host.providers();
    if (name === "") return listProviders(providers, context);
    const provider = providers.find((one) => one.name === name);
    if (provider === undefined) {
      const near = closestName(name, providers.map((one) => one.name));
      throw new WrongArgument(`there is no provider "${name}"${near === undefined ? "" : `; did you mean ${near}?`}`);
    }
    return listModels(provider, context);
  },
};

/** What is said of a key; never the key. */
export const KEY_WORDS: Readonly<Record<KeyState, string>> = {
  present: "key saved",
  missing: "key missing",
  unconfirmed: "key not confirmed",
  not_needed: "no key needed",
};

function listProviders(providers: readonly ProviderRow[], { controller }: CommandContext): CommandAnswer {
  const now = providers.find(({ models }) => models.includes(controller.model.ref))?.name ??
    controller.model.ref.split("/")[0];
  const rows = providers.map((provider): CommandRow => ({
    label: provider.label === provider.name ? provider.name : `${provider.label} (${provider.name})`,
    detail: [
      `${KEY_WORDS[provider.key]}${provider.key === "not_needed" ? "" : ` (${provider.keyName})`}`,
      provider.kind,
      provider.host,
      ...(provider.ofProject ? ["of this folder"] : []),
    ].join(" · "),
    ...(provider.name === now ? { current: true } : {}),
    actions: {
      enter: { label: "models", line: `/provider ${provider.name}` },
    },
  }));
  return screen("Provider", rows, "no provider is configured; `reasonix setup` adds one");
}

function listModels({ name, label, models }: ProviderRow, { controller }: CommandContext): CommandAnswer {
  if (models.length === 0) {
    return { kind: "error", text: `Provider ${name} lists no models: name one with /model ${name}/MODEL.` };
  }
  return choice(models.map((ref) => ({ value: ref, current: ref === controller.model.ref })), {
    title: `Models of ${label}`,
    command: "model",
  });
}
