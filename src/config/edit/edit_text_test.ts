import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "smol-toml";
import { applyEdit, type ConfigEdit, type PlainEdit, resolveEdit, sameData } from "./data_edit.ts";
import { editText } from "./edit_text.ts";

async function edited(text: string, ...edits: ConfigEdit[]): Promise<string> {
  const result = await editText(text, edits, "test.toml");
  assert.equal(result.commentsLost, false, result.text);
  return result.text;
}

/** Every way of TOML to write the same kinds of things, with comments wherever one may stand. */
const HARD = `# top comment

title = "x" # after title
"quoted key" = 'lit' # q
dotted.a.b = 1
dotted.a.c = [1, 2, # two
  3]
site."google.com" = true
date = 1979-05-27T07:32:00Z
inline = { a = 1, b.c = "x", nested = { deep = [ { n = 1 }, { n = 2 } ] } }
empty = {}
none = []
multi = """
a = 1 # not a key
[nor.a.table]
"""

# about implied
[implied.parent.leaf] # header comment
x = 0x10
  indented = 1_000

[tools] # tools
shell.prefer = "auto" # dotted in table
shell.env.A = "1"
list = [
  "one", # first
  # between
  "two" # last, no comma
]
trailing = [
  "one",
  "two", # with comma
]

# first of two
[[entries]]
name = "first"
[entries.sub]
k = 1
[[entries.inner]]
v = 1
[[entries.inner]]
v = 2

[other]
# only a comment

# second of two
[[entries]]
name = "second" # tail
[entries.sub.deeper]
k = 2

[tools.late]
y = true
[unknown_future_section]
keep = "me"
# the end`;

Deno.test("a scalar is replaced where it stands, its comment stays", async () => {
  assert.equal(await edited("a = 1 # why\nb = 2\n", { set: ["a"], value: "x" }), 'a = "x" # why\nb = 2\n');
});

Deno.test("a new key goes to the end of its table, with the table's indentation", async () => {
  const before = "[ui]\n  theme = 'dark' # t\n\n[agent]\nkeep = []\n";
  const after = "[ui]\n  theme = 'dark' # t\n  plain = true\n\n[agent]\nkeep = []\n";
  assert.equal(await edited(before, { set: ["ui", "plain"], value: true }), after);
});

Deno.test("a new top-level key never lands inside a table", async () => {
  assert.equal(
    await edited("# head\n\n# ui\n[ui]\n", { set: ["language"], value: "en" }),
    '# head\n\nlanguage = "en"\n\n# ui\n[ui]\n',
  );
  assert.equal(await edited("", { set: ["language"], value: "en" }), 'language = "en"\n');
});

Deno.test("a missing table is added at the end, or behind its kin", async () => {
  assert.equal(
    await edited("a = 1", { set: ["agent", "compact_ratio"], value: 0.8 }),
    "a = 1\n\n[agent]\ncompact_ratio = 0.8\n",
  );
  assert.equal(
    await edited("[tools]\na = 1\n\n[ui]\n", { set: ["tools", "shell", "prefer"], value: "bash" }),
    '[tools]\na = 1\n\n[tools.shell]\nprefer = "bash"\n\n[ui]\n',
  );
});

Deno.test("rules are added to a list in the list's own style", async () => {
  const rule = (value: string) => ({ append: ["permissions", "allow"], value }) as const;
  assert.equal(await edited("", rule("Bash(a)")), '[permissions]\nallow = ["Bash(a)"]\n');
  assert.equal(await edited("permissions.allow = []\n", rule("x")), 'permissions.allow = ["x"]\n');
  assert.equal(await edited('permissions = { allow = ["a"] }\n', rule("x")), 'permissions = { allow = ["a", "x"] }\n');
  assert.equal(
    await edited('[permissions]\nallow = [\n  "a", # first\n  "b" # second\n] # end\n', rule("x")),
    '[permissions]\nallow = [\n  "a", # first\n  "b", # second\n  "x",\n] # end\n',
  );
});

