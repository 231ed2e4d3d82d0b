/**
 * Standing instructions: what the user and the project wrote for agents. Read once, when a conversation begins; part of
 * its stable system prompt. Later documents win. Only plain files are read, nothing leaves the folder its document came
 * from, and everything has a stated bound.
 */
import { realOf } from "../lib/at_path.ts";
import { errorText } from "../lib/error_text.ts";
import { ownBlock } from "../lib/own_block.ts";
import { dirname, isInside, join } from "../lib/path.ts";

/** Of one folder. */
const MOST_NOTES = 20;

export interface InstructionPlaces {
  /** The Reasonix home. */
  readonly home: string;
  /** The workspace, links resolved. */
  readonly root: string;
  /** The person's home folder, for `~` in the user's own imports. */
  readonly userHome: string;
  /** A file, links resolved, that the agent may not read; nothing of it comes in by an import either. */
  isForbidden(real: string): boolean;
}

export interface Instruction {
  /** Such as `workspace/AGENTS.md`. */
  readonly origin: string;
  readonly path: string;
  readonly text: string;
}

export interface Instructions {
  /** Lowest priority first. */
  readonly documents: readonly Instruction[];
  /** What was refused or cut; one line each. */
  readonly notes: readonly string[];
}

type ImportRefusal =
  | "import_outside_source"
  | "import_symlink_escape"
  | "import_unreadable"
  | "import_cycle"
  | "import_too_deep"
  | "import_too_many";

const NAMES = [".md", ".local.md"].flatMap((end) => ["REASONIX", "AGENTS", "CLAUDE"].map((name) => name + end));
/** Bytes of one file, and characters of all documents together. */
const FILE_LIMIT = 64 * 1024;
const TOTAL_LIMIT = 128 * 1024;
const DEPTH = 5;
/** Imports of one document, those of its imports included: each may name the next many times over. */
const MOST_IMPORTS = 100;

/** Reads at once: a dozen small files, mostly missing, are not worth a dozen trips to another thread. */
export function loadInstructions(places: InstructionPlaces): Instructions {
  const notes: string[] = [];
  const user = { scope: "user", folder: places.home, sources: userSources(places), notes, places };
  const workspace = { scope: "workspace", folder: places.root, sources: [places.root], notes, places };
  const found = [...loadFolder(user), ...loadFolder(workspace)];
  // Of documents with the same text the one that outranks the others stays.
  const distinct = found.filter((one, at) =>
    !found.slice(at + 1).some((later) => later.text.trim() === one.text.trim())
  );
  return { documents: withinTotal(distinct, notes), notes };
}

/** Those of one folder below the root alone. `folder` is relative to it, without dots. */
export function loadInstructionsIn(folder: string, places: InstructionPlaces): Instructions {
  const notes: string[] = [];
  const sources = [places.root];
  const found = loadFolder({ scope: `workspace/${folder}`, folder: join(places.root, folder), sources, notes, places });
  return { documents: withinTotal(found, notes), notes };
}

/** The part of the system prompt; undefined when there is nothing to say. */
export function toInstructionPrompt({ documents }: Instructions): string | undefined {
  if (documents.length === 0) return undefined;
  const parts = documents.map(({ origin, path, text }) =>
    `## ${origin} (applies to ${dirname(path)})\n\n${text.trim()}`
  );
  return [
    "# Instructions",
    "Standing instructions of the user and the project. Where two disagree, the later one holds; what the user says in the conversation holds over both.",
    ...parts,
  ].join("\n\n");
}

interface Source {
  readonly scope: string;
  readonly folder: string;
  /** Folders imports may reach, links resolved where they exist. */
  readonly sources: readonly string[];
  readonly notes: string[];
  readonly places: InstructionPlaces;
}

function userSources({ home, userHome }: InstructionPlaces): string[] {
  return [home, ...[".reasonix", ".agents", ".agent", ".claude"].map((name) => join(userHome, name))];
}

