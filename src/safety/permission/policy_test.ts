import assert from "node:assert/strict";
import type { Verdict } from "../../contract/decision.ts";
import { analyze, decide, verdict } from "../../../tests/support/permissions.ts";
import type { PathForms } from "./match_path.ts";
import { type CallFacts, createPolicy, type PolicyOptions } from "./policy.ts";
import { readRules, type RuleLists } from "./rule.ts";

type Outcome = Verdict | "person";

const READS = analyze("ls");

/** Rules, command, and what is said; the rows that differ are listed whole. */
function answers(rows: readonly (readonly [RuleLists, string, Outcome])[], options: { fallback?: Verdict } = {}): void {
  const wrong = rows.map(([lists, command, expected]) => ({
    lists,
    command,
    expected,
    found: verdict(lists, command, options),
  }))
    .filter(({ expected, found }) => expected !== found);
  assert.deepEqual(wrong, []);
}

function same(lists: RuleLists, expected: Outcome, commands: readonly string[], options: { fallback?: Verdict } = {}) {
  answers(commands.map((command) => [lists, command, expected] as const), options);
}

function decideCall(
  lists: RuleLists,
  call: { readonly tool: string; readonly args?: Record<string, unknown>; readonly readOnly?: boolean },
  more: { readonly facts?: CallFacts; readonly options?: Omit<PolicyOptions, "rules"> } = {},
): Verdict {
  const policy = createPolicy({ rules: readRules(lists, { source: "user config" }).rules, ...more.options });
  const request = { callId: "c1", tool: call.tool, readOnly: call.readOnly ?? false, args: call.args ?? {} };
  return policy.decide(request, more.facts).verdict;
}

Deno.test("deny stands before ask, ask before allow, allow before the fallback (proves PERM-01, PERM-19 to PERM-22)", () => {
  answers([
    [{ allow: ["Bash"], deny: ["Bash(rm -rf*)"] }, "rm -rf x", "deny"],
    [{ allow: ["Bash"], ask: ["Bash(git push:*)"] }, "git push", "ask"],
    [{ allow: ["Bash"], ask: ["Bash"], deny: ["Bash"] }, "make", "deny"],
    [{ allow: ["Bash"] }, "make", "allow"],
    [{}, "make", "ask"],
    [{}, "git status", "allow"],
    [{ ask: ["Bash"] }, "ls -la", "ask"],
    [{ deny: ["Bash()"] }, "ls", "deny"],
  ]);
  assert.equal(decideCall({}, { tool: "read_file", args: { path: "a" }, readOnly: true }), "allow");
  assert.equal(decideCall({}, { tool: "write_file", args: { path: "a" } }), "ask");
  assert.equal(decideCall({ ask: ["read_file"] }, { tool: "read_file", args: { path: "a" }, readOnly: true }), "ask");
});

Deno.test("mode says what becomes of writers that no rule speaks of (proves PERM-20)", () => {
  const outcome = (mode: Verdict, lists: RuleLists, fallback?: Verdict) =>
    decideCall(lists, { tool: "write_file", args: { path: "a" } }, {
      options: { mode },
      facts: fallback ? { fallback } : {},
    });
  assert.deepEqual(
    [outcome("ask", {}), outcome("allow", {}), outcome("deny", {}), outcome("deny", { allow: ["Edit"] })],
    ["ask", "allow", "deny", "allow"],
  );
  // A posture that lets writers pass does not turn a deny into a yes.
  assert.deepEqual([outcome("ask", {}, "allow"), outcome("deny", {}, "allow")], ["allow", "deny"]);
});

Deno.test("a prefix ends at a word, and covers no command it does not begin (proves PERM-07)", () => {
  const lists = { allow: ["Bash(go test:*)"] };
  same(lists, "allow", [
    "go test",
    "go test ./...",
    "go  test\t./...",
    "go test ./... 2>/dev/null",
    "go test ./... 2>&1",
  ]);
  same(lists, "ask", [
    "go testify",
    "go",
    "go test ./... && rm -rf tmp",
    "go test ./...; rm x",
    "go test ./... | tee log",
    "go test ./... || make",
    "go test ./... > log",
    "go test $X",
    "go test *",
    "X=1 go test",
    "go test <<E\nx\nE",
    "'go test' x",
    'go "test x"',
    "rm x; go test",
  ]);
  same(lists, "person", ["go test $(rm x)", "go test `rm x`", "go test <(x)", "go test )"]);
});

