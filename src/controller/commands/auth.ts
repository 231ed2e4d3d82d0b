/** `/auth`: which keys the providers want, which of them are saved, and how to save one. Never a key itself. */
import type { CommandAnswer, CommandRow } from "../command.ts";
import { type BuiltIn, type CommandContext, WrongArgument } from "./built_in.ts";
import type { KeyState, ProviderRow } from "./host.ts";
import { KEY_WORDS } from "./provider.ts";

export const AUTH: BuiltIn = {
  name: "auth",
  hint: "[PROVIDER|KEY]",
  summary: "Show which keys the providers want and which are saved, or save one",
  details:
    "Keys are kept in `.env` of the home, readable by you alone, and are read from nowhere else. A key that is " +
    "saved here is in force at once.",
  run: async (name, context) => {
    const keys = keysOf(await context.host.providers());
    if (name === "") return list(keys, context);
    const key = keys.find((one) => one.name === name || one.providers.some((provider) => provider.name === name));
    if (key === undefined) {
      const known = keys.map((one) => one.name).join(", ");
      throw new WrongArgument(`no provider wants a key "${name}"${known === "" ? "" : `; they want ${known}`}`);
    }
    return { kind: "frontend", action: "secret", argument: key.name, text: howTo(key.name, context) };
  },
};

interface Key {
  /** Variable. */
  readonly name: string;
  readonly state: KeyState;
  readonly providers: readonly ProviderRow[];
}

/** One for each variable, in the order of the providers. */
function keysOf(providers: readonly ProviderRow[]): readonly Key[] {
  const names = [...new Set(providers.map(({ keyName }) => keyName).filter((name) => name !== ""))];
  return names.map((name): Key => {
    const users = providers.filter(({ keyName }) => keyName === name);
    const states = users.map(({ key }) => key);
    const state = (["present", "missing", "unconfirmed"] as const).find((one) => states.includes(one)) ?? "not_needed";
    return { name, state, providers: users };
  });
}

function list(keys: readonly Key[], context: CommandContext): CommandAnswer {
  const rows = keys.map(({ name, state, providers }): CommandRow => ({
    label: name,
    detail: `${KEY_WORDS[state]} · for ${providers.map((provider) => provider.name).join(", ")}`,
    actions: { enter: { label: state === "present" ? "replace" : "save", line: `/auth ${name}` } },
  }));
  const lines = rows.map(({ label, detail }) => `- ${label}: ${detail}`);
  return {
    kind: "screen",
    screen: { title: `Keys, kept in ${placeOfKeys(context)}`, rows, empty: "no provider wants a key" },
    text: lines.length === 0 ? "No provider wants a key." : [...lines, "", howTo("NAME", context)].join("\n"),
  };
}

function howTo(name: string, context: CommandContext): string {
  return `To save a key: \`reasonix setup\` in a shell, or a line \`${name}=…\` in ${
    placeOfKeys(context)
  }; then /reload.`;
}

function placeOfKeys({ host }: CommandContext): string {
  return host.places.find(([what]) => what === "keys")?.[1] ?? "the home's .env";
}
