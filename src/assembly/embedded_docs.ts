/** The pages for people that this program carries, and a search in them. Loaded when somebody asks; no model is. */
import type { DocPage, Documents, FoundSection } from "../controller/mod.ts";
import { aboveFloor, Bm25Index } from "../lib/bm25.ts";
import { excerptOf, type MarkdownSection, markdownSections } from "../lib/markdown_sections.ts";
import { toTerms } from "../lib/search_terms.ts";

/** Characters shown of one section. */
const EXCERPT = 1_600;

/** They stand in every question and say nothing of what it is about. */
const QUESTION_WORDS = new Set(
  ("a an and are be can do does for from how i in is it its me my of on or please show tell that the there this to " +
    "use want what when where which who why will with you your").split(" "),
);

export async function loadDocuments(): Promise<Documents> {
  const pages = (await loadPages()).map(([name, text]) => toPage(name, text));
  const sections = pages.flatMap((page) => page.sections);
  const index = new Bm25Index();
  for (const { page, section } of sections) {
    const [title = "", ...headings] = section.path;
    index.add([
      { text: headings.join(" "), weight: 4 },
      { text: `${page} ${title}`, weight: 1 },
      { text: section.text, weight: 1 },
    ]);
  }
  return {
    pages: pages.map(({ name, title, sections }): DocPage => ({
      name,
      title,
      sections: sections.map(({ address, heading }) => ({ address, heading })),
    })),
    section: (address) => {
      const found = sections.find((one) => one.address === address);
      return found && { address, path: pathOf(found), text: found.section.text };
    },
    search: (question) => {
      const terms = queryTerms(question);
      const weigh = (term: string) => terms.has(term) ? index.weightOf(term) : 0;
      return aboveFloor(index.search(terms)).map(({ document }): FoundSection => {
        const found = sections[document]!;
        return { address: found.address, path: pathOf(found), text: excerptOf(found.section, weigh, EXCERPT) };
      });
    },
  };
}

interface Placed {
  readonly page: string;
  readonly address: string;
  readonly heading: string;
  readonly section: MarkdownSection;
}

function toPage(name: string, text: string) {
  const taken = new Map<string, number>();
  const sections = markdownSections(text).map((section): Placed => {
    const heading = section.path.slice(1).join(" › ") || section.path[0]!;
    const slug = slugOf(heading);
    const before = taken.get(slug) ?? 0;
    taken.set(slug, before + 1);
    return { page: name, address: `${name}/${slug}${before === 0 ? "" : `-${before + 1}`}`, heading, section };
  });
  return { name, title: sections[0]?.section.path[0] ?? name, sections };
}

function pathOf({ page, section }: Placed): string {
  return [page, ...section.path.slice(1)].join(" › ");
}

function slugOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "section";
}

/** The words of a question, each also without or with its plural. */
function queryTerms(question: string): ReadonlySet<string> {
  const terms = toTerms(question).filter((term) => !QUESTION_WORDS.has(term));
  return new Set(terms.flatMap((term) => {
    if (!/^[a-z]{3,}$/.test(term)) return [term];
    return [term, ...(term.endsWith("s") ? [term.slice(0, -1)] : [`${term}s`])];
  }));
}

async function loadPages(): Promise<readonly (readonly [name: string, text: string])[]> {
  const [
    guide,
    troubleshooting,
    commands,
    config,
    security,
    mcp,
    context,
    tools,
    events,
    performance,
    readme,
    readmeZh,
  ] = await Promise.all([
    import("../../docs/GUIDE.md", { with: { type: "text" } }),
    import("../../docs/TROUBLESHOOTING.md", { with: { type: "text" } }),
    import("../../docs/COMMANDS.md", { with: { type: "text" } }),
    import("../../docs/CONFIG.md", { with: { type: "text" } }),
    import("../../docs/SECURITY.md", { with: { type: "text" } }),
    import("../../docs/MCP.md", { with: { type: "text" } }),
    import("../../docs/CONTEXT.md", { with: { type: "text" } }),
    import("../../docs/TOOL_CONTRACT.md", { with: { type: "text" } }),
    import("../../docs/EVENTS.md", { with: { type: "text" } }),
    import("../../docs/PERFORMANCE.md", { with: { type: "text" } }),
    import("../../README.md", { with: { type: "text" } }),
    import("../../README.zh-CN.md", { with: { type: "text" } }),
  ]);
  return [
    ["guide", guide.default],
    ["troubleshooting", troubleshooting.default],
    ["commands", commands.default],
    ["config", config.default],
    ["security", security.default],
    ["mcp", mcp.default],
    ["context", context.default],
    ["tools", tools.default],
    ["events", events.default],
    ["performance", performance.default],
    ["readme", readme.default],
    ["readme-zh", readmeZh.default],
  ];
}
