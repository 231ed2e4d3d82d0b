/**
 * What an unknown key was probably meant to be, and whether going on without it would be unsafe: a rule or an address
 * that silently does not count is worse than a run that does not start.
 */
import { closestName } from "../lib/closest_name.ts";
import { ownValue } from "../lib/own_value.ts";
import type { KeyPath } from "./findings.ts";
import { ROOT } from "./keys/root.ts";
import { type Fields, isTable, type Node } from "./schema.ts";

export interface Suggestion {
  /** How the real key is written, such as `agent.max_subagent_depth` or `[[providers]] base_url`. */
  readonly near?: string;
  readonly unsafe: boolean;
}

const SAFETY_SECTIONS = ["permissions", "sandbox", "security"];
const ADDRESS_KEYS = ["base_url", "request_url", "chat_url", "models_url", "api_key_env"];
/** Other programs' words for an address or a key. */
const ADDRESS_WORDS =
  /^(api_?|base_?|request_?|chat_?|models_?|model_?)?(url|uri|endpoint|host|address|base|server)$|^api_?key(_?env)?$/;
/** Keys of the safety sections whose names mean little on their own. */
const COMMON_WORDS = new Set(["mode", "ask", "bash", "network"]);
/** Words people bring from other programs. */
const SYNONYMS: Readonly<Record<string, string>> = {
  model: "default_model",
  provider: "providers",
  mcp_servers: "plugins",
  mcpservers: "plugins",
  lang: "language",
  proxy: "network.proxy",
  rules: "permissions",
};

interface Known {
  readonly path: readonly string[];
  /** How it is written in a file. */
  readonly written: string;
  readonly name: string;
}

/** Beyond so many unknown keys a file is no slip of the pen: names are then compared exactly, which stays quick. */
const MOST_GUESSES = 100;

/** For the unknown keys of one document. Its index is made when the first one turns up. */
export class Suggester {
  #index: KeyIndex | undefined;
  #asked = 0;

  suggest(path: KeyPath, value: unknown): Suggestion {
    this.#index ??= new KeyIndex();
    const names = path.filter((part): part is string => typeof part === "string");
    const name = names.at(-1) ?? "";
    const parent = names.slice(0, -1).join(".");
    const best = this.#index.exact(name, parent) ??
      (++this.#asked <= MOST_GUESSES ? this.#index.similar(name, parent) : undefined);
    return { ...(best ? { near: best.written } : {}), unsafe: isUnsafe(name, parent, value, best) };
  }
}

function isUnsafe(name: string, parent: string, value: unknown, best: Known | undefined): boolean {
  const section = parent.split(".")[0] ?? "";
  if (SAFETY_SECTIONS.includes(section)) return true;
  if (best && SAFETY_SECTIONS.includes(best.path[0] ?? "")) {
    const generic = best.path.length > 1 && parent !== "" && COMMON_WORDS.has(best.name);
    if (!generic) return true;
  }
  const plain = fold(name);
  if (ADDRESS_KEYS.some((key) => fold(key) === plain)) return true;
  if (section === "providers" && (ADDRESS_WORDS.test(name.toLowerCase()) || isAddressKey(best))) return true;
  if (parent === "" && isAddressKey(best)) return true;
  return holdsAddress(value);
}

function isAddressKey(known: Known | undefined): boolean {
  return known !== undefined && known.path[0] === "providers" && ADDRESS_KEYS.includes(known.name);
}

/** An unknown table with a provider's address inside, such as `[[provider]]`. */
function holdsAddress(value: unknown, depth = 0): boolean {
  if (depth > 4) return false;
  if (Array.isArray(value)) return value.some((item) => holdsAddress(item, depth + 1));
  if (!isTable(value)) return false;
  return Object.entries(value).some(([key, item]) =>
    ADDRESS_KEYS.slice(0, 3).some((address) => fold(address) === fold(key)) || holdsAddress(item, depth + 1)
  );
}

class KeyIndex {
  readonly #known = allKeys();
  readonly #byName = new Map<string, Known>();

  constructor() {
    for (const key of this.#known.toReversed()) this.#byName.set(fold(key.name), key);
  }

  /** The same name elsewhere, or another program's word for one of ours. */
  exact(name: string, parent: string): Known | undefined {
    const synonym = parent === "" ? ownValue(SYNONYMS, name.toLowerCase()) : undefined;
    if (synonym !== undefined) return this.#known.find((key) => key.path.join(".") === synonym);
    return this.#byName.get(fold(name));
  }

  /** One beside, else the end of a longer one beside, else any. */
  similar(name: string, parent: string): Known | undefined {
    const beside = this.#known.filter((key) => key.path.slice(0, -1).join(".") === parent);
    const tails = beside.filter((key) => key.name.includes("_"));
    return pick(name, beside, (key) => key.name) ??
      pick(name, tails, (key) => key.name.slice(key.name.indexOf("_") + 1)) ??
      pick(name, this.#known, (key) => key.name);
  }
}

function pick(name: string, among: readonly Known[], nameOf: (key: Known) => string): Known | undefined {
  const found = closestName(name, among.map(nameOf));
  return among.find((key) => nameOf(key) === found);
}

/** Case, dashes and underscores do not tell keys apart here. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

function allKeys(): Known[] {
  const out: Known[] = [];
  const walk = (fields: Fields, path: readonly string[], header: string) => {
    for (const [name, node] of Object.entries(fields)) {
      const at = [...path, name];
      out.push({ path: at, name, written: written(node, name, at, header) });
      const inner = fieldsOf(node);
      if (inner) walk(inner, at, node.node === "entries" ? `[[${at.join(".")}]]` : `[${at.join(".")}]`);
    }
  };
  walk(ROOT.fields, [], "");
  return out;
}

function written(node: Node, name: string, path: readonly string[], header: string): string {
  if (node.node === "entries") return `[[${path.join(".")}]]`;
  if (node.node === "table" || node.node === "dictionary") return `[${path.join(".")}]`;
  return header === "" ? name : `${name} in ${header}`;
}

function fieldsOf(node: Node): Fields | undefined {
  if (node.node === "table" || node.node === "entries") return node.fields;
  if (node.node === "dictionary" && node.of.node === "table") return node.of.fields;
  return undefined;
}