Deno.test("the old spelling of a prefix means the same, and a plain glob is a glob (proves PERM-08)", () => {
  answers([
    [{ allow: ["Bash(go test *)"] }, "go test", "allow"],
    [{ allow: ["Bash(go test *)"] }, "go test ./...", "allow"],
    [{ allow: ["Bash(go test *)"] }, "go testify", "ask"],
    [{ allow: ["Bash(make*)"] }, "makeall x", "allow"],
    [{ allow: ["Bash(npm run *:ci)"] }, "npm run lint:ci", "allow"],
    [{ allow: ["Bash(npm run *:ci)"] }, "npm run lint", "ask"],
    [{ allow: ["Bash(*)"] }, "make x && rm y", "allow"],
    [{ allow: ["Bash(*)"] }, "make $X", "ask"],
    [{ deny: ["Bash(cat *)"] }, "cat", "deny"],
    [{ deny: ["Bash(cat *)"] }, "cat x", "deny"],
  ]);
});

Deno.test("every part of a line needs an allow of its own, or only reads", () => {
  const lists = { allow: ["Bash(npm run:*)", "Bash(make x)"] };
  same(lists, "allow", [
    "npm run a && npm run b",
    "npm run a; make x",
    "cd src && npm run a | tail -5",
    "if npm run a; then make x; fi",
    "(npm run a) & make x",
    "timeout 9 npm run a",
  ]);
  same(lists, "ask", [
    "npm run a && make y",
    "npm run a | tee x",
    "sudo npm run a",
    "npm run a; X=1",
    "for i in 1; do rm x; done",
  ]);
});

Deno.test("what the shell computes is covered by the identical command alone (proves PERM-06, PERM-11, PERM-17)", () => {
  answers([
    [{ allow: ["Bash"] }, "echo $HOME", "ask"],
    [{ allow: ["Bash(echo:*)"] }, "echo $HOME", "ask"],
    [{ allow: ["Bash(echo *)"] }, "echo x > f", "ask"],
    [{ allow: ["Bash(echo $HOME)"] }, "echo $HOME", "ask"],
    [{ allow: ["Bash=echo $HOME"] }, "echo $HOME", "allow"],
    [{ allow: ["Bash=echo $HOME"] }, "echo $HOME ", "ask"],
    [{ allow: ["Bash"] }, "echo $(date)", "person"],
    [{ allow: ["Bash=echo $(date)"] }, "echo $(date)", "allow"],
    [{ allow: ["Bash=echo $(date)"] }, "echo $(date) ", "person"],
    [{ allow: ["Bash=bash -c 'ls'"] }, "bash -c 'ls'", "allow"],
    [{ allow: ["Bash=rm *"] }, "rm x", "ask"],
  ]);
});

Deno.test("where changes are allowed, dynamic commands run and nested ones need a person (proves PERM-13)", () => {
  same({}, "allow", ["make $X", "X=1 make", "make > log", "make *.o"], { fallback: "allow" });
  same({}, "person", ["bash -c 'ls'", "make $(x)", "$CMD", "eval x", "python3 -c x", "ls )"], { fallback: "allow" });
});

Deno.test("allow_dynamic_bash needs an allow fallback, and ask and deny stay ahead of it (proves PERM-18)", () => {
  const outcome = (lists: RuleLists, fallback?: Verdict) => {
    const { verdict, humanRequired } = decide(lists, "bash -c 'ls'", {
      allowDynamicBash: true,
      ...(fallback ? { fallback } : {}),
    });
    return [verdict, humanRequired ?? false];
  };
  assert.deepEqual(outcome({}, "allow"), ["allow", false]);
  assert.deepEqual(outcome({}), ["ask", true]);
  assert.deepEqual(outcome({ ask: ["Bash"] }, "allow"), ["ask", true]);
  assert.deepEqual(outcome({ deny: ["Bash(ls:*)"] }, "allow"), ["deny", false]);
  // A deny rule that cannot be ruled out is no ordinary fallback.
  assert.deepEqual(
    decide({ deny: ["Bash(rm:*)"] }, "$X -rf y", { allowDynamicBash: true, fallback: "allow" }).humanRequired,
    true,
  );
});

