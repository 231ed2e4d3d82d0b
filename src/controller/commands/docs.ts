/** `/docs`: the pages this program carries, read and searched without a model. */
import { plural } from "../../lib/plural.ts";
import type { CommandAnswer, CommandRow } from "../command.ts";
import { type BuiltIn, text } from "./built_in.ts";
import type { DocPage, Documents } from "./host.ts";

/** Sections of an answer that are shown, and further ones that are named. */
const SHOWN = 3;
const NAMED = 6;

export const DOCS: BuiltIn = {
  name: "docs",
  fallback: "reasonix:docs",
  hint: "[QUESTION]",
  summary: "Search the documentation that comes with this program, without a model",
  details: "Without a question it lists the pages. A page's name, such as `guide`, lists its sections.",
  run: async (question, { host }) => {
    const documents = await host.documents();
    if (question === "") return listPages(documents);
    const page = documents.pages.find(({ name }) => name === question.toLowerCase());
    if (page) return listSections(page);
    const section = documents.section(question);
    if (section) return text(`## ${section.path}\n\n${section.text}`);
    return answer(question, documents);
  },
};

function listPages({ pages }: Documents): CommandAnswer {
  return choose(
    "Documentation",
    pages.map(({ name, title, sections }) => ({
      label: name,
      detail: `${title} · ${plural(sections.length, "section")}`,
      line: `/docs ${name}`,
    })),
  );
}

function listSections({ name, title, sections }: DocPage): CommandAnswer {
  return choose(
    `${title} (${name})`,
    sections.map(({ heading, address }) => ({
      label: heading,
      line: `/docs ${address}`,
    })),
  );
}

function answer(question: string, documents: Documents): CommandAnswer {
  const found = documents.search(question);
  if (found.length === 0) {
    const names = documents.pages.map(({ name }) => name).join(", ");
    return text(`Nothing in the documentation has these words. Pages: ${names}.`);
  }
  const shown = found.slice(0, SHOWN).map(({ path, text }) => `## ${path}\n\n${text}`);
  const more = found.slice(SHOWN, SHOWN + NAMED).map(({ path, address }) => `- ${path}: \`/docs ${address}\``);
  return text([...shown, ...(more.length > 0 ? [`## See also\n\n${more.join("\n")}`] : [])].join("\n\n"));
}

function choose(
  title: string,
  choices: readonly { readonly label: string; readonly detail?: string; readonly line: string }[],
): CommandAnswer {
  const rows = choices.map(({ label, detail, line }): CommandRow => ({
    label,
    ...(detail === undefined ? {} : { detail }),
    actions: { enter: { label: "read", line } },
  }));
  return {
    kind: "screen",
    screen: { title, rows, empty: "" },
    text: choices.map(({ label, detail, line }) => `- ${label}${detail ? ` (${detail})` : ""}: \`${line}\``).join("\n"),
  };
}
