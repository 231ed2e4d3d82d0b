/**
 * The conversation of `setup`: providers are added, changed and tried out in a draft; saving is the only thing that
 * writes, and it is asked for. Rejects with `Left` when the person goes without saving.
 */
import type { ListedModel } from "../../../contract/provider.ts";
import { errorText } from "../../../lib/error_text.ts";
import { plural } from "../../../lib/plural.ts";
import { defaultKeyName } from "../../../config/mod.ts";
import type { Asker, Choice } from "./asker.ts";
import { Left } from "./asker.ts";
import { nameOf, type ProviderTable, type SetupDraft } from "./draft.ts";
import {
  addressProblem,
  customName,
  freeName,
  keyProblem,
  modelsOf,
  nameProblem,
  toAddress,
  toTokens,
  toWindows,
  usersOf,
  variableOf,
  variableProblem,
  windowProblem,
} from "./provider_rules.ts";
import { type Vendor, vendorOf, VENDORS } from "./vendors.ts";

export interface SetupPorts {
  readonly asker: Asker;
  /** The key saved under a variable, before this conversation. */
  savedKey(variable: string): string | undefined;
  /** Models of an endpoint. Rejects with an error whose message is one line for people. */
  listModels(
    provider: ProviderTable,
    options: { readonly key: string; readonly listUrl?: string },
  ): Promise<readonly ListedModel[]>;
}

type Action = "add" | "default" | "save" | "leave" | { readonly provider: string };

/** Settles when the person wants to save. */
export async function converse(draft: SetupDraft, ports: SetupPorts): Promise<void> {
  const dialogue = new Dialogue(draft, ports);
  if (draft.providers.length === 0) await dialogue.add();
  for (;;) if (await dialogue.next()) return;
}

class Dialogue {
  readonly #draft: SetupDraft;
  readonly #ports: SetupPorts;
  readonly #ask: Asker;

  constructor(draft: SetupDraft, ports: SetupPorts) {
    this.#draft = draft;
    this.#ports = ports;
    this.#ask = ports.asker;
  }

