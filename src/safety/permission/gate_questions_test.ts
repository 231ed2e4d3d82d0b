import assert from "node:assert/strict";
import type { ApprovalAnswer, ApprovalRequest, Approver, ToolRequest } from "../../contract/decision.ts";
import { bash, gate, messageOf, NEVER, outcome, Person, write } from "../../../tests/support/permissions.ts";

Deno.test("the question shows what runs, why it is asked, and the exact rule of each answer (proves PERM-12, PERM-23)", async () => {
  const person = new Person("once");
  const asks = gate({
    approver: person,
    lists: { ask: ["Bash(git push:*)"] },
    persist: () => Promise.resolve(),
    preview: ({ tool }) => Promise.resolve(tool === "write_file" ? { text: "+ new" } : undefined),
  });
  const move: ToolRequest = {
    callId: "c9",
    tool: "move_file",
    readOnly: false,
    args: { source_path: "a", destination_path: "b" },
  };
  const fetched: ToolRequest = {
    callId: "c1",
    tool: "web_fetch",
    readOnly: false,
    args: { url: "https://example.com" },
  };
  for (
    const request of [
      bash("npm run build --watch"),
      bash("git push --force"),
      bash("cat > f <<'E'\none\nE"),
      bash("echo 'a*' | tee x"),
      write("src/a.ts"),
      write("src/[a]*.ts"),
      move,
      fetched,
    ]
  ) await asks.check(request, NEVER);
  const noRule = { by: "fallback", commandClass: "static", text: "no rule allows it" };
  assert.deepEqual(person.asked.map(({ id: _, ...rest }) => rest), [
    {
      callId: "c1",
      tool: "bash",
      subject: "npm run build --watch",
      why: noRule,
      sessionRule: "Bash(npm run build --watch)",
      alwaysRule: "Bash(npm run build --watch)",
      prefixRule: "Bash(npm run build:*)",
    },
    {
      callId: "c1",
      tool: "bash",
      subject: "git push --force",
      why: {
        by: "rule",
        rule: "Bash(git push:*)",
        source: "user config",
        commandClass: "static",
        text: "the rule asks first",
      },
      sessionRule: "Bash(git push --force)",
      alwaysRule: "Bash(git push --force)",
      danger: "overwrites the history of the remote",
    },
    {
      callId: "c1",
      tool: "bash",
      subject: "cat > f <<'E'\none\nE",
      why: {
        by: "fallback",
        commandClass: "dynamic",
        text: "no rule allows exactly this, and with a redirect to or from a file no other rule can",
      },
      sessionRule: "Bash=cat > f <<'E'\none\nE",
      alwaysRule: "Bash=cat > f <<'E'\none\nE",
      heredoc: "one\n",
    },
    {
      callId: "c1",
      tool: "bash",
      subject: "echo 'a*' | tee x",
      why: noRule,
      sessionRule: "Bash=echo 'a*' | tee x",
      alwaysRule: "Bash=echo 'a*' | tee x",
    },
    {
      callId: "c1",
      tool: "write_file",
      subject: "src/a.ts",
      why: { by: "fallback", text: "no rule allows it" },
      diff: "+ new",
      sessionRule: "Edit",
      alwaysRule: "Edit(src/a.ts)",
    },
    {
      callId: "c1",
      tool: "write_file",
      subject: "src/[a]*.ts",
      why: { by: "fallback", text: "no rule allows it" },
      diff: "+ new",
      sessionRule: "Edit",
      alwaysRule: "Edit=src/[a]*.ts",
    },
    {
      callId: "c9",
      tool: "move_file",
      subject: "a → b",
      why: { by: "fallback", text: "no rule allows it" },
      sessionRule: "Edit",
      alwaysRule: "Edit(a), Edit(b)",
    },
    {
      callId: "c1",
      tool: "web_fetch",
      subject: '{"url":"https://example.com"}',
      why: { by: "fallback", text: "no rule allows it" },
      sessionRule: "web_fetch",
      alwaysRule: "web_fetch",
    },
  ]);
  assert.equal(new Set(person.asked.map(({ id }) => id)).size, person.asked.length);
});