function loadFolder(source: Source): Instruction[] {
  const loaded = NAMES.map((name) => {
    const path = join(source.folder, name);
    const origin = `${source.scope}/${name}`;
    const read = readPlain(path);
    if (read.kind === "missing" || isForbidden(read, source)) return undefined;
    const allowed = source.sources.flatMap((folder) => realOf(folder) ?? []);
    if (read.kind === "refused" || !allowed.some((folder) => isInside(read.real, folder))) {
      const why = read.kind === "refused" ? read.why : "it is a link that leads out of its folder";
      source.notes.push(`${origin} was not read: ${why}`);
      return undefined;
    }
    const budget = { imports: MOST_IMPORTS, characters: TOTAL_LIMIT, loaded: new Set<string>() };
    const text = expandImports(read.text, { source, allowed, from: read.real, chain: [read.real], origin, budget });
    return text.trim() === "" ? undefined : { origin, path, text };
  });
  return loaded.filter((one) => one !== undefined);
}

interface Expansion {
  readonly source: Source;
  readonly allowed: readonly string[];
  /** File the text stands in. */
  readonly from: string;
  /** Files on the way here, for cycles. */
  readonly chain: readonly string[];
  readonly origin: string;
  /** What is left for this document, and what is in it already. */
  readonly budget: { imports: number; characters: number; readonly loaded: Set<string> };
}

/** Lines that hold `@path` and nothing else, outside code fences. */
function expandImports(text: string, expansion: Expansion): string {
  const out: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const target = fence === undefined ? /^@([^\s@]*[./][^\s@]*)\s*$/.exec(line)?.[1] : undefined;
    out.push(target === undefined ? line : expandImport(target, expansion));
  }
  return out.join("\n");
}

function expandImport(target: string, expansion: Expansion): string {
  const { source, allowed, from, chain, origin, budget } = expansion;
  const refuse = (code: ImportRefusal) => {
    // Of a thousand refusals the first tell enough.
    if (source.notes.length < MOST_NOTES) source.notes.push(`${origin}: the import @${target} was refused (${code})`);
    return `<!-- import @${target.replaceAll("--", "- -")} refused: ${code} -->`;
  };
  if (chain.length > DEPTH) return refuse("import_too_deep");
  if (budget.imports-- <= 0 || budget.characters <= 0) return refuse("import_too_many");
  const ofUser = source.scope === "user";
  const written = ofUser && target.startsWith("~/") ? join(source.places.userHome, target.slice(2)) : target;
  if (!ofUser && (written.startsWith("/") || written.startsWith("~"))) return refuse("import_outside_source");
  const path = join(dirname(from), written);
  if (!allowed.some((folder) => isInside(path, folder))) return refuse("import_outside_source");
  const read = readPlain(path);
  if (read.kind !== "text" || isForbidden(read, source)) return refuse("import_unreadable");
  if (!allowed.some((folder) => isInside(read.real, folder))) return refuse("import_symlink_escape");
  if (chain.includes(read.real)) return refuse("import_cycle");
  if (budget.loaded.has(read.real)) return `<!-- import @${target.replaceAll("--", "- -")} left out: it is above -->`;
  budget.loaded.add(read.real);
  budget.characters -= read.text.length;
  const inner = expandImports(read.text, { ...expansion, from: read.real, chain: [...chain, read.real] });
  return ownBlock("instruction-import", inner.trim(), { path: target });
}

type Reading =
  | { readonly kind: "text"; readonly text: string; readonly real: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly why: string };

/** Of a forbidden file no more is told than of one that is not there. */
function isForbidden(read: Reading, { places }: Source): boolean {
  return read.kind === "text" && places.isForbidden(read.real);
}

/** Never opens what is no plain file: a pipe would hold up the start. */
function readPlain(path: string): Reading {
  try {
    const real = Deno.realPathSync(path);
    const stat = Deno.statSync(real);
    if (!stat.isFile) {
      return stat.isDirectory ? { kind: "missing" } : { kind: "refused", why: "it is not a plain file" };
    }
    if (stat.size > FILE_LIMIT) return { kind: "refused", why: `it is larger than ${FILE_LIMIT / 1024} KiB` };
    return { kind: "text", text: Deno.readTextFileSync(real).replaceAll("\r\n", "\n"), real };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "missing" };
    return { kind: "refused", why: errorText(error) };
  }
}

/** The highest-ranking documents that fit together. */
function withinTotal(documents: readonly Instruction[], notes: string[]): Instruction[] {
  const kept: Instruction[] = [];
  let total = 0;
  for (const document of documents.toReversed()) {
    total += document.text.length;
    if (total > TOTAL_LIMIT) {
      notes.push(`${document.origin} was left out: all instructions together pass ${TOTAL_LIMIT / 1024} KiB`);
    } else kept.unshift(document);
  }
  return kept;
}
