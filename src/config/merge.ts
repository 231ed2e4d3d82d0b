/** Layers into one value: defaults lowest, each layer above replaces, adds, or waits for trust, as the table says. */
import { type KeyPath, keyText } from "./findings.ts";
import type { LayerValues } from "./read_layer.ts";
import { type AnyLeaf, camel, define, type Fields, type Node } from "./schema.ts";

export interface Stacked {
  readonly layer: "user" | "project" | "environment";
  readonly values: LayerValues;
}

/** A project value that gives away safety. */
export interface Loosening {
  /** As written in the file, such as `sandbox.bash`. */
  readonly key: string;
  readonly project: unknown;
  /** What holds without it. */
  readonly otherwise: unknown;
}

export interface Merged {
  readonly values: Record<string, unknown>;
  readonly loosenings: readonly Loosening[];
  /** Those of them that are not in force. */
  readonly ignored: readonly Loosening[];
}

/** `layers` lowest first. `accepts`: the person has agreed to this value of the project. */
export function mergeLayers(
  fields: Fields,
  layers: readonly Stacked[],
  accepts: (loosening: Loosening) => boolean,
): Merged {
  const merger = new Merger(accepts);
  return {
    values: merger.fields(fields, layers.map(({ layer, values }) => ({ layer, value: values })), []),
    loosenings: merger.loosenings,
    ignored: merger.loosenings.filter((loosening) => !accepts(loosening)),
  };
}

/** The fields of one entry, defaults filled in. */
export function fillEntry(fields: Fields, entry: LayerValues): Record<string, unknown> {
  return new Merger(() => true).fields(fields, [{ layer: "user", value: entry }], []);
}

interface Part {
  readonly layer: Stacked["layer"];
  readonly value: unknown;
}

class Merger {
  readonly loosenings: Loosening[] = [];
  readonly #accepts: (loosening: Loosening) => boolean;

  constructor(accepts: (loosening: Loosening) => boolean) {
    this.#accepts = accepts;
  }

  fields(fields: Fields, parts: readonly Part[], path: KeyPath): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const [key, node] of Object.entries(fields)) {
      if (node.node === "unused") continue;
      const name = camel(key);
      out[name] = this.#node(node, partsAt(parts, name), [...path, key]);
    }
    return out;
  }

  #node(node: Node, parts: readonly Part[], path: KeyPath): unknown {
    switch (node.node) {
      case "leaf":
        return this.#leaf(node, parts, path);
      case "table":
        return this.fields(node.fields, parts, path);
      case "dictionary": {
        const out = {};
        const keys = new Set(parts.flatMap((part) => Object.keys(part.value as object)));
        for (const key of keys) define(out, key, this.#node(node.of, partsAt(parts, key), [...path, key]));
        return out;
      }
      case "entries": {
        const items = (parts.at(-1)?.value ?? []) as LayerValues[];
        return items.map((item) => fillEntry(node.fields, item));
      }
      case "unused":
        return undefined;
    }
  }

  #leaf(leaf: AnyLeaf, parts: readonly Part[], path: KeyPath): unknown {
    let value: unknown = leaf.fallback;
    for (const part of parts) {
      if (part.layer === "project" && leaf.loosens?.(part.value, value)) {
        const loosening = { key: keyText(path), project: part.value, otherwise: value };
        this.loosenings.push(loosening);
        if (!this.#accepts(loosening)) {
          value = leaf.untrusted ? leaf.untrusted(part.value, value) : value;
          continue;
        }
      }
      value = leaf.merge ? leaf.merge(value, part.value) : part.value;
    }
    return value;
  }
}

function partsAt(parts: readonly Part[], key: string): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const values = part.value as Record<string, unknown> | undefined;
    if (values && Object.hasOwn(values, key) && values[key] !== undefined) {
      out.push({ layer: part.layer, value: values[key] });
    }
  }
  return out;
}