Deno.test("an answer for the session holds for its scope, before ask rules and behind deny rules (proves PERM-25)", async () => {
  const person = new Person("session", "deny");
  const asks = gate({ approver: person, lists: { ask: ["Bash", "Edit"], deny: ["Bash(rm:*)", "Edit(secret/**)"] } });
  const check = async (request: ToolRequest) => outcome(await asks.check(request, NEVER));
  assert.equal(await check(bash("make x")), "runs");
  assert.equal(await check(bash("make x")), "runs");
  assert.equal(await check(bash("make y")), "declined");
  assert.equal(await check(bash("make x; rm y")), "deny_rule");
  // The reader beside it is what the ask rule speaks of, too.
  assert.equal(await check(bash("make x; ls")), "declined");

  const edits = gate({ approver: new Person("session", "deny"), lists: { deny: ["Edit(secret/**)"] } });
  assert.equal(outcome(await edits.check(write("a"), NEVER)), "runs");
  assert.equal(outcome(await edits.check(write("b", "delete_symbol"), NEVER)), "runs");
  assert.equal(outcome(await edits.check(write("secret/b"), NEVER)), "deny_rule");
  assert.deepEqual(edits.grants.rules.map(({ text }) => text), ["Edit"]);
});

Deno.test("a nested command is asked once and then never again, while one letter makes it another (proves PERM-17)", async () => {
  const saved: string[][] = [];
  const person = new Person("always", "deny");
  const asks = gate({ approver: person, persist: (rules) => Promise.resolve(void saved.push([...rules])) });
  const commit = "git commit -m \"$(cat <<'EOF'\nfix: y\nEOF\n)\"";
  assert.equal(outcome(await asks.check(bash(commit), NEVER)), "runs");
  assert.equal(outcome(await asks.check(bash(commit), NEVER)), "runs");
  assert.equal(outcome(await asks.check(bash(commit.replace("y", "z")), NEVER)), "declined");
  assert.deepEqual(saved, [[`Bash=${commit}`]]);
  // The saved text means the same when it is read back.
  const later = gate({ lists: { allow: saved[0]! } });
  assert.equal(outcome(await later.check(bash(commit), NEVER)), "runs");
});

Deno.test("a prefix is granted only when it was offered and chosen (proves PERM-24)", async () => {
  const person = new Person("session_prefix", "deny");
  const asks = gate({ approver: person });
  assert.equal(outcome(await asks.check(bash("npm run build a"), NEVER)), "runs");
  assert.equal(outcome(await asks.check(bash("npm run build b"), NEVER)), "runs");
  assert.equal(outcome(await asks.check(bash("npm run built"), NEVER)), "declined");
  assert.equal(outcome(await asks.check(bash("npm run build c && make"), NEVER)), "declined");
  // An answer that was not offered grants nothing beyond the call.
  const dangerous = gate({ approver: new Person("session_prefix", "deny") });
  assert.equal(outcome(await dangerous.check(bash("rm -rf x"), NEVER)), "runs");
  assert.equal(outcome(await dangerous.check(bash("rm -rf x"), NEVER)), "declined");
});

Deno.test("what is kept for good is the path for edits (proves PERM-26)", async () => {
  const saved: string[][] = [];
  const asks = gate({
    approver: new Person("always"),
    persist: (rules) => Promise.resolve(void saved.push([...rules])),
  });
  await asks.check(write("src/a.ts"), NEVER);
  await asks.check({
    callId: "c2",
    tool: "move_file",
    readOnly: false,
    args: { source_path: "x", destination_path: "y" },
  }, NEVER);
  assert.deepEqual(saved, [["Edit(src/a.ts)"], ["Edit(x)", "Edit(y)"]]);
});

Deno.test("a rule that cannot be saved does not refuse the call it was given for", async () => {
  const asks = gate({ approver: new Person("always", "deny"), persist: () => Promise.reject(new Error("disk full")) });
  const first = await asks.check(bash("make"), NEVER);
  assert.deepEqual([outcome(first), first.why.text], [
    "runs",
    "you allowed it for this session; the rule was not saved: disk full",
  ]);
  assert.equal(outcome(await asks.check(bash("make"), NEVER)), "runs");
});

Deno.test("two identical calls at once are one question; different ones are asked one after the other", async () => {
  for (const answer of ["once", "deny", "session"] as const) {
    const open = Promise.withResolvers<ApprovalAnswer>();
    const asked: string[] = [];
    const asks = gate({ approver: { request: (approval) => (asked.push(approval.subject), open.promise) } });
    const both = [asks.check(bash("make"), NEVER), asks.check(bash("make"), NEVER)];
    const other = asks.check(bash("make y"), NEVER);
    open.resolve(answer);
    const expected = answer === "deny" ? "declined" : "runs";
    assert.deepEqual((await Promise.all(both)).map(outcome), [expected, expected]);
    await other;
    assert.deepEqual(asked, ["make", "make y"]);
  }
});

Deno.test("a grant for the session answers the questions that wait behind it", async () => {
  const person = new Person("session");
  const asks = gate({ approver: person });
  const answers = await Promise.all(["a", "b", "c"].map((path) => asks.check(write(path), NEVER)));
  assert.deepEqual([answers.map(outcome), person.asked.length], [["runs", "runs", "runs"], 1]);
});

