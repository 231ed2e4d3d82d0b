/**
 * The ledger of promises: which of them stand in docs/SPEC.md, which a test proves, and which are unproven and why. The
 * list of promises is data from outside; without it these tests report themselves ignored.
 */
import assert from "node:assert/strict";
import { filesBelow, ROOT } from "../architecture/tree.ts";
import { sharedPath } from "../support/shared.ts";

/** Areas that are finished: each of their clauses has a test or a row in unproven.md. Add an area when it is. */
const BUILT: readonly string[] = [
  "architecture",
  "commands",
  "concurrency",
  "config",
  "context",
  "data",
  "distribution",
  "errors",
  "loop",
  "memory",
  "mcp",
  "permissions",
  "providers",
  "references",
  "sandbox",
  "tools",
];

interface Clause {
  readonly id: string;
  readonly area: string;
  readonly text: string;
}

const list = sharedPath("spec/clauses.tsv");
const ignore = list === undefined;
const clauses: Clause[] = list === undefined ? [] : Deno.readTextFileSync(list).trimEnd().split("\n").slice(1).map(
  (line) => {
    const [id = "", , area = "", text = ""] = line.split("\t");
    return { id, area, text };
  },
);
const known = new Set(clauses.map((clause) => clause.id));
const built = clauses.filter((clause) => BUILT.includes(clause.area));
const ID = new RegExp(`\\b(?:${[...new Set([...known].map((id) => id.split("-")[0]))].join("|")})-\\d\\d\\b`, "g");

const idsIn = (text: string): string[] => ignore ? [] : text.match(ID) ?? [];

/** Ids in a text, with `PRV-01 to PRV-03` spelled out. */
function idsAndRangesIn(text: string): string[] {
  const spelled = text.replace(/([A-Z]+)-(\d\d) to \1-(\d\d)/g, (_, prefix, first, last) => {
    const ids = [];
    for (let n = Number(first); n <= Number(last); n++) ids.push(`${prefix}-${String(n).padStart(2, "0")}`);
    return ids.join(" ");
  });
  return idsIn(spelled);
}

/** Id -> files whose tests cite it. */
function citations(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of filesBelow(["src", "tests", "plugins", "scripts"])) {
    if (!path.endsWith("_test.ts") || path === "tests/contract/ledger_test.ts") continue;
    for (const id of idsAndRangesIn(Deno.readTextFileSync(ROOT + path))) {
      found.set(id, (found.get(id) ?? new Set()).add(path));
    }
  }
  return found;
}

const cited = citations();
const spec = Deno.readTextFileSync(ROOT + "docs/SPEC.md");
/** Id -> reason, from the rows `| ID | reason |`. */
const unproven = new Map(
  [...Deno.readTextFileSync(ROOT + "tests/contract/unproven.md").matchAll(/^\| ([A-Z]+-\d\d)\s*\| (.+?)\s*\|$/gm)]
    .map((row) => [row[1]!, row[2]!]),
);

Deno.test({
  name: "every clause that a test or a document cites exists",
  ignore,
  fn() {
    const named = [...cited.keys(), ...unproven.keys(), ...idsAndRangesIn(spec)];
    assert.deepEqual([...new Set(named.filter((id) => !known.has(id)))], []);
  },
});

Deno.test({
  name: "docs/SPEC.md restates each clause of a finished area and lists the others",
  ignore,
  fn() {
    const [promised = "", later = ""] = spec.split("\n## Not built yet\n");
    const stated = new Set(idsIn(promised));
    const listed = new Set(idsAndRangesIn(later));
    const missing = clauses.filter(({ id, area }) => !stated.has(id) && (BUILT.includes(area) || !listed.has(id)));
    assert.deepEqual(missing.map(({ id, text }) => `${id} ${text}`), []);
  },
});

Deno.test({
  name: "each clause of a finished area is proved by a test or stands in unproven.md with its reason",
  ignore,
  fn() {
    const open = built.filter(({ id }) => !cited.has(id) && !unproven.has(id));
    assert.deepEqual(open.map(({ id, area, text }) => `${id} (${area}) ${text}`), []);
  },
});

Deno.test({
  name: "unproven.md names no clause that a test proves meanwhile, and none of an unfinished area",
  ignore,
  fn() {
    const areaOf = new Map(clauses.map(({ id, area }) => [id, area]));
    const stale = [...unproven.keys()].filter((id) => cited.has(id) || !BUILT.includes(areaOf.get(id) ?? ""));
    assert.deepEqual(stale, []);
  },
});

Deno.test({
  name: "clauses without a test, by area (a report, never a failure)",
  ignore,
  fn() {
    for (const area of new Set(clauses.map((clause) => clause.area))) {
      const all = clauses.filter((clause) => clause.area === area);
      const open = all.filter(({ id }) => !cited.has(id)).map(({ id }) => id);
      const rest = BUILT.includes(area) && open.length > 0 ? `; open: ${open.join(" ")}` : "";
      console.log(`${area.padEnd(14)} ${all.length - open.length} of ${all.length} proved${rest}`);
    }
  },
});
