/** Random scripts: no construct of the shell hides a denied command, none widens an allow rule. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { analyze, quoteAll, verdict } from "../support/permissions.ts";

interface Script {
  readonly text: string;
  /** Every call in it as plain words. */
  readonly calls: readonly (readonly string[])[];
}

const plain = (argv: readonly string[]): Script => ({ text: quoteAll(argv), calls: [argv] });
const around = (inner: Script, text: (inner: string) => string): Script => ({ ...inner, text: text(inner.text) });
const both = (a: Script, b: Script, text: (a: string, b: string) => string): Script => ({
  text: text(a.text, b.text),
  calls: [...a.calls, ...b.calls],
});
const single = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The delimiter stands alone on its line and nowhere in the body. */
function heredoc(command: string, quoted: string, body: string): string {
  let end = "E";
  while (body.includes(end)) end += "E";
  return `{ ${command} <<${quoted.replace("E", end)}\n${body}\n${end}\n}`;
}

const DENIED = [["rm", "-rf", "build"], ["rm", "x y"], ["git", "push"], ["git", "push", "--force"]];
const ALLOWED = [["npm", "test"], ["npm", "test", "a b"], ["make", "x"]];
const OTHER = [["curl", "x"], ["npm", "testify"], ["git", "fetch"], ["touch", "it's"]];
const READING = [["ls", "-la"], ["git", "status"], ["echo", "$(rm x)"]];

const call = fc.constantFrom(...DENIED, ...ALLOWED, ...OTHER, ...READING).map(plain);

/** The same call under another name. */
const spelled = fc.oneof(
  { weight: 3, arbitrary: call },
  call.map((one) => around(one, (text) => text.replace(/^(\w)(\w*)/, "$1''$2"))),
  call.map((one) => around(one, (text) => `\\${text}`)),
  call.map((one) => around(one, (text) => text.replace(/^(\w+)/, '"$1"'))),
  call.map((one) => around(one, (text) => text.replace(/^\w/, (c) => `$'\\x${c.charCodeAt(0).toString(16)}'`))),
  call.map((one) => around(one, (text) => `/usr/bin/${text}`)),
  call.map((one) => around(one, (text) => text.replace(" ", " \\\n \t"))),
  fc.tuple(call, fc.constantFrom("A=1 %", "A=(1 2) B=$x %", "% > f", "2>&1 % 3< f", "% <<< x")).map(([one, form]) =>
    around(one, (text) => form.replace("%", () => text))
  ),
  fc.tuple(
    call,
    fc.constantFrom(
      "nice -n 5 %",
      "timeout -k 1 9 %",
      "env -i A=b %",
      "sudo -u root %",
      "nohup %",
      "command -- %",
      "exec %",
      "xargs -0 -n 1 %",
      "stdbuf -oL %",
      "setsid %",
      "busybox %",
      "time -p %",
      "sudo env nice %",
      "find . -exec % ;".replace(";", "\\;"),
    ),
  ).map(([one, form]) => around(one, (text) => form.replace("%", () => text))),
);

const { script } = fc.letrec<{ script: Script }>((tie) => ({
  script: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    spelled,
    fc.tuple(
      tie("script"),
      tie("script"),
      fc.constantFrom("; ", " && ", " || ", " & ", "\n"),
    ).map(([a, b, separator]) => both(a, b, (x, y) => `${x}${separator}${y}`)),
    fc.tuple(tie("script"), tie("script"), fc.constantFrom("|", "|&")).map(([a, b, pipe]) =>
      // `!` may not stand behind a pipe.
      both(a, b, (x, y) => `${x} ${pipe} { ${y}\n}`)
    ),
    tie("script").map((one) => around(one, (text) => `(${text}\n)`)),
    tie("script").map((one) => around(one, (text) => `{ ${text}\n}`)),
    fc.tuple(tie("script"), tie("script")).map(([a, b]) => both(a, b, (x, y) => `if ${x}\nthen ${y}\nfi`)),
    fc.tuple(tie("script"), tie("script")).map(([a, b]) => both(a, b, (x, y) => `while ${x}\ndo ${y}\ndone`)),
    tie("script").map((one) => around(one, (text) => `for i in a b; do ${text}\ndone`)),
    tie("script").map((one) => around(one, (text) => `case x in (x) ${text}\n;; esac`)),
    tie("script").map((one) => around(one, (text) => `f() { ${text}\n}`)),
    tie("script").map((one) => around(one, (text) => `! { ${text}\n}`)),
    tie("script").map((one) => around(one, (text) => `ls "$(${text}\n)"`)),
    tie("script").map((one) => around(one, (text) => `x=$(${text}\n)`)),
    tie("script").map((one) => around(one, (text) => `ls \${x:-$(${text}\n)}`)),
    tie("script").map((one) => around(one, (text) => `cat <(${text}\n)`)),
    tie("script").map((one) => around(one, (text) => heredoc("cat", "E", `$(${text}\n)`))),
    tie("script").map((one) => around(one, (text) => `bash -c ${single(text)}`)),
    tie("script").map((one) => around(one, (text) => `eval ${single(text)}`)),
    tie("script").map((one) => around(one, (text) => `trap ${single(text)} EXIT`)),
    tie("script").map((one) => around(one, (text) => heredoc("sh", "'E'", text))),
    call.map((one) => around(one, (text) => text.includes("'") ? text : `ls \`${text}\``)),
  ),
}));

