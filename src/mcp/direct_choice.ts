/** Which servers' tools stand in every request, and which wait behind `use_capability`. Decided once per session. Pure. */
import type { RemoteTool } from "./listing.ts";

export interface Candidate {
  readonly name: string;
  readonly load: "auto" | "always" | "deferred";
  readonly tools: readonly RemoteTool[];
}

/** Rough: four characters to a token. */
export function schemaTokens(tools: readonly RemoteTool[]): number {
  const characters = tools.map(({ name, description, schema }) =>
    name.length + description.length + JSON.stringify(schema).length + 40
  );
  return Math.ceil(characters.reduce((sum, count) => sum + count, 0) / 4);
}

/** Names of the servers whose tools are direct: whole servers, the largest give way first. */
export function chooseDirect(candidates: readonly Candidate[], budget: number): ReadonlySet<string> {
  const sized = candidates.filter(({ load, tools }) => load !== "deferred" && tools.length > 0)
    .map((candidate) => ({ ...candidate, tokens: schemaTokens(candidate.tools) }));
  const kept = new Set(sized.map(({ name }) => name));
  let total = sized.reduce((sum, { tokens }) => sum + tokens, 0);
  const giveWay = sized.filter(({ load }) => load !== "always")
    .sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
  for (const { name, tokens } of giveWay) {
    if (total <= budget) break;
    kept.delete(name);
    total -= tokens;
  }
  return kept;
}
