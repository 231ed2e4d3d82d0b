import assert from "node:assert/strict";
import fc from "fast-check";
import iconv from "iconv-lite";
import { RE2JS } from "re2js";
import { candidatePatterns } from "./candidate_pattern.ts";
import { hasRg } from "../../../tests/support/programs.ts";

function candidates(pattern: string): string[] | undefined {
  return candidatePatterns(pattern, (text, character) => RE2JS.compile(text).test(character));
}

async function rgFinds(patterns: readonly string[], folder: string): Promise<Set<string>> {
  const args = ["--no-config", "--text", "-l", "--null", ...patterns.flatMap((pattern) => ["-e", pattern]), "."];
  const { stdout, stderr } = await new Deno.Command("rg", { args, cwd: folder }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return new Set(
    new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "").map((name) => name.slice(2)),
  );
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return text === "" || text.endsWith("\n") ? lines.slice(0, -1) : lines;
}

const ENCODINGS = ["utf8", "utf16le", "utf16be", "gb18030", "latin1", "shiftjis", "euckr"];

Deno.test({
  name: "whatever RE2 finds in a text, rg finds in its bytes, in any encoding",
  ignore: !hasRg,
  async fn() {
    const piece = fc.constantFrom(
      ..."a b s k K S 1 _ . - \\ | é ſ K 中 文 한 あ 😀 \t".split(" "),
      " ",
      "foo",
      "bar",
    );
    const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    const text = fc.tuple(fc.array(line, { maxLength: 4 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
      .map(([lines, end, last]) => lines.join(end) + (last ? end : ""));
    const atom = fc.constantFrom(
      ...String.raw`a b s k foo bar . \d \w \W \s \S \D [ab] [^a] [^ab中] [a-k] [[:alpha:]] [[:^digit:]] [é-中] 中 文 é
        \bfoo \Bb ^ $ \A \z \. \\ \Q.|\E (?i:S) (?i:k) (?i:é) (?:foo|bar) (?P<n>a) \p{L} \P{L} \p{Han} \x41 \x{4e2d} \141 \t
        (?s:.) (?m:^a) (?U:a+) [\w-] [^\s] [\pL] (?-i:a) (a|) [\]a] []a] [\x{61}-\x{63}] (?i)[k] (?i)[^s] ー 한 あ`
        .split(/\s+/),
    );
    const repeat = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?");
    const sequence = fc.array(fc.tuple(atom, repeat), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map(([one, times]) => one + times).join(""));
    const edge = fc.constantFrom("", "", "", "\\b");
    const pattern = fc.tuple(
      fc.constantFrom("", "", "(?i)"),
      edge,
      fc.array(sequence, { minLength: 1, maxLength: 2 }),
      fc.constantFrom("", "", "a", "\\w+", "s+", "."),
      edge,
    ).map(([flags, start, alternatives, last, end]) => flags + start + alternatives.join("|") + last + end);
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 6, maxLength: 12 }),
        fc.array(pattern, { minLength: 6, maxLength: 6 }),
        async (texts, patterns) => {
          const folder = await Deno.makeTempDir({ prefix: "candidates-" });
          try {
            const held = new Map<string, string>();
            for (const [i, one] of texts.entries()) {
              for (const encoding of ENCODINGS) {
                for (const mark of encoding.startsWith("utf") ? [false, true] : [false]) {
                  const bytes = iconv.encode(one, encoding, { addBOM: mark });
                  const name = `${encoding}-${mark}-${i}`;
                  // Without a mark, only UTF-16 that holds enough ASCII is read as text.
                  const back = iconv.decode(bytes, encoding, { stripBOM: true });
                  if (encoding.startsWith("utf16") && !mark && !/[ -~]{4}/.test(back)) continue;
                  await Deno.writeFile(`${folder}/${name}`, bytes);
                  held.set(name, back);
                }
              }
            }
            for (const source of patterns) {
              let re2: RE2JS;
              try {
                re2 = RE2JS.compile(source);
              } catch {
                continue;
              }
              const asked = candidates(source);
              if (asked === undefined) continue;
              const found = await rgFinds(asked, folder);
              const missed = [...held].filter(([name, content]) =>
                !found.has(name) && linesOf(content).some((one) => re2.test(one))
              );
              assert.deepEqual(missed, [], `${source} as ${asked[0]}`);
            }
          } finally {
            await Deno.remove(folder, { recursive: true });
          }
        },
      ),
      { numRuns: 8 },
    );
  },
});

Deno.test("an ASCII pattern is asked of bytes and stays as sharp as it is", () => {
  assert.deepEqual(
    candidates("ab+[0-9]$")?.[0],
    "(?-u)\\x61\\x62+(?:[\\x30\\x31\\x32\\x33\\x34\\x35\\x36\\x37\\x38\\x39])(?:\\r?$)",
  );
});

Deno.test("a pattern with a line break is left to RE2", () => {
  assert.equal(candidates("a\nb"), undefined);
  assert.equal(candidates("a\\nb"), undefined);
});