/** A person who answers the first question when told to, and every later one with `once`. */
function slowPerson() {
  const asked: string[] = [];
  const shown = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<ApprovalAnswer>();
  const approver: Approver = {
    request: ({ subject }) => {
      asked.push(subject);
      shown.resolve();
      return asked.length === 1 ? answer.promise : Promise.resolve("once");
    },
  };
  return { asked, shown: shown.promise, answer: answer.resolve, approver };
}

Deno.test("a posture chosen while a question waits answers it", async () => {
  const person = slowPerson();
  const asks = gate({ approver: person.approver });
  const first = asks.check(bash("make a"), NEVER);
  const second = asks.check(bash("make b"), NEVER);
  await person.shown;
  asks.setPosture("auto");
  person.answer("deny");
  assert.deepEqual([outcome(await first), outcome(await second), person.asked], ["declined", "runs", ["make a"]]);
});

Deno.test("stopping the turn ends every waiting question and frees the next", async () => {
  const controller = new AbortController();
  const person = slowPerson();
  const asks = gate({ approver: person.approver });
  const stopped = [asks.check(bash("make a"), controller.signal), asks.check(bash("make b"), controller.signal)];
  const next = asks.check(bash("make c"), NEVER);
  await person.shown;
  controller.abort();
  for (const check of stopped) await assert.rejects(check, { name: "AbortError" });
  assert.equal(outcome(await next), "runs");
  assert.deepEqual(person.asked, ["make a", "make c"]);
  await assert.rejects(asks.check(bash("ls"), controller.signal), { name: "AbortError" });
});

Deno.test("a hook and the guardian answer ordinary questions and no human-required one (proves PERM-16)", async () => {
  const seen: string[] = [];
  const reviewer = (by: "hook" | "guardian", headless: boolean, verdict?: "allow" | "deny") => ({
    by,
    headless,
    review: (approval: ApprovalRequest) => (seen.push(`${by}:${approval.subject}`), Promise.resolve(verdict)),
  });
  const person = new Person("once");
  const asks = gate({ approver: person, reviewers: [reviewer("hook", false), reviewer("guardian", true, "allow")] });
  assert.deepEqual((await asks.check(bash("make"), NEVER)).why, {
    by: "guardian",
    commandClass: "static",
    text: "the guardian answered",
  });
  await asks.check(bash("make $(x)"), NEVER);
  assert.deepEqual([seen, person.asked.map(({ subject }) => subject)], [["hook:make", "guardian:make"], ["make $(x)"]]);
  // Without a person the hook is not asked, the guardian is; an opinion withheld is a no.
  seen.length = 0;
  const headless = gate({ reviewers: [reviewer("hook", false, "allow"), reviewer("guardian", true)] });
  assert.equal(outcome(await headless.check(bash("make"), NEVER)), "unattended");
  assert.deepEqual(seen, ["guardian:make"]);
  const crashing = gate({
    approver: person,
    reviewers: [{ by: "hook", headless: true, review: () => Promise.reject(new Error("x")) }],
  });
  assert.equal(outcome(await crashing.check(bash("make"), NEVER)), "runs");
});

Deno.test("grants can be listed, taken back and carried on", async () => {
  const first = gate({ approver: new Person("session") });
  await first.check(bash("make x"), NEVER);
  const next = gate({ grants: first.grants });
  assert.equal(outcome(await next.check(bash("make x"), NEVER)), "runs");
  assert.deepEqual([next.grants.revoke("Bash(make x)"), next.grants.revoke("Bash(make x)")], [true, false]);
  assert.equal(outcome(await next.check(bash("make x"), NEVER)), "unattended");
});

Deno.test("a question about a command that goes on in the background says so", async () => {
  const person = new Person("once");
  const asks = gate({ approver: person });
  const request = bash("make serve");
  await asks.check({ ...request, args: { ...request.args, run_in_background: true } }, NEVER);
  await asks.check(request, NEVER);
  assert.deepEqual(person.asked.map(({ background }) => background), [true, undefined]);
});

Deno.test("a call that can do nothing is no question: its failure is the answer, whatever would have been allowed", async () => {
  const person = new Person("once");
  const failing = gate({ approver: person, preview: () => Promise.resolve({ failure: "old_string was not found" }) });
  const answer = await failing.check(write("src/a.ts"), NEVER);
  assert.deepEqual([outcome(answer), messageOf(answer), person.asked], ["fails", "old_string was not found", []]);
  const denied = gate({
    approver: person,
    lists: { deny: ["Edit"] },
    preview: () => Promise.resolve({ failure: "old_string was not found" }),
  });
  assert.equal(outcome(await denied.check(write("src/a.ts"), NEVER)), "deny_rule");
});