  /** True when all is said and is to be saved. */
  async next(): Promise<boolean> {
    const draft = this.#draft;
    const action = await this.#ask.choose<Action>("What next?", [
      ...(draft.isChanged
        ? [{ value: "save" as const, label: "Save and leave", hint: draft.summary().join("; ") }]
        : []),
      ...draft.providers.map((provider) => ({
        value: { provider: nameOf(provider) },
        label: nameOf(provider),
        hint: this.#describe(provider),
      })),
      { value: "add" as const, label: "Add a provider" },
      ...(draft.providers.length > 0
        ? [{ value: "default" as const, label: "Choose the default model", hint: draft.defaultModel ?? "none" }]
        : []),
      { value: "leave" as const, label: draft.isChanged ? "Leave without saving" : "Leave" },
    ]);
    if (typeof action === "object") await this.#provider(action.provider);
    else if (action === "add") await this.add();
    else if (action === "default") await this.#chooseDefault();
    else if (action === "save") {
      this.#ask.say("info", draft.summary().join("\n"));
      return await this.#ask.yes("Write these changes?");
    } else if (action === "leave") {
      if (!draft.isChanged || await this.#ask.yes("Drop the changes?", false)) throw new Left("nothing was written");
    }
    return false;
  }

  #describe(provider: ProviderTable): string {
    const variable = variableOf(provider);
    const models = modelsOf(provider);
    return [
      String(provider["base_url"] ?? provider["request_url"] ?? ""),
      plural(models.length, "model"),
      variable === "" ? "no key needed" : `key ${this.#keyOf(provider) === "" ? "missing" : "present"}`,
    ].join(", ");
  }

  #keyOf(provider: ProviderTable): string {
    const variable = variableOf(provider);
    if (variable === "") return "";
    return this.#draft.keys.get(variable) ?? this.#ports.savedKey(variable) ?? "";
  }

  get #names(): string[] {
    return this.#draft.providers.map(nameOf);
  }

  async add(): Promise<void> {
    const vendor = await this.#ask.choose<Vendor | "openai" | "anthropic">("Which provider?", [
      ...VENDORS.map((vendor) => ({ value: vendor, label: vendor.title, hint: vendor.hint })),
      { value: "openai", label: "Another OpenAI-compatible endpoint" },
      { value: "anthropic", label: "Another Anthropic-compatible endpoint" },
    ]);
    const provider = typeof vendor === "string" ? await this.#custom(vendor) : this.#fromVendor(vendor);
    const settled = await this.#settleVariable(provider);
    this.#draft.add(settled);
    if (typeof vendor === "object" && vendor.keyPage) this.#ask.say("info", `Keys are made at ${vendor.keyPage}`);
    await this.#askKey(nameOf(settled));
    await this.#refresh(nameOf(settled));
  }

  #fromVendor({ provider }: Vendor): ProviderTable {
    const name = freeName(provider.name, this.#names);
    const written = Object.entries(provider).filter(([key, value]) =>
      !((key === "models" && (value as readonly string[]).length === 0) || (key === "default" && value === ""))
    );
    return { ...Object.fromEntries(written), name } as ProviderTable;
  }

  async #custom(kind: "openai" | "anthropic"): Promise<ProviderTable> {
    const address = toAddress(
      await this.#ask.line("Address of the API", { example: "https://host/v1", problem: addressProblem }),
    );
    const name = await this.#ask.line("Name", {
      initial: customName(address, this.#names),
      problem: (text) => nameProblem(text, this.#names),
    });
    return { name, kind, base_url: address, api_key_env: defaultKeyName(name) };
  }

  /** One variable holds one key: two providers share it knowingly, or not at all. */
  async #settleVariable(provider: ProviderTable): Promise<ProviderTable> {
    const variable = variableOf(provider);
    const others = usersOf(variable, this.#draft.providers, nameOf(provider));
    if (others.length === 0) return provider;
    const share = await this.#ask.choose<boolean>(`${variable} is the key of ${others.join(", ")} already.`, [
      { value: true, label: "Share it", hint: "both use the same key" },
      { value: false, label: "Use a variable of its own" },
    ]);
    if (share) return provider;
    const taken = this.#draft.providers.map(variableOf);
    const own = freeName(defaultKeyName(nameOf(provider)), taken).replaceAll("-", "_");
    const named = await this.#ask.line("Name of the variable", {
      initial: own,
      problem: (text) => variableProblem(text) ?? (taken.includes(text) ? `${text} is in use.` : undefined),
    });
    return { ...provider, api_key_env: named };
  }

  async #askKey(name: string): Promise<void> {
    const provider = this.#draft.find(name)!;
    const variable = variableOf(provider);
    if (variable === "") return;
    const present = this.#keyOf(provider) !== "";
    const question = `${variable}${present ? " (empty: keep the one there is)" : " (empty: later)"}`;
    for (;;) {
      const key = await this.#ask.secret(question);
      const problem = key === "" ? undefined : keyProblem(key);
      if (problem === undefined) {
        if (key !== "") this.#draft.setKey(variable, key);
        return;
      }
      this.#ask.say("warning", problem);
    }
  }

  /** Asks the endpoint for its models: the test of address and key at once. */
  async #refresh(name: string, options: { readonly testOnly?: boolean } = {}): Promise<void> {
    const provider = this.#draft.find(name)!;
    const key = this.#keyOf(provider);
    if (key === "" && variableOf(provider) !== "" && !isLocal(provider)) {
      this.#ask.say("info", "Without its key the endpoint was not asked.");
      return await this.#modelsByHand(name, options);
    }
    const listUrl = vendorOf(String(provider["base_url"] ?? ""))?.listUrl;
    let found: readonly ListedModel[];
    try {
      found = await this.#ask.during(
        `Asking ${hostOf(provider)} for its models`,
        this.#ports.listModels(provider, { key, ...(listUrl ? { listUrl } : {}) }),
      );
    } catch (error) {
      this.#ask.say("warning", errorText(error));
      return await this.#modelsByHand(name, options);
    }
    this.#ask.say("done", `${hostOf(provider)} answered and offers ${plural(found.length, "model")}`);
    if (options.testOnly || found.length === 0) return;
    const ids = found.map(({ id }) => id);
    const known = modelsOf(provider).filter((id) => ids.includes(id));
    const chosen = await this.#ask.some(
      "Models to use",
      ids.map((id) => ({ value: id, label: id })),
      known.length > 0 ? known : ids.slice(0, 1),
    );
    await this.#useModels(name, chosen);
    await this.#settleWindow(name, found);
  }

  /** How much its models take: as the endpoint tells, else as the person does. */
  async #settleWindow(name: string, found: readonly ListedModel[]): Promise<void> {
    const provider = this.#draft.find(name)!;
    const windows = toWindows(provider, found);
    if (windows !== undefined) return this.#draft.change(name, windows);
    if (Number(provider["context_window"]) > 0) return;
    const text = await this.#ask.line("Tokens that fit into one request (empty: not known, nothing is folded)", {
      example: "128k",
      problem: windowProblem,
    });
    if (text !== "") this.#draft.change(name, { context_window: toTokens(text) });
  }

  async #modelsByHand(name: string, { testOnly = false }): Promise<void> {
    const models = modelsOf(this.#draft.find(name)!);
    if (testOnly || models.length > 0) return;
    const text = await this.#ask.line("Models, with commas between", {
      problem: (text) => text === "" ? "At least one." : undefined,
    });
    await this.#useModels(name, [...new Set(text.split(",").map((id) => id.trim()).filter((id) => id !== ""))]);
    await this.#settleWindow(name, []);
  }

  async #useModels(name: string, models: readonly string[]): Promise<void> {
    const old = this.#draft.find(name)!["default"];
    const isKept = typeof old === "string" && models.includes(old);
    const chosen = isKept || models.length === 1
      ? (isKept ? old : models[0]!)
      : await this.#ask.choose("Model used by default", models.map((id) => ({ value: id, label: id })));
    this.#draft.change(name, { model: undefined, models: [...models], default: chosen });
  }

  async #provider(name: string): Promise<void> {
    type Deed = "key" | "test" | "models" | "address" | "remove" | "back";
    const choices: Choice<Deed>[] = [
      { value: "key", label: "Set its key" },
      { value: "test", label: "Test the connection" },
      { value: "models", label: "Refresh and choose its models" },
      { value: "address", label: "Change its address" },
      { value: "remove", label: "Remove it" },
      { value: "back", label: "Back" },
    ];
    switch (await this.#ask.choose(name, choices)) {
      case "key":
        if (variableOf(this.#draft.find(name)!) === "") {
          this.#draft.change(name, { api_key_env: defaultKeyName(name) });
        }
        return await this.#askKey(name);
      case "test":
        return await this.#refresh(name, { testOnly: true });
      case "models":
        return await this.#refresh(name);
      case "address": {
        const initial = String(this.#draft.find(name)!["base_url"] ?? "");
        const address = await this.#ask.line("Address of the API", { initial, problem: addressProblem });
        return this.#draft.change(name, { base_url: toAddress(address) });
      }
      case "remove":
        if (await this.#ask.yes(`Remove ${name}? Its key stays saved.`, false)) this.#draft.remove(name);
        return;
      case "back":
        return;
    }
  }

  async #chooseDefault(): Promise<void> {
    const refs = this.#draft.providers.flatMap((provider) => {
      const name = nameOf(provider);
      return [name, ...modelsOf(provider).map((id) => `${name}/${id}`)];
    });
    const choices = refs.map((ref) => ({ value: ref, label: ref }));
    this.#draft.chooseDefault(await this.#ask.choose("Default model", choices, this.#draft.defaultModel));
  }
}

function hostOf(provider: ProviderTable): string {
  const address = String(provider["request_url"] ?? provider["base_url"] ?? "");
  return URL.canParse(address) ? new URL(address).host : nameOf(provider);
}

function isLocal(provider: ProviderTable): boolean {
  return /^(?:127\.|localhost|\[::1\])/.test(hostOf(provider));
}
