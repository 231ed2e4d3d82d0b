/** Follows references inside one schema. Nothing is ever fetched: what leads out of the document leads nowhere. */
import { isRecord } from "../../lib/json.ts";

export type SchemaNode = Readonly<Record<string, unknown>>;

/** The target of `#`, `#/a/b` or `#anchor`; undefined when there is none. */
export function followRef(root: SchemaNode, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#")) return undefined;
  if (!ref.startsWith("#/")) return findAnchor(root, ref.slice(1));
  let at: unknown = root;
  for (const step of ref.slice(2).split("/")) {
    const key = unescape(step);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function unescape(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // Taken as written.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Anchors are looked for among the definitions alone: that is where schemas put them. */
function findAnchor(root: SchemaNode, anchor: string): unknown {
  for (const place of [root["$defs"], root["definitions"]]) {
    if (!isRecord(place)) continue;
    const found = Object.values(place).find((one) =>
      isRecord(one) && (one["$anchor"] === anchor || one["$id"] === `#${anchor}` || one["id"] === `#${anchor}`)
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
