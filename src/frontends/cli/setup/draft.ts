/**
 * Changes to the providers of one file, staged: nothing is written here. On saving they become edits of whatever the file
 * says by then; what somebody else changed in the same place meanwhile is a conflict, and everything else of theirs stays.
 */
import { isRecord } from "../../../lib/json.ts";
import { type ConfigEdit, sameData, type TomlValue } from "../../../config/mod.ts";

/** One `[[providers]]` entry as the file has it, unknown keys included. */
export type ProviderTable = { readonly [key: string]: TomlValue };

export interface FileState {
  readonly providers: readonly ProviderTable[];
  readonly defaultModel: string | undefined;
  /** `[desktop] provider_access`, which is kept in step with the providers. */
  readonly access: readonly string[] | undefined;
}

/** The same thing was changed here and in the file. */
export class SetupConflict extends Error {
  override readonly name: string = "SetupConflict";
  readonly places: readonly string[];

  constructor(places: readonly string[]) {
    super(`changed in the file meanwhile: ${places.join(", ")}`);
    this.places = places;
  }
}

/** The parts of a document that setup cares for; everything else stays out of its hands. */
export function toFileState(document: Record<string, unknown>): FileState {
  const providers = Array.isArray(document["providers"]) ? document["providers"].filter(isRecord) : [];
  const desktop = document["desktop"];
  const access = isRecord(desktop) ? desktop["provider_access"] : undefined;
  const model = document["default_model"];
  return {
    providers: providers as unknown as readonly ProviderTable[],
    defaultModel: typeof model === "string" ? model : undefined,
    access: Array.isArray(access) ? access.filter((name) => typeof name === "string") : undefined,
  };
}

export class SetupDraft {
  readonly #base: FileState;
  #providers: readonly ProviderTable[];
  #defaultModel: string | undefined;
  readonly #keys = new Map<string, string>();

  constructor(base: FileState) {
    this.#base = base;
    this.#providers = base.providers;
    this.#defaultModel = base.defaultModel;
  }

  get providers(): readonly ProviderTable[] {
    return this.#providers;
  }

  get defaultModel(): string | undefined {
    return this.#defaultModel;
  }

  /** Keys to save, by the name of their variable. Secret. */
  get keys(): ReadonlyMap<string, string> {
    return this.#keys;
  }

  get isChanged(): boolean {
    return this.summary().length > 0;
  }

  find(name: string): ProviderTable | undefined {
    return this.#providers.find((provider) => provider["name"] === name);
  }

  add(provider: ProviderTable): void {
    this.#providers = [...this.#providers, provider];
    this.#defaultModel ??= nameOf(provider);
  }

  /** An undefined value takes the key out. */
  change(name: string, fields: Readonly<Record<string, TomlValue | undefined>>): void {
    this.#providers = this.#providers.map((provider) => {
      if (provider["name"] !== name) return provider;
      const pairs = Object.entries({ ...provider, ...fields }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(pairs) as ProviderTable;
    });
  }

  remove(name: string): void {
    this.#providers = this.#providers.filter((provider) => provider["name"] !== name);
    const chosen = this.#defaultModel;
    if (chosen !== name && !chosen?.startsWith(`${name}/`)) return;
    const next = this.#providers[0];
    this.#defaultModel = next ? nameOf(next) : undefined;
  }

  chooseDefault(ref: string): void {
    this.#defaultModel = ref;
  }

  setKey(variable: string, key: string): void {
    this.#keys.set(variable, key);
  }

  /** One line a change, without any key. */
  summary(): string[] {
    const before = byName(this.#base.providers);
    const after = byName(this.#providers);
    const lines: string[] = [];
    for (const [name, provider] of after) {
      const old = before.get(name);
      if (old === undefined) lines.push(`add ${name} (${provider["base_url"] ?? provider["request_url"] ?? ""})`);
      else if (!sameData(old, provider)) lines.push(`change ${name}: ${changedKeys(old, provider).join(", ")}`);
    }
    for (const name of before.keys()) if (!after.has(name)) lines.push(`remove ${name}`);
    if (this.#defaultModel !== this.#base.defaultModel) lines.push(`default model: ${this.#defaultModel ?? "none"}`);
    return [...lines, ...[...this.#keys.keys()].map((variable) => `save the key ${variable}`)];
  }

  /** Throws `SetupConflict`. */
  edits(newest: FileState): ConfigEdit[] {
    const conflicts: string[] = [];
    const edits: ConfigEdit[] = [];
    const [before, after, now] = [byName(this.#base.providers), byName(this.#providers), byName(newest.providers)];
    for (const [name, wanted] of after) {
      const [old, there] = [before.get(name), now.get(name)];
      if (old === undefined) {
        if (there === undefined) edits.push({ append: ["providers"], value: wanted });
        else if (!sameData(there, wanted)) conflicts.push(`provider ${name} (added there as well)`);
        continue;
      }
      for (const key of changedKeys(old, wanted)) {
        if (there === undefined || (!sameData(there[key], old[key]) && !sameData(there[key], wanted[key]))) {
          conflicts.push(there === undefined ? `provider ${name} (removed there)` : `provider ${name}: ${key}`);
          if (there === undefined) break;
        } else if (wanted[key] === undefined) edits.push({ remove: ["providers", { name }, key] });
        else edits.push({ set: ["providers", { name }, key], value: wanted[key] });
      }
    }
    for (const [name, old] of before) {
      const there = now.get(name);
      if (after.has(name) || there === undefined) continue;
      if (sameData(there, old)) edits.push({ remove: ["providers", { name }] });
      else conflicts.push(`provider ${name} (changed there, removed here)`);
    }
    const model = this.#defaultModel;
    if (model !== this.#base.defaultModel && model !== newest.defaultModel) {
      if (newest.defaultModel !== this.#base.defaultModel) conflicts.push("default_model");
      else edits.push(model === undefined ? { remove: ["default_model"] } : { set: ["default_model"], value: model });
    }
    if (conflicts.length > 0) throw new SetupConflict(conflicts);
    return [...edits, ...accessEdits(newest, { before, after })];
  }
}

type Named = ReadonlyMap<string, ProviderTable>;

function accessEdits(
  newest: FileState,
  { before, after }: { readonly before: Named; readonly after: Named },
): ConfigEdit[] {
  if (newest.access === undefined) return [];
  const kept = newest.access.filter((name) => !before.has(name) || after.has(name));
  const access = [...new Set([...kept, ...[...after.keys()].filter((name) => !before.has(name))])];
  return sameData(access, newest.access) ? [] : [{ set: ["desktop", "provider_access"], value: access }];
}

function byName(providers: readonly ProviderTable[]): Named {
  return new Map(providers.map((provider) => [nameOf(provider), provider]));
}

export function nameOf(provider: ProviderTable): string {
  return String(provider["name"] ?? "");
}

function changedKeys(old: ProviderTable, wanted: ProviderTable): string[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(wanted)]);
  return [...keys].filter((key) => !sameData(old[key], wanted[key]));
}