Deno.test("a deny rule sees a command in every place and spelling", () => {
  same({ deny: ["Bash(touch bad:*)"], allow: ["Bash"] }, "deny", [
    "touch bad",
    "touch bad x",
    "echo a && touch bad q",
    "echo a; touch bad q",
    "echo a | touch bad q",
    "  touch   bad q",
    "touch\tbad q",
    "FOO=1 touch bad q",
    "\\touch bad q",
    "'touch' bad q",
    "touch 'bad' q",
    "env touch bad q",
    "sudo touch bad q",
    "time touch bad q",
    "/usr/bin/touch bad q",
    "(touch bad q)",
    "{ touch bad q; }",
    "if true; then touch bad q; fi",
    "for i in 1; do touch bad q; done",
    "echo $(touch bad q)",
    "bash -c 'touch bad q'",
  ]);
  same({ deny: ["Bash(touch bad:*)"], allow: ["Bash"] }, "allow", ["touch badly", "touch xbad", "echo touch bad"]);
  same({ deny: ["Bash=touch exact"], allow: ["Bash"] }, "deny", ["touch exact", "touch exact; echo", "touch exact "]);
});

Deno.test("separators, control words and line ends hide nothing", () => {
  const lists = { allow: ["Bash(git:*)"], deny: ["Bash(rm:*)"] };
  same(lists, "deny", [
    "git status & rm -rf build",
    "git status\nrm -rf build",
    "git status\r\nrm -rf build",
    "if git status; then rm -rf build; fi",
    "for i in 1; do rm -rf build; done",
    "! rm -rf build",
    "f(){ rm -rf build; }; f",
    "git status || rm -rf build",
    "git status |& rm -rf build",
    "case x in x) rm -rf build;; esac",
  ]);
  same(lists, "allow", ["git status 2>&1", "git fetch 2>&1"]);
  // The shell takes a bare carriage return for a letter: no `rm` runs, and no rule covers what it is.
  same(lists, "ask", ["git fetch\rrm -rf build"]);
});

Deno.test("other spellings of a denied program are denied, or need a person", () => {
  const lists = { deny: ["Bash(rm:*)"] };
  same(lists, "deny", [
    "r''m -rf build",
    "\\rm -rf build",
    '"rm" -rf build',
    "/bin/rm -rf build",
    "../../bin/rm -rf build",
    "$'\\x72m' -rf build",
    "rm\t-rf build",
    "  rm -rf build",
    "busybox rm -rf build",
    "eval 'rm -rf build'",
    "bash -lc 'rm -rf build'",
    "sh <<<'rm -rf build'",
    "r\\\nm -rf build",
    "X=rm; $X -rf build",
    "((rm -rf build))",
  ], { fallback: "allow" });
  same(lists, "person", [
    "echo 'rm -rf build' | sh",
    "$CMD -rf build",
    "r${X}m -rf build",
    "r? -rf build",
    "$(echo rm) -rf build",
    "python3 -c 'import os'",
    "rm -rf build )(".slice(2),
  ], { fallback: "allow" });
});

Deno.test("a deny rule that a computed word may fit needs a person, and is said to be why", () => {
  const lists = { deny: ["Bash(git push:*)", "Bash(rm -rf*)"] };
  same(lists, "person", ["git $X origin", "git {push,--force}", "git p* x", "rm $FLAGS x", 'rm "$F"'], {
    fallback: "allow",
  });
  same(lists, "allow", ["git fetch $X", "rm -f $X", 'git commit -m "$MSG"', "make $X"], { fallback: "allow" });
  assert.deepEqual(decide(lists, "git $X", { fallback: "allow" }).why, {
    by: "rule",
    rule: "Bash(git push:*)",
    source: "user config",
    commandClass: "dynamic",
    text: "it may run what `deny Bash(git push:*)` forbids",
  });
});

Deno.test("what cannot be parsed is held by every deny rule (fails closed)", () => {
  const { verdict, humanRequired, mayBeDenied } = decide({ deny: ["Bash(rm:*)"], allow: ["Bash"] }, "ls )", {
    fallback: "allow",
  });
  assert.deepEqual({ verdict, humanRequired, mayBeDenied }, { verdict: "ask", humanRequired: true, mayBeDenied: true });
  assert.equal(decide({ deny: ["Bash(rm:*)"] }, "rm x; ls )").verdict, "deny");
  // Not even the analysis itself is there.
  const policy = createPolicy({ rules: [], mode: "allow" });
  const request = { callId: "c1", tool: "bash", readOnly: false, args: { command: "ls" } };
  assert.deepEqual(policy.decide(request).humanRequired, true);
});