function isDenied(argv: readonly string[]): boolean {
  return argv[0] === "rm" || (argv[0] === "git" && argv[1] === "push");
}

Deno.test("a line that holds a denied command anywhere is denied", () => {
  const deny = ["Bash(rm:*)", "Bash(git push:*)"];
  let denied = 0;
  fc.assert(
    fc.property(script, ({ text, calls }) => {
      if (!calls.some(isDenied)) return;
      denied++;
      assert.equal(verdict({ deny, allow: ["Bash"] }, text, { fallback: "allow" }), "deny", text);
    }),
    { numRuns: 1_500 },
  );
  assert.ok(denied > 100, `only ${denied} scripts held one`);
});

Deno.test("a line without a denied command is not denied", () => {
  const deny = ["Bash(rm:*)", "Bash(git push:*)"];
  fc.assert(
    fc.property(script, ({ text, calls }) => {
      if (!calls.some(isDenied)) assert.notEqual(verdict({ deny, allow: ["Bash"] }, text), "deny", text);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a line is allowed only when each of its commands is allowed alone", () => {
  const lists = { allow: ["Bash(npm test:*)", "Bash(make *)"] };
  let allowed = 0;
  fc.assert(
    fc.property(script, ({ text, calls }) => {
      if (verdict(lists, text) !== "allow") return;
      allowed++;
      const alone = calls.map((argv) => [argv.join(" "), verdict(lists, quoteAll(argv))]);
      assert.deepEqual(alone.filter(([, outcome]) => outcome !== "allow"), [], text);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(allowed > 20, `only ${allowed} scripts were allowed`);
});

Deno.test("a further deny or ask rule never allows more, a further allow rule never denies more", () => {
  const rule = fc.constantFrom("Bash", "Bash(rm:*)", "Bash(npm test:*)", "Bash(git *)", "Bash(*x*)", "Bash=ls -la");
  const rules = fc.array(rule, { maxLength: 3 });
  fc.assert(
    fc.property(script, rules, rules, rules, rule, ({ text }, allow, ask, deny, more) => {
      const before = verdict({ allow, ask, deny }, text);
      if (before !== "allow") {
        assert.notEqual(verdict({ allow, ask, deny: [...deny, more] }, text), "allow", text);
        assert.notEqual(verdict({ allow, ask: [...ask, more], deny }, text), "allow", text);
      }
      if (before !== "deny") assert.notEqual(verdict({ allow: [...allow, more], ask, deny }, text), "deny", text);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("words survive quoting, whatever is in them", () => {
  const word = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !text.includes("\u0000"));
  fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (argv) => {
    const [only, ...more] = analyze(quoteAll(["echo", ...argv])).commands;
    assert.equal(more.length, 0);
    assert.deepEqual(only!.layers[0]!.words.map(({ value }) => value), ["echo", ...argv]);
  }));
});

Deno.test("any text at all is analysed, and what is not understood needs a person", () => {
  const shellish = fc.string({
    unit: fc.constantFrom(..."ab $`'\"\\(){}[]<>|&;\n\r\t#!*?~=/-:0@".split("")),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.oneof(shellish, fc.string({ unit: "binary", maxLength: 60 })), (text) => {
      const { complete, shape, readOnly } = analyze(text);
      if (!complete) assert.deepEqual([shape, readOnly], ["nested", false], JSON.stringify(text));
    }),
    { numRuns: 5_000 },
  );
});
