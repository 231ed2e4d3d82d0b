import assert from "node:assert/strict";
import { sharedPath } from "../../tests/support/shared.ts";
import { locateKeys } from "./positions.ts";
import { parseDocument, shownLine } from "./parse_document.ts";

const suite = sharedPath("fixtures/formats/toml");

function listed(folder: string, version: string): string[] {
  return Deno.readTextFileSync(`${folder}/files-toml-${version}`).split("\n").filter((name) => name.endsWith(".toml"));
}

function textOf(path: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Deno.readFileSync(path));
  } catch {
    return undefined;
  }
}

Deno.test(
  "each document of the TOML suite that is valid in 1.1 parses, and its keys have a place",
  { ignore: !suite },
  async () => {
    const failures: string[] = [];
    for (const name of listed(suite!, "1.1.0").filter((name) => name.startsWith("valid/"))) {
      const text = textOf(`${suite}/${name}`);
      if (text === undefined) continue;
      const parsed = await parseDocument(text, name);
      if ("problem" in parsed) failures.push(parsed.problem.message);
      else {
        for (const key of Object.keys(parsed.document)) {
          if (locateKeys(text)([key]) === undefined) failures.push(`${name}: ${key} has no place`);
        }
      }
    }
    assert.deepEqual(failures, []);
  },
);

Deno.test(
  "each malformed document of the TOML suite is one sentence with file, line and column",
  { ignore: !suite },
  async () => {
    const accepted: string[] = [];
    let refused = 0;
    for (const name of listed(suite!, "1.1.0").filter((name) => name.startsWith("invalid/"))) {
      const text = textOf(`${suite}/${name}`);
      if (text === undefined) continue;
      const parsed = await parseDocument(text, "x.toml");
      if (!("problem" in parsed)) {
        accepted.push(name);
        continue;
      }
      refused++;
      const { code, message, place } = parsed.problem;
      assert.equal(code, "config.syntax");
      // deno-lint-ignore no-control-regex
      assert.match(
        message,
        /^x\.toml:\d+:\d+: found [^\x00-\x1f\x7f-\x9f]+, expected [^\x00-\x1f\x7f-\x9f]+ in: [^\x00-\x1f\x7f-\x9f]*$/,
        name,
      );
      const lines = text.split(/\r?\n/);
      assert.ok(place!.line! >= 1 && place!.line! <= lines.length, `${name}: line ${place!.line}`);
      assert.ok(
        place!.column! >= 1 && place!.column! <= lines[place!.line! - 1]!.length + 1,
        `${name}: column ${place!.column}`,
      );
    }
    // The reader lets two things pass that no setting can hold: the 30th of February, and a mark between keys.
    assert.deepEqual(accepted.filter((name) => !/feb-(29|30)|bom-not-at-start/.test(name)), []);
    assert.ok(refused > 300, String(refused));
  },
);

Deno.test("the line that is shown holds no secret, no control character and no end", () => {
  assert.equal(shownLine('Authorization = "Bearer sk-1234'), "Authorization = …");
  assert.equal(shownLine('headers = { "X-Api-Key" = "sk-1234"'), "headers = …");
  assert.equal(shownLine('api_key_env = "sk-1234"'), "api_key_env = …");
  assert.equal(shownLine('api_key_env = "DEEPSEEK_API_KEY"'), 'api_key_env = "DEEPSEEK_API_KEY"');
  assert.equal(shownLine('  x = "\u001b[2J\u202e"'), 'x = "·[2J·"');
  assert.equal([...shownLine("x".repeat(500))].length, 161);
});

const SLIPS: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    "a quote that is not closed",
    '[ui]\ntheme = "dark\nplain = true',
    'x:2:14: found the end of the line, expected a closing quote in: theme = "dark',
  ],
  ["the same at the end of the file", 'a = "x', 'x:1:5: found text without an end, expected a closing `"` in: a = "x'],
  [
    "a long text that is not closed",
    "a = '''x\nb = 1",
    "x:1:5: found text without an end, expected a closing `'''` in: a = '''x",
  ],
  [
    "a quoted key that is not closed",
    '"a = 1\n',
    'x:1:7: found the end of the line, expected a closing quote in: "a = 1',
  ],
  [
    "a list that is not closed",
    "a = [1,\nb = 1",
    "x:2:1: found `b`, expected a value, or the bracket that closes the list above in: b = 1",
  ],
  [
    "a heading that is not closed",
    "[ui\nplain = true",
    "x:1:4: found the end of the line, expected a closing `]` in: [ui",
  ],
  [
    "a word without quotes",
    "a = dark",
    'x:1:5: found `d`, expected a value such as "text", 1, true or [ ] in: a = dark',
  ],
  ["a colon in place of the sign", "a: 1", "x:1:2: found `:`, expected `key = value` in: a: 1"],
  [
    "a path of Windows",
    'a = "C:\\Users"',
    "x:1:10: found `s`, expected a known escape such as `\\n`; write a backslash as `\\\\`, or use 'single quotes' " +
    'in: a = "C:\\Users"',
  ],
  ["a table written twice", "[a]\n[a]", "x:2:2: found `a`, expected each key and table only once in: [a]"],
];

for (const [what, text, message] of SLIPS) {
  Deno.test(`${what} is told in words of the line, not of the parser`, async () => {
    const parsed = await parseDocument(text, "x");
    assert.equal("problem" in parsed && parsed.problem.message, message);
  });
}
