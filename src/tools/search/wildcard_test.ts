import assert from "node:assert/strict";
import fc from "fast-check";
import { sharedPath, sharedRows } from "../../../tests/support/shared.ts";
import { byteText, PatternError, Wildcard } from "./wildcard.ts";

function matches(pattern: string, path: string): boolean {
  return new Wildcard(pattern, { dialect: "path" }).matches(path);
}

interface AgreedRow {
  readonly pattern: string;
  readonly path: string;
  readonly dot: boolean;
  readonly match: boolean;
}

const agreed = sharedRows<AgreedRow>("fixtures/formats/glob-agreed.jsonl");

Deno.test({
  name: "agrees with two glob libraries wherever they agree and the syntax is ours",
  ignore: agreed.length === 0,
  fn() {
    // Braces, extended globs, a leading "!", "/" and "./" are not part of the syntax; folders are no matches.
    const ours = agreed.filter((row) =>
      !row.dot && !/[{}]|[@!+?*]\(|^!|^\.?\/|\/$|\[:/.test(row.pattern) && !/\/$|^\/|^\.\//.test(row.path)
    );
    const wrong = ours.filter((row) => matches(row.pattern, row.path) !== row.match);
    assert.deepEqual(wrong, []);
    assert.ok(ours.length > 1000, `only ${ours.length} rows apply`);
  },
});

interface WildmatchRow {
  readonly pattern: string;
  readonly text: string;
  readonly wildmatch: number | boolean;
}

const wildmatch = sharedPath("fixtures/formats/wildmatch.json");

Deno.test({
  name: "in the git dialect it is git's wildmatch",
  ignore: wildmatch === undefined,
  fn() {
    const rows = JSON.parse(Deno.readTextFileSync(wildmatch!)) as WildmatchRow[];
    const wrong = rows.filter(({ pattern, text, wildmatch: expected }) =>
      gitMatches(pattern, text) !== Boolean(expected)
    );
    assert.deepEqual(wrong, []);
  },
});

function gitMatches(pattern: string, text: string): boolean {
  try {
    return new Wildcard(pattern, { dialect: "git" }).matchesNames(text.split("/").map(byteText));
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

Deno.test("a star does not match a leading dot, a written dot does", () => {
  assert.equal(matches("*", ".env"), false);
  assert.equal(matches("**/*", "a/.b/c"), false);
  assert.equal(matches(".*", ".env"), true);
  assert.equal(matches("**/.github/*.yml", "a/.github/ci.yml"), true);
});

Deno.test("an escaped wildcard and a bracket stand for themselves", () => {
  assert.equal(matches("\\*.js", "*.js"), true);
  assert.equal(matches("\\*.js", "a.js"), false);
  assert.equal(matches("\\[id\\].ts", "[id].ts"), true);
  assert.equal(matches("[[]id].ts", "[id].ts"), true);
});

Deno.test("characters outside the basic plane count as one", () => {
  assert.equal(matches("?.txt", "😀.txt"), true);
  assert.equal(matches("[😀-😎].txt", "😃.txt"), true);
});

Deno.test("a malformed pattern says what is wrong and where", () => {
  assert.throws(() => new Wildcard("a/[bc", { dialect: "path" }), new PatternError(`"[" at position 3 has no "]"`));
  assert.throws(() => new Wildcard("a\\", { dialect: "path" }), new PatternError(`"\\" at the end escapes nothing`));
  assert.throws(
    () => new Wildcard("[[:nope:]]", { dialect: "path" }),
    new PatternError(`"[:nope:]" is no class of characters`),
  );
});

Deno.test("a folder is entered whenever something below it could match", () => {
  const name = fc.constantFrom("a", "b", "ab", ".h");
  const part = fc.constantFrom("a", "b", "*", "?", "**", "a*", ".h", ".*", "[ab]");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.array(name, { minLength: 2, maxLength: 5 }), (
      parts,
      names,
    ) => {
      const wildcard = new Wildcard(parts.join("/"), { dialect: "path" });
      if (!wildcard.matchesNames(names)) return;
      for (let depth = 1; depth < names.length; depth++) {
        assert.ok(
          wildcard.mayMatchBelow(names.slice(0, depth)),
          `${parts.join("/")} in ${names.slice(0, depth).join("/")}`,
        );
      }
    }),
  );
});

Deno.test("no pattern is slow: many stars on a long name take steps in proportion", () => {
  const pattern = new Wildcard("*a".repeat(40) + "b", { dialect: "path" });
  assert.equal(pattern.matches("a".repeat(20_000)), false);
  const deep = new Wildcard("**/a/".repeat(30) + "b", { dialect: "path" });
  assert.equal(deep.matches("a/".repeat(5_000) + "c"), false);
});
