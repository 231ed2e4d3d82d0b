/** `/memory …` and `#` notes: what the person sees of the memory and does with it. Markdown out; refusals are text. */
import { ToolError } from "../contract/errors.ts";
import type { MemoryCommands } from "../contract/memory.ts";
import { LockTimeout } from "../lib/file_lock.ts";
import { toLine } from "../lib/terminal_text.ts";
import { type Fact, fileReference } from "./fact.ts";
import { type ArchivedFact, type FactStore, subjectOf } from "./fact_store.ts";
import { freshnessOf } from "./freshness.ts";
import type { MemoryOptions } from "./memory.ts";
import { appendNote } from "./note.ts";
import type { Recall } from "./recall.ts";

export interface CommandPorts extends Pick<MemoryOptions, "root" | "settings" | "instructions"> {
  now(): number;
  lastRecall(): Recall | undefined;
  /** A change the model should hear of with the next turn; one line. */
  changed(line: string): void;
}

export function createMemoryCommands(store: FactStore, ports: CommandPorts): MemoryCommands {
  const { changed } = ports;
  const tell = (verb: string, fact: Fact) => {
    changed(`${verb}: ${fileReference(fact)} id=${fact.id} revision=${fact.revision}`);
    return `${verb} ${nameOf(fact)}, now revision ${fact.revision}.`;
  };
  return {
    list: asked(async () => {
      const [{ active, problems }, archived, instructions] = await Promise.all([
        store.load(),
        store.archived(),
        ports.instructions(),
      ]);
      return [
        section("Active facts", active.map((fact) => factLine(fact, ports.now())), "none yet"),
        section("Archived facts", archived.map(archivedLine), "none"),
        section("Instructions", instructions.documents.map(sourceLine), "none"),
        ...(problems.length > 0 ? [section("Left out", problems.map(escaped), "")] : []),
      ].join("\n\n");
    }),
    instructions: asked(async () => {
      const { documents, notes } = await ports.instructions();
      return [
        section("Instructions, the later one wins", documents.map(sourceLine), "none"),
        ...(notes.length > 0 ? [section("Refused or cut", notes.map(escaped), "")] : []),
      ].join("\n\n");
    }),
    recall: asked(() => Promise.resolve(recallText(ports.lastRecall(), ports))),
    revisions: asked(async (ref) => {
      const { fact, earlier } = await store.revisions(ref);
      const lines = [...earlier, fact].reverse().map((one) =>
        `revision ${one.revision}${one === fact ? " (now)" : ""}, ${one.updatedAt}: ${escaped(one.description)}`
      );
      return section(`Revisions of ${nameOf(fact)}`, lines, "");
    }),
    restore: asked(async (ref, revision) =>
      tell("restored", await store.restore(ref, revision)) + ` It says what revision ${revision} said.`
    ),
    archived: asked(async () => section("Archived facts", (await store.archived()).map(archivedLine), "none")),
    recover: asked(async (path) => tell("recovered", await store.recover(path))),
    subjects: asked(async () => {
      const { active } = await store.load();
      const held = active.filter((fact) => subjectOf(fact) !== undefined);
      return section("Subjects", held.map((fact) => `\`${code(fact.subjectKey!)}\` — ${nameOf(fact)}`), "none");
    }),
    pin: asked(async (ref) => {
      const fact = await store.find(ref);
      const isPinned = fact.activation === "pinned";
      const after = await store.setActivation(fact.id, isPinned ? "relevant" : "pinned");
      const effect = isPinned ? "It is recalled where it matters." : "New sessions begin with it.";
      return `${tell(isPinned ? "unpinned" : "pinned", after)} ${effect}`;
    }),
    verify: asked(async (ref) => tell("verified", await store.verify(ref))),
    forget: asked(async (ref) => {
      const { fact, path } = await store.forget(ref);
      changed(`archived: ${fileReference(fact)} id=${fact.id}; it no longer holds`);
      return `Archived ${nameOf(fact)}. \`/memory recover ${code(path)}\` brings it back.`;
    }),
    note: asked(async (text) => {
      const { file, line } = await appendNote(ports.root, text);
      changed(`the person noted in ${file}: ${line}`);
      return `Noted in \`${file}\`.`;
    }),
  };
}

/** What the store refuses is an answer. */
function asked<A extends unknown[]>(work: (...args: A) => Promise<string>): (...args: A) => Promise<string> {
  return async (...args) => {
    try {
      return await work(...args);
    } catch (error) {
      if (error instanceof ToolError) return escaped(error.message);
      if (error instanceof LockTimeout) return "The memory is being written by another program.";
      throw error;
    }
  };
}

function section(title: string, lines: readonly string[], empty: string): string {
  return `**${title}**\n\n${lines.length === 0 ? empty : lines.map((line) => `- ${line}`).join("\n")}`;
}

function nameOf(fact: Fact): string {
  return `\`${code(fileReference(fact))}\``;
}

function factLine(fact: Fact, now: number): string {
  const marks = [fact.type, freshnessOf(fact, now), ...(fact.activation === "pinned" ? ["pinned"] : [])];
  return `${nameOf(fact)} ${escaped(fact.title)} — ${escaped(fact.description)} ` +
    `(${marks.join(", ")}; id ${fact.id}, revision ${fact.revision})`;
}

function archivedLine({ path, fact }: ArchivedFact): string {
  return `\`${code(path)}\` ${escaped(fact.title)} — ${escaped(fact.description)}`;
}

function sourceLine({ origin, path, characters }: { origin: string; path: string; characters: number }): string {
  return `\`${code(origin)}\` ${escaped(path)} (${characters} characters)`;
}

function recallText(recall: Recall | undefined, { settings, now }: CommandPorts): string {
  if (recall === undefined) return "No turn has been looked at yet.";
  const budget = `Budget: ${settings.recallLimit} facts, ${settings.recallMaxChars} characters.`;
  const why = {
    generic: "Nothing was looked for: the message named no subject.",
    off: "Recall is off.",
    no_facts: "There is nothing to recall: no fact is active, unpinned and unexpired.",
  };
  if (recall.suppressed) return `${why[recall.suppressed]} ${budget}`;
  const lines = recall.chosen.map(({ fact, score, matched }) =>
    `${nameOf(fact)} score ${score.toFixed(2)}, ${freshnessOf(fact, now())}, matches ${escaped(matched.join(", "))} ` +
    `(id ${fact.id}, revision ${fact.revision})`
  );
  const more = recall.more > 0 ? ` ${recall.more} more fit.` : "";
  const replaced = recall.replaced.length > 0
    ? ` Global facts that gave way to the project's: ${recall.replaced}.`
    : "";
  return `${
    section("Recalled for the last message", lines, "nothing matched well enough")
  }\n\n${budget}${more}${replaced}`;
}

/** Text of facts and paths is data: it makes no headings, links or lists. */
function escaped(text: string): string {
  return toLine(text, 400).replace(/[\\`*_[\]<>|]/g, "\\$&");
}

function code(text: string): string {
  return toLine(text, 300).replaceAll("`", "'");
}
