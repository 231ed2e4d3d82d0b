/** The same answers with `rg` and without it, and the answers `rg` itself gives where its syntax means the same. */
import assert from "node:assert/strict";
import fc from "fast-check";
import iconv from "iconv-lite";
import { createTempWorkspace, type TempWorkspace } from "../support/temp_workspace.ts";
import { hasRg, searchTools } from "../support/search_tools.ts";

const WORDS = "alpha beta gamma delta needle Needle NEEDLE naïve 中文 文字 fooBar foo_bar 42 0x1F key=value // a.b (x)"
  .split(" ");

const line = fc.array(fc.constantFrom(...WORDS), { maxLength: 9 }).map((words) => words.join(" "));
const content = fc.record({
  lines: fc.array(line, { maxLength: 12 }),
  end: fc.constantFrom("\n", "\n", "\r\n"),
  last: fc.boolean(),
  kind: fc.constantFrom(
    "utf8",
    "utf8",
    "utf8",
    "utf8",
    "utf16le",
    "utf16be",
    "gb18030",
    "mark",
    "binary",
    "long",
    "latin1",
  ),
});
const folder = fc.constantFrom(
  "",
  "",
  "src/",
  "src/deep/",
  "docs/",
  "build/",
  ".hidden/",
  "src/build/",
  "pkg/",
  "pkg/sub/",
);
const name = fc.tuple(
  fc.constantFrom("a", "b", "main", ".dot", "x y", "keep", "ü"),
  fc.nat(99),
  fc.constantFrom(".ts", ".md", ".log", ".gen.ts"),
)
  .map(([stem, number, ending]) => `${stem}${number}${ending}`);

function toBytes(
  { lines, end, last, kind }: { lines: string[]; end: string; last: boolean; kind: string },
): Uint8Array {
  const text = lines.join(end) + (last ? end : "");
  switch (kind) {
    case "utf16le":
    case "utf16be":
      return iconv.encode(text, kind, { addBOM: true });
    case "gb18030":
    case "latin1":
      return iconv.encode(text, kind);
    case "mark":
      return new TextEncoder().encode("\ufeff" + text);
    case "binary":
      return Uint8Array.from([...new TextEncoder().encode(text), 0, 1, 2]);
    case "long":
      return new TextEncoder().encode(
        `${"z".repeat(3000)}${text.replaceAll("\n", " ").replaceAll("\r", " ")}${"z".repeat(3000)}\n`,
      );
    default:
      return new TextEncoder().encode(text);
  }
}

async function growTree(ws: TempWorkspace, seed: number): Promise<void> {
  const files = fc.sample(fc.tuple(folder, name, content), { seed, numRuns: 800 });
  await Promise.all([...new Map(files.map(([at, called, held]) => [at + called, held]))]
    .map(([path, held]) => ws.put(path, toBytes(held))));
  await ws.put(".gitignore", "*.log\n!keep*.log\n/build/\n");
  await ws.put("pkg/.gitignore", "!a1*.log\n/sub/\n*.gen.ts\n");
  await ws.put(".git/info/exclude", "docs/b*\n");
}

const PATTERNS = [
  "needle",
  "(?i)NEEDLE 4",
  "^alpha beta",
  "gamma$",
  "key=value$|^//",
  String.raw`foo[_B]\w+ \d+`,
  String.raw`\bnaïve\b`,
  "中文 文字",
  "[^ -~]{2}$",
  String.raw`\(x\) a\.b`,
  String.raw`0x[0-9A-F]+ (delta|gamma)`,
  "(alpha ?){2}",
  String.raw`\p{Han}+ \p{Lu}`,
  "é|ï",
  String.raw`^\W+$`,
  "z{100}",
  String.raw`\Qa.b (x)\E`,
  "nothing like this",
];

Deno.test({
  name: "the engines agree on every pattern over a mixed tree",
  ignore: !hasRg,
  async fn() {
    await using ws = await createTempWorkspace();
    await growTree(ws, 7);
    for (const path of [".", "src", "pkg"]) {
      const native = searchTools({ ...ws, engine: "native" });
      const sifted = searchTools({ ...ws, engine: "rg" });
      for (const pattern of PATTERNS) {
        const expected = await native.grep({ pattern, path });
        assert.equal(await sifted.grep({ pattern, path }), expected, `${pattern} in ${path}`);
      }
    }
  },
});

Deno.test({
  name: "on UTF-8 the answers are those of rg itself",
  ignore: !hasRg,
  async fn() {
    await using ws = await createTempWorkspace();
    await growTree(ws, 11);
    const { grep } = searchTools({ ...ws, engine: "native" });
    // Where both syntaxes mean the same, and no line is longer than what is shown.
    for (
      const pattern of [
        "needle 42",
        "(?i)needle key",
        "^alpha beta",
        "中文 文字 ",
        String.raw`0x[0-9A-F]+ (delta|gamma)`,
      ]
    ) {
      const args = ["--no-config", "--no-ignore-global", "--crlf", "--no-heading", "-n", "-e", pattern, ws.root];
      const { stdout } = await new Deno.Command("rg", { args }).output();
      const keep = async (lines: string[]) => {
        const kept: string[] = [];
        for (const one of lines) {
          if (!one.startsWith("/")) continue;
          const path = one.slice(0, one.indexOf(":"));
          if (isPlainText(await Deno.readFile(path))) kept.push(one.replace(/\r$/, ""));
        }
        return kept.sort();
      };
      const expected = await keep(new TextDecoder().decode(stdout).split("\n"));
      const ours = (await grep({ pattern })).split("\n");
      assert.ok(ours.length < 200 && expected.length > 0, `${pattern}: ${ours.length} and ${expected.length} lines`);
      assert.deepEqual(await keep(ours), expected, pattern);
    }
  },
});

/** UTF-8 without NUL and without the long lines that are shortened in a reply. */
function isPlainText(bytes: Uint8Array): boolean {
  try {
    return !/\0|zzz/.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}
