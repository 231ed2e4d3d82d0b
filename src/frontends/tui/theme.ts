/**
 * Colours. A theme is a table of functions from text to styled text; without colour they are the identity, so every
 * state must be readable from its words and marks alone.
 */
import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import { highlight, isDiffLanguage, paintDiff, type TokenKind } from "./transcript/highlight.ts";

export type Paint = (text: string) => string;

export type ThemeMode = "dark" | "light" | "none";

const STYLES = [
  "accent",
  "dim",
  "strong",
  "good",
  "warn",
  "bad",
  "added",
  "removed",
  "rule",
  "code",
  "link",
  "italic",
] as const;
export type Style = (typeof STYLES)[number];

export interface Theme extends Readonly<Record<Style, Paint>> {
  readonly mode: ThemeMode;
  /** The chosen one of a list. */
  readonly chosen: Paint;
  readonly token: Readonly<Record<TokenKind, Paint>>;
  readonly markdown: MarkdownTheme;
  readonly select: SelectListTheme;
  readonly editor: EditorTheme;
}

/** Accents by name: codes of the 256-colour table. */
export const ACCENTS: Readonly<Record<"dark" | "light", Readonly<Record<string, number>>>> = {
  dark: {
    graphite: 110,
    ember: 209,
    aurora: 79,
    midnight: 75,
    slate: 146,
    carbon: 250,
    nocturne: 141,
    amber: 214,
  },
  light: { sandstone: 130, porcelain: 25, linen: 94, glacier: 31 },
};

const CODES: Readonly<Record<"dark" | "light", Readonly<Record<Exclude<Style, "accent">, string>>>> = {
  dark: {
    dim: "2",
    strong: "1",
    good: "32",
    warn: "33",
    bad: "31",
    added: "38;5;114",
    removed: "38;5;174",
    rule: "38;5;240",
    code: "38;5;180",
    link: "4;38;5;110",
    italic: "3",
  },
  light: {
    dim: "38;5;242",
    strong: "1",
    good: "38;5;28",
    warn: "38;5;130",
    bad: "38;5;124",
    added: "38;5;22",
    removed: "38;5;88",
    rule: "38;5;249",
    code: "38;5;94",
    link: "4;38;5;25",
    italic: "3",
  },
};

const TOKEN_CODES: Readonly<Record<"dark" | "light", Readonly<Record<TokenKind, string>>>> = {
  dark: { comment: "38;5;244", string: "38;5;150", number: "38;5;180", keyword: "38;5;141", name: "", plain: "" },
  light: { comment: "38;5;243", string: "38;5;28", number: "38;5;130", keyword: "38;5;90", name: "", plain: "" },
};

const plain: Paint = (text) => text;

/** Wraps in SGR codes; resets inside the text do not end the style. */
function paint(code: string): Paint {
  if (code === "") return plain;
  const on = `\x1b[${code}m`;
  return (text) => text === "" ? "" : `${on}${text.replaceAll("\x1b[0m", `\x1b[0m${on}`)}\x1b[0m`;
}

/** `diffFences`: fenced blocks of the languages `diff` and `patch` are coloured as diffs. */
export function createTheme(mode: ThemeMode, accent = "", { diffFences = false } = {}): Theme {
  const styles = Object.fromEntries(STYLES.map((style) => [style, styleOf(mode, style, accent)])) as Record<
    Style,
    Paint
  >;
  const token = Object.fromEntries(
    (["comment", "string", "number", "keyword", "name", "plain"] as const).map((
      kind,
    ) => [kind, mode === "none" ? plain : paint(TOKEN_CODES[mode][kind])]),
  ) as Record<TokenKind, Paint>;
  const chosen: Paint = (text) => styles.accent(styles.strong(text));
  const select: SelectListTheme = {
    selectedPrefix: styles.accent,
    selectedText: chosen,
    description: styles.dim,
    scrollInfo: styles.dim,
    noMatch: styles.dim,
  };
  return {
    ...styles,
    mode,
    chosen,
    token,
    select,
    editor: { borderColor: styles.rule, selectList: select },
    markdown: {
      heading: (text) => styles.accent(styles.strong(text)),
      link: styles.link,
      linkUrl: styles.dim,
      code: styles.code,
      codeBlock: plain,
      codeBlockBorder: styles.dim,
      quote: styles.italic,
      quoteBorder: styles.dim,
      hr: styles.rule,
      listBullet: styles.accent,
      bold: styles.strong,
      italic: styles.italic,
      strikethrough: mode === "none" ? (text) => `~~${text}~~` : paint("9"),
      underline: mode === "none" ? plain : paint("4"),
      highlightCode: (code, language) =>
        diffFences && isDiffLanguage(language) ? paintDiff(code, styles) : highlight(code, language, token),
      codeBlockIndent: "  ",
    },
  };
}

function styleOf(mode: ThemeMode, style: Style, accent: string): Paint {
  if (mode === "none") return plain;
  if (style !== "accent") return paint(CODES[mode][style]);
  const fallback = mode === "dark" ? ACCENTS.dark.graphite! : ACCENTS.light.porcelain!;
  return paint(`38;5;${ACCENTS[mode][accent] ?? ACCENTS[mode === "dark" ? "light" : "dark"][accent] ?? fallback}`);
}
