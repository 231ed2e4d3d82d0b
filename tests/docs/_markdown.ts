/** What the tests of the documents need of Markdown: fenced blocks, headings with their anchors, links, and code in text. */
import { filesBelow, ROOT } from "../architecture/tree.ts";

export interface Block {
  /** First word behind the fence; empty without one. */
  readonly language: string;
  readonly text: string;
  readonly line: number;
  /** The heading it stands under. */
  readonly heading: string;
}

export interface Piece {
  readonly text: string;
  readonly line: number;
}

export interface MarkdownPage {
  /** Below the root of the project. */
  readonly path: string;
  readonly blocks: readonly Block[];
  /** As a link names them, without `#`. */
  readonly anchors: ReadonlySet<string>;
  /** Targets of links and images. */
  readonly links: readonly Piece[];
  /** Code within a line: `like this`. */
  readonly code: readonly Piece[];
  /** Without blocks, code and the addresses of links. */
  readonly prose: string;
}

/** Every page of the project for people. The words the model reads, below src, are another matter. */
export const PAGES: readonly MarkdownPage[] = [
  "README.md",
  "README.zh-CN.md",
  ...filesBelow(["docs", "tests", "plugins", "scripts"]).filter((path) => path.endsWith(".md")),
].map((path) => readMarkdown(path, Deno.readTextFileSync(ROOT + path)));

export function page(path: string): MarkdownPage {
  const found = PAGES.find((one) => one.path === path);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found;
}

export function readMarkdown(path: string, text: string): MarkdownPage {
  const blocks: Block[] = [];
  const anchors = new Set<string>();
  const lines = text.split("\n");
  let heading = "";
  for (let at = 0; at < lines.length; at++) {
    const fence = /^(\s*)(```+)(.*)$/.exec(lines[at]!);
    if (fence) {
      const [, indent = "", ticks = "", info = ""] = fence;
      const end = lines.findIndex((line, index) => index > at && line.trim() === ticks);
      if (end < 0) throw new Error(`${path}:${at + 1}: a block without an end`);
      const inner = lines.slice(at + 1, end).map((line) => line.startsWith(indent) ? line.slice(indent.length) : line);
      blocks.push({ language: info.trim().split(" ")[0]!, text: `${inner.join("\n")}\n`, line: at + 1, heading });
      // What follows reads the page without its blocks, line for line.
      lines.fill("", at, end + 1);
      at = end;
    } else {
      const title = /^#{1,6} (.*)$/.exec(lines[at]!)?.[1];
      if (title === undefined) continue;
      heading = title;
      anchors.add(anchorOf(title, anchors));
    }
  }
  const code: Piece[] = [];
  const links: Piece[] = [];
  const prose = lines.join("\n")
    .replace(/(`+)((?:(?!\n\n)[\s\S])*?[^`])\1(?!`)/g, (whole, _ticks, inner: string, at: number) => {
      code.push({ text: inner.replace(/\s*\n\s*/g, " ").trim(), line: lineAt(lines.join("\n"), at) });
      return "\n".repeat(whole.split("\n").length - 1);
    })
    .replace(
      /(!?\[[^\]]*)\]\(([^()\s]*(?:\([^()]*\))?[^()\s]*)(?:\s+"[^"]*")?\)/g,
      (_whole, shown, target, at: number, all) => {
        links.push({ text: target, line: lineAt(all, at) });
        return shown;
      },
    );
  return { path, blocks, anchors, links, code, prose };
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** As GitHub names the place of a heading. */
function anchorOf(title: string, taken: ReadonlySet<string>): string {
  const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  const base = plain.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
  let name = base;
  for (let n = 1; taken.has(name); n++) name = `${base}-${n}`;
  return name;
}