Deno.test("an entry is found by its name and goes with its tables, comments around it stay", async () => {
  const before = `# servers
[[plugins]]
name = "a"
[plugins.env]
X = "1"

# second
[[plugins]]
name = "b"

[ui]
`;
  assert.equal(
    await edited(before, { remove: ["plugins", { name: "a" }] }),
    `# servers

# second
[[plugins]]
name = "b"

[ui]
`,
  );
  const enabled = await edited(before, { set: ["plugins", { name: "a" }, "auto_start"], value: false });
  assert.match(enabled, /name = "a"\nauto_start = false\n\[plugins\.env\]/);
  const added = await edited(before, { append: ["plugins"], value: { name: "c", env: { K: "v" } } });
  assert.match(added, /name = "b"\n\n\[\[plugins\]\]\nname = "c"\nenv = \{ K = "v" \}\n\n\[ui\]/);
});

Deno.test("Windows line ends and paths stay readable", async () => {
  assert.equal(
    await edited("a = 1\r\n[t]\r\nb = 2\r\n", { set: ["t", "path"], value: "C:\\Program Files\\pwsh.exe" }),
    "a = 1\r\n[t]\r\nb = 2\r\npath = 'C:\\Program Files\\pwsh.exe'\r\n",
  );
});

Deno.test("an edit that changes nothing leaves the text as it is", async () => {
  assert.equal(await edited(HARD, { set: ["title"], value: "x" }, { remove: ["nowhere", "a"] }), HARD);
});

Deno.test("a value in the way is a conflict and names it", async () => {
  await assert.rejects(() => edited("agent = 1\n", { set: ["agent", "keep"], value: [] }), /agent is not a table/);
  await assert.rejects(() => edited("", { set: ["plugins", { name: "x" }, "url"], value: "u" }), /no entry named "x"/);
});

Deno.test("no edit of a hard document loses a comment or another key", async () => {
  const document = parse(HARD, { integersAsBigInt: "asNeeded" });
  const paths: (readonly (string | number)[])[] = [];
  const walk = (value: unknown, path: readonly (string | number)[]) => {
    if (path.length > 0) paths.push(path);
    if (Array.isArray(value)) value.forEach((item, index) => walk(item, [...path, index]));
    else if (typeof value === "object" && value !== null && !(value instanceof Date)) {
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
    }
  };
  walk(document, []);

  const scalar = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant("C:\\x"),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const value = fc.oneof(
    scalar,
    fc.dictionary(fc.constantFrom("k1", "k 2", "k.3"), scalar, { minKeys: 1, maxKeys: 2 }),
  );
  const somewhere = fc.constantFrom(...paths);
  const extended = fc.tuple(
    somewhere,
    fc.array(fc.constantFrom("new", "other", "a b", "é"), { minLength: 1, maxLength: 3 }),
  )
    .map(([path, more]) => [...path, ...more]);
  const anywhere = fc.oneof(somewhere, extended, fc.constant(["fresh", "table", "key"]), fc.constant(["fresh"]));
  const edit = fc.oneof(
    fc.record({ kind: fc.constant("set" as const), path: anywhere, value }),
    fc.record({ kind: fc.constant("append" as const), path: anywhere, value }),
    fc.record({ kind: fc.constant("remove" as const), path: somewhere }),
  );

  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      let text = HARD;
      let expected = document as Record<string, unknown>;
      for (const plain of edits) {
        let wanted: Record<string, unknown>;
        const config = toConfigEdit(plain as PlainEdit);
        try {
          const resolved = resolveEdit(expected, config);
          wanted = resolved ? applyEdit(expected, resolved) : expected;
        } catch {
          continue;
        }
        const result = await editText(text, [config], "hard.toml");
        assert.equal(result.commentsLost, false, `${JSON.stringify(plain)}\n${text}`);
        assert.ok(sameData(result.document, wanted) || isEmptied(plain as PlainEdit, wanted), JSON.stringify(plain));
        for (const comment of ["# top comment", "# about implied", "# first of two", "# second of two", "# the end"]) {
          assert.ok(result.text.includes(comment), `${comment} is gone after ${JSON.stringify(plain)}\n${result.text}`);
        }
        [text, expected] = [result.text, result.document];
      }
    }),
    { numRuns: 300 },
  );
});

/** The last entry of a list of tables went: the list cannot be written any more. */
function isEmptied(edit: PlainEdit, wanted: Record<string, unknown>): boolean {
  const list = edit.path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], wanted);
  return edit.kind === "remove" && Array.isArray(list) && list.length === 0;
}

function toConfigEdit(edit: PlainEdit): ConfigEdit {
  if (edit.kind === "remove") return { remove: edit.path };
  return edit.kind === "set" ? { set: edit.path, value: edit.value } : { append: edit.path, value: edit.value };
}