Deno.test("letter case tells no programs apart where the file system does not", () => {
  const lists = { deny: ["Bash(rm:*)"], allow: ["Bash"] };
  assert.equal(decide(lists, "RM -rf x", { foldCase: true }).verdict, "deny");
  assert.equal(decide(lists, "RM -rf x").verdict, "allow");
});

Deno.test("an allowed substitution, redirect or here-document is data only when it is quoted", () => {
  const lists = { allow: ["Bash(git *)", "Bash(echo:*)", "Bash(ls:*)", "Bash(cat:*)"] };
  same(lists, "person", [
    "git log $(touch marker)",
    "git log `touch marker`",
    'git log "$(touch marker)"',
    "git diff <(touch marker)",
    "git log ${X:-$(touch marker)}",
    "cat <<EOF\n$(touch marker)\nEOF",
  ]);
  same(lists, "allow", [
    "git log '$(touch marker)'",
    "git log \\$\\(x\\)",
    'git commit -m "-> a > b"',
    "ls nope 2>/dev/null",
    "ls 2>&1",
    "ls > /dev/null",
    "cat <<'EOF'\n$(touch marker)\nEOF",
  ]);
  same(lists, "ask", ["echo x > ../out.txt", "echo x >> .git/hooks/pre-commit", "echo x > $F", "echo x | tee out.txt"]);
});

Deno.test("background work is more than reading", () => {
  const policy = createPolicy({ rules: [] });
  const outcome = (args: Record<string, unknown>) => {
    const analyzed = decide({}, "ls");
    assert.equal(analyzed.verdict, "allow");
    return policy.decide({ callId: "c1", tool: "bash", readOnly: false, args: { command: "ls", ...args } }, {
      shell: READS,
    }).verdict;
  };
  assert.deepEqual(
    [outcome({}), outcome({ run_in_background: true }), outcome({ preserve_background_processes: true })],
    ["allow", "ask", "ask"],
  );
});

Deno.test("a path is denied by its raw text, its place in the workspace and where it leads", () => {
  const forms = (relative: string | undefined, real: string): PathForms => ({
    absolute: `/ws/${relative}`,
    real,
    ...(relative === undefined ? {} : { relative }),
    ...(real.startsWith("/ws/") ? { realRelative: real.slice(4) } : {}),
  });
  const paths = new Map<string, PathForms>([
    ["secret/a", forms("secret/a", "/ws/secret/a")],
    ["./secret/a", forms("secret/a", "/ws/secret/a")],
    ["docs/../secret/a", forms("secret/a", "/ws/secret/a")],
    ["/ws/secret/a", forms("secret/a", "/ws/secret/a")],
    ["docs/link/a", forms("docs/link/a", "/ws/secret/a")],
    ["out/a", forms("out/a", "/etc/a")],
    ["docs/a", forms("docs/a", "/ws/docs/a")],
    ["SECRET/a", forms("SECRET/a", "/ws/SECRET/a")],
  ]);
  const outcome = (lists: RuleLists, path: string, options = {}) =>
    decideCall(lists, { tool: "write_file", args: { path } }, { facts: { paths }, options });
  const deny = { deny: ["Edit(secret/**)", "Edit(/etc/*)"], allow: ["Edit"] };
  assert.deepEqual(
    [...paths.keys()].map((path) => [path, outcome(deny, path)]),
    [
      ["secret/a", "deny"],
      ["./secret/a", "deny"],
      ["docs/../secret/a", "deny"],
      ["/ws/secret/a", "deny"],
      ["docs/link/a", "deny"],
      ["out/a", "deny"],
      ["docs/a", "allow"],
      ["SECRET/a", "allow"],
    ],
  );
  assert.equal(outcome(deny, "SECRET/a", { foldCase: true }), "deny");
  // An allow rule needs the text as given and the place it leads to.
  const allow = { allow: ["Edit(docs/**)"] };
  assert.deepEqual(
    ["docs/a", "docs/../secret/a", "docs/link/a", "./docs/a"].map((path) => outcome(allow, path)),
    ["allow", "ask", "ask", "ask"],
  );
});

