/** The `memory` tool at work: search, read, list. Archived facts are never seen here. */
import { ToolError } from "../../contract/errors.ts";
import { aboveFloor } from "../../lib/bm25.ts";
import { toTerms } from "../../lib/search_terms.ts";
import { snippetOf } from "../../lib/snippet.ts";
import { toLine } from "../../lib/terminal_text.ts";
import { type Fact, fileReference } from "../fact.ts";
import { toFactText } from "../fact_file.ts";
import type { FactStore } from "../fact_store.ts";
import { freshnessOf } from "../freshness.ts";
import { indexFacts } from "../recall.ts";

const SNIPPET = 260;
const USUAL_LIMIT = 8;

export async function readMemory(
  args: Readonly<Record<string, unknown>>,
  store: FactStore,
  now: number,
): Promise<string> {
  if (args.operation === "read") {
    const ref = args.name ?? args.query;
    if (typeof ref !== "string" || ref.trim() === "") throw new ToolError("read needs name: the name or id of a fact");
    const fact = await store.find(ref);
    return `${fileReference(fact)} freshness=${freshnessOf(fact, now)}\n\n${toFactText(fact)}`;
  }
  const { active } = await store.load();
  const facts = active.filter((fact) =>
    (args.scope === undefined || fact.scope === args.scope) && (args.type === undefined || fact.type === args.type)
  );
  const limit = Math.max(1, (args.limit as number | undefined) ?? USUAL_LIMIT);
  if (args.operation === "list") return listFacts(facts, args.limit === undefined ? 100 : limit, now);
  const query = args.query ?? args.name;
  if (typeof query !== "string" || query.trim() === "") throw new ToolError("search needs query: a few rare words");
  return searchFacts(query, facts, { limit, now, isNarrowed: facts.length < active.length });
}

function searchFacts(
  query: string,
  facts: readonly Fact[],
  options: { readonly limit: number; readonly now: number; readonly isNarrowed: boolean },
): string {
  const hits = aboveFloor(indexFacts(facts).search(toTerms(query)));
  if (hits.length === 0) {
    const wider = options.isNarrowed ? ", or search without scope and type" : "";
    return `No saved memories found. Try rarer or fewer words${wider}; for exact wording or tool output of earlier ` +
      `sessions use history.`;
  }
  const shown = hits.slice(0, options.limit).map(({ document, score, matched }) => {
    const fact = facts[document]!;
    const text = fact.body === "" ? fact.description : fact.body;
    return [
      `score=${score.toFixed(2)} ${lineOf(fact, options.now)}`,
      `  ${toLine(fact.description)}`,
      `  ${snippetOf(text, matched, SNIPPET)}`,
    ].join("\n");
  });
  const rest = hits.length > shown.length
    ? [`(${hits.length - shown.length} more; raise limit or narrow the query)`]
    : [];
  return [...shown, ...rest].join("\n");
}

function listFacts(facts: readonly Fact[], limit: number, now: number): string {
  if (facts.length === 0) return "No saved memories found.";
  const lines = facts.slice(0, limit).map((fact) => `${lineOf(fact, now)}\n  ${toLine(fact.description)}`);
  return [...lines, ...(facts.length > limit ? [`(${facts.length - limit} more; use search)`] : [])].join("\n");
}

function lineOf(fact: Fact, now: number): string {
  const { id, revision, name, scope, type, title, activation } = fact;
  const freshness = freshnessOf(fact, now);
  return `id=${id} revision=${revision} name=${name} scope=${scope} type=${type} title=${
    JSON.stringify(toLine(title))
  } ` +
    `file=${fileReference(fact)}${activation === "pinned" ? " pinned" : ""}` +
    (freshness === "fresh" ? "" : ` freshness=${freshness}`);
}