Deno.test("both ends of a move count: one denied is denied, one asked is asked, both must be allowed", () => {
  const outcome = (lists: RuleLists, from: string, to: string) =>
    decideCall(lists, { tool: "move_file", args: { source_path: from, destination_path: to } });
  assert.deepEqual([
    outcome({ deny: ["Edit(secret/**)"], allow: ["Edit"] }, "a", "secret/m"),
    outcome({ deny: ["Edit(secret/**)"], allow: ["Edit"] }, "secret/m", "a"),
    outcome({ ask: ["Edit(secret/**)"], allow: ["Edit"] }, "a", "secret/m"),
    outcome({ allow: ["Edit(docs/**)"] }, "docs/a", "docs/b"),
    outcome({ allow: ["Edit(docs/**)"] }, "docs/a", "b"),
    outcome({ allow: ["Edit(docs/**)", "Edit(b)"] }, "docs/a", "b"),
  ], ["deny", "deny", "ask", "allow", "ask", "allow"]);
});

Deno.test("a second path among the arguments does not hide the first", () => {
  const deny = { deny: ["Edit(secret/**)"], allow: ["Edit"] };
  assert.equal(decideCall(deny, { tool: "write_file", args: { file_path: "a", path: "secret/b" } }), "deny");
});

Deno.test("a call without a subject matches bare rules alone (proves PERM-09, PERM-10)", () => {
  const call = (args: Record<string, unknown>) => ({ tool: "web_fetch", args });
  assert.deepEqual([
    decideCall({ deny: ["web_fetch"] }, call({ url: "x" })),
    decideCall({ deny: ["web_fetch(x)"] }, call({ url: "x" })),
    decideCall({ deny: ["web_fetch(*)"] }, call({ path: 5 })),
    decideCall({ deny: ["grep(x)"] }, { tool: "grep", args: { pattern: "x" } }),
    decideCall({ deny: ["grep(src)"] }, { tool: "grep", args: { pattern: "x", path: "src" } }),
    decideCall({ allow: ["write_file(a)"] }, { tool: "write_file", args: { content: "a" } }),
  ], ["deny", "ask", "ask", "deny", "deny", "ask"]);
});

Deno.test("tools of installed servers need no rule, and a deny rule stops them (proves PERM-32, PERM-33)", () => {
  const tool = "mcp__github__create_issue";
  assert.equal(decideCall({}, { tool }), "allow");
  assert.equal(decideCall({}, { tool }, { options: { mode: "deny" } }), "allow");
  assert.equal(decideCall({ deny: [tool] }, { tool }), "deny");
  assert.equal(decideCall({ ask: [tool] }, { tool }), "ask");
  assert.equal(decideCall({ deny: ["mcp__github__*"] }, { tool }), "allow");
  assert.equal(decideCall({}, { tool: "mcp_connect__github" }), "allow");
});

Deno.test("deny and ask rules see the call that use_capability carries", () => {
  const carry = (capability_id: string, args: Record<string, unknown> = {}) => ({
    tool: "use_capability",
    args: { action: "call", capability_id, arguments: args },
    readOnly: true,
  });
  const deny = { deny: ["Edit(secret/**)", "mcp__github__create_issue", "mcp_connect__github"] };
  assert.deepEqual([
    decideCall(deny, carry("tool:move_file", { source_path: "a", destination_path: "secret/m" })),
    decideCall(deny, carry("mcp-tool:github/create_issue")),
    decideCall(deny, carry("mcp-server:github")),
    decideCall(deny, carry("tool:move_file", { source_path: "a", destination_path: "b" })),
  ], ["deny", "deny", "deny", "allow"]);
});

Deno.test("the same question has the same answer: the policy keeps nothing (proves PERM-02)", () => {
  const lists = { allow: ["Bash(make:*)"], deny: ["Bash(rm:*)"] };
  const policy = createPolicy({ rules: readRules(lists, { source: "t" }).rules });
  const request = Object.freeze({
    callId: "c1",
    tool: "bash",
    readOnly: false,
    args: Object.freeze({ command: "ls" }),
  });
  const first = policy.decide(request, { shell: READS });
  policy.decide({ ...request, args: { command: "rm x" } }, {});
  assert.deepEqual(policy.decide(request, { shell: READS }), first);
});

Deno.test("a question without a rule says what stands in the way", () => {
  assert.deepEqual(
    ["make", "make > log", "make $(x)"].map((command) => decide({}, command).why.text),
    [
      "no rule allows it",
      "no rule allows exactly this, and with a redirect to or from a file no other rule can",
      "only a person can judge it: command substitution",
    ],
  );
});
