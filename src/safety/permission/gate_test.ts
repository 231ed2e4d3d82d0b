import assert from "node:assert/strict";
import type {
  ApprovalAnswer,
  ApprovalRequest,
  Approver,
  GateAnswer,
  Posture,
  ToolRequest,
} from "../../contract/decision.ts";
import { createGate, type GateOptions } from "./gate.ts";
import { createPolicy, type PolicyOptions } from "./policy.ts";
import { readRules, type RuleLists } from "./rule.ts";

const NEVER = new AbortController().signal;

/** A person with prepared answers; the last one is given again. Keeps what was asked. */
class Person implements Approver {
  readonly asked: ApprovalRequest[] = [];
  readonly #answers: ApprovalAnswer[];
  constructor(...answers: ApprovalAnswer[]) {
    this.#answers = answers;
  }
  request(approval: ApprovalRequest): Promise<ApprovalAnswer> {
    this.asked.push(approval);
    return Promise.resolve(this.#answers.length > 1 ? this.#answers.shift()! : this.#answers[0]!);
  }
}

interface Setup extends Partial<GateOptions> {
  readonly lists?: RuleLists;
  readonly options?: Omit<PolicyOptions, "rules">;
}

function gate({ lists = {}, options, ...rest }: Setup = {}) {
  const policy = createPolicy({ rules: readRules(lists, { source: "user config" }).rules, ...options });
  return createGate({ policy, posture: "ask", ...rest });
}

function bash(command: string, more: Record<string, unknown> = {}): ToolRequest {
  return { callId: "c1", tool: "bash", readOnly: false, args: { command, ...more } };
}

function write(path: string, tool = "write_file"): ToolRequest {
  return { callId: "c1", tool, readOnly: false, args: { path } };
}

const READ: ToolRequest = { callId: "c1", tool: "read_file", readOnly: true, args: { path: "a" } };

function outcome(answer: GateAnswer): string {
  return answer.allowed ? "runs" : answer.code.replace("permission.", "");
}

async function outcomes(setup: Setup, requests: readonly ToolRequest[]): Promise<readonly string[]> {
  const answers = [];
  for (const request of requests) answers.push(outcome(await gate(setup).check(request, NEVER)));
  return answers;
}

Deno.test("headless, each posture answers each kind of call as its row says (proves PERM-27 to PERM-31)", async () => {
  const lists = { ask: ["Bash(git push:*)"], deny: ["Bash(rm:*)"], allow: ["Bash(npm test:*)", "Edit(docs/**)"] };
  const requests = [
    READ,
    bash("git status"),
    bash("npm test"),
    bash("make"),
    bash("make $X"),
    bash("bash -c 'ls'"),
    bash("git push"),
    bash("rm x"),
    write("docs/a"),
    write("src/a"),
  ];
  const table: Record<Posture, readonly string[]> = {
    ask: [],
    auto: [],
    yolo: [],
    accept_edits: [],
    dont_ask: [],
    read_only: [],
  };
  for (const posture of Object.keys(table) as Posture[]) table[posture] = await outcomes({ lists, posture }, requests);
  const no = "unattended";
  const readOnly = "read_only";
  assert.deepEqual(table, {
    ask: ["runs", "runs", "runs", no, no, no, no, "deny_rule", "runs", no],
    auto: ["runs", "runs", "runs", "runs", "runs", no, no, "deny_rule", "runs", "runs"],
    yolo: ["runs", "runs", "runs", "runs", "runs", "runs", "runs", "deny_rule", "runs", "runs"],
    accept_edits: ["runs", "runs", "runs", no, no, no, no, "deny_rule", "runs", "runs"],
    dont_ask: ["runs", "runs", "runs", no, no, no, no, "deny_rule", "runs", no],
    read_only: ["runs", "runs", readOnly, readOnly, readOnly, readOnly, readOnly, "deny_rule", readOnly, readOnly],
  });
});

Deno.test("with a person, each posture asks where its row says so (proves PERM-41, PERM-43)", async () => {
  const lists = { ask: ["Bash(git push:*)"], allow: ["Bash(npm test:*)"] };
  const requests = [
    bash("git status"),
    bash("npm test"),
    bash("make"),
    bash("bash -c ls"),
    bash("git push"),
    write("a"),
  ];
  const asked: Record<string, readonly boolean[]> = {};
  for (const posture of ["ask", "auto", "yolo", "accept_edits", "dont_ask", "read_only"] as const) {
    const row: boolean[] = [];
    for (const request of requests) {
      const person = new Person("once");
      await gate({ lists, posture, approver: person }).check(request, NEVER);
      row.push(person.asked.length > 0);
    }
    asked[posture] = row;
  }
  assert.deepEqual(asked, {
    ask: [false, false, true, true, true, true],
    auto: [false, false, false, true, true, false],
    yolo: [false, false, false, false, false, false],
    accept_edits: [false, false, true, true, true, false],
    dont_ask: [false, false, false, false, false, false],
    read_only: [false, false, false, false, false, false],
  });
});

Deno.test("an ask rule for edits still asks where edits are accepted", async () => {
  const person = new Person("deny");
  const answer = await gate({ lists: { ask: ["Edit"] }, posture: "accept_edits", approver: person }).check(
    write("a"),
    NEVER,
  );
  assert.deepEqual([outcome(answer), person.asked.length], ["declined", 1]);
});

Deno.test("a refusal says which rule, what happened and what may be done", async () => {
  const check = (setup: Setup, request: ToolRequest) => gate(setup).check(request, NEVER);
  const read = async (answer: Promise<GateAnswer>) => {
    const refused = await answer;
    assert.equal(refused.allowed, false);
    if (refused.allowed) throw new Error("unreachable");
    const { code, message, remedy } = refused;
    return { code, message, ...(remedy ? { remedy } : {}) };
  };
  assert.deepEqual(await read(check({ lists: { deny: ["Bash(rm:*)"] } }, bash("rm x"))), {
    code: "permission.deny_rule",
    message:
      "Matched permission rule: deny Bash(rm:*). The permission policy denied this call (rule from user config). It was not run.",
  });
  assert.deepEqual(await read(check({ approver: new Person("deny") }, bash("make"))), {
    code: "permission.declined",
    message: "The user declined this call. Do not retry it; ask the user how to proceed.",
  });
  assert.deepEqual(await read(check({}, bash("make x"))), {
    code: "permission.unattended",
    message: "bash needs approval and nobody is there to give it (no rule allows it). It was not run.",
    remedy:
      "Allow exactly this with `Bash(make x)` in permissions.allow, or run with --auto to allow ordinary changes.",
  });
  assert.deepEqual(await read(check({ posture: "auto" }, bash("bash -c 'ls'"))), {
    code: "permission.unattended",
    message:
      "bash needs approval and nobody is there to give it (only a person can judge it: a command line inside a string). It was not run.",
    remedy: "Allow exactly this with `Bash=bash -c 'ls'` in permissions.allow.",
  });
  assert.deepEqual(await read(check({ lists: { ask: ["Bash(git push:*)"] }, posture: "auto" }, bash("git push"))), {
    code: "permission.unattended",
    message:
      "bash needs approval and nobody is there to give it (the rule `Bash(git push:*)` (user config): the rule asks first). It was not run.",
  });
  assert.deepEqual(await read(check({ posture: "read_only" }, write("a"))), {
    code: "permission.read_only",
    message: "The session is read-only: write_file was not run, whatever the allow rules say.",
    remedy: "Start with another --permission-mode to let it change things.",
  });
  assert.deepEqual(await read(check({ untrustedFolder: "/home/me/my repo" }, write("a"))), {
    code: "permission.untrusted_folder",
    message: "write_file needs approval and nobody is there to give it (no rule allows it). It was not run.",
    remedy: "Trust the folder with `reasonix trust --dir '/home/me/my repo'`, or run with --auto.",
  });
  assert.deepEqual(await read(check({ options: { mode: "deny" }, posture: "yolo" }, bash("make"))), {
    code: "permission.deny_rule",
    message:
      "The permission policy denied this call: permissions.mode is `deny` and no rule allows it. It was not run.",
  });
});

Deno.test("trust is offered where it would help: not for nested commands, ask rules or a named posture", async () => {
  const untrustedFolder = "/ws";
  assert.deepEqual(await outcomes({ untrustedFolder }, [bash("make"), bash("make $(x)")]), [
    "untrusted_folder",
    "unattended",
  ]);
  assert.deepEqual(await outcomes({ untrustedFolder, posture: "auto" }, [bash("make"), bash("bash -c ls")]), [
    "runs",
    "unattended",
  ]);
  assert.deepEqual(await outcomes({ untrustedFolder, lists: { ask: ["Bash"] } }, [bash("make")]), ["unattended"]);
});

Deno.test("the question shows what runs, why it is asked, and the exact rule of each answer (proves PERM-12, PERM-23)", async () => {
  const person = new Person("once");
  const asks = gate({
    approver: person,
    lists: { ask: ["Bash(git push:*)"] },
    persist: () => Promise.resolve(),
    preview: ({ tool }) => Promise.resolve(tool === "write_file" ? "+ new" : undefined),
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

Deno.test("a check that fails has answered no, and the next one is tried afresh", async () => {
  const broken = createGate({
    policy: {
      rules: [],
      decide: () => {
        throw new Error("bug");
      },
    },
    posture: "yolo",
  });
  const answer = await broken.check(bash("ls"), NEVER);
  assert.deepEqual([outcome(answer), answer.allowed ? "" : answer.message], [
    "unattended",
    "The permission check failed (bug); a check that fails has answered no. It was not run.",
  ]);
  let loads = 0;
  const flaky = gate({
    loadAnalyze: async (shell) => {
      if (loads++ === 0) throw new Error("no parser");
      return await (await import("../shell/load.ts")).loadAnalyze(shell);
    },
  });
  assert.deepEqual([outcome(await flaky.check(bash("ls"), NEVER)), outcome(await flaky.check(bash("ls"), NEVER))], [
    "unattended",
    "runs",
  ]);
  const failing = (error: unknown) => gate({ approver: { request: () => Promise.reject(error) } });
  assert.equal(outcome(await failing(new Error("gone")).check(bash("make"), NEVER)), "unattended");
  assert.equal(outcome(await failing(new DOMException("left", "AbortError")).check(bash("make"), NEVER)), "parked");
});

Deno.test("the parser is loaded at the first command, once, and for no other tool", async () => {
  let loads = 0;
  const { loadAnalyze } = await import("../shell/load.ts");
  const lazy = gate({ loadAnalyze: (shell) => (loads++, loadAnalyze(shell)) });
  await lazy.check(READ, NEVER);
  assert.equal(loads, 0);
  await Promise.all([lazy.check(bash("ls"), NEVER), lazy.check(bash("pwd"), NEVER)]);
  assert.equal(loads, 1);
});

Deno.test("a child asks nobody, shares the grants of its parent and follows its posture (proves PERM-27)", async () => {
  const person = new Person("session_prefix");
  const parent = gate({ approver: person });
  const child = parent.forChild();
  assert.equal(outcome(await child.check(bash("npm run build"), NEVER)), "unattended");
  await parent.check(bash("npm run build"), NEVER);
  assert.equal(outcome(await child.check(bash("npm run build x"), NEVER)), "runs");
  const refused = await child.check(bash("curl http://127.0.0.1:9"), NEVER);
  assert.equal(
    refused.allowed ? "" : refused.message,
    "bash needs approval and a sub-agent cannot ask (no rule allows it). It was not run.",
  );
  assert.equal(person.asked.length, 1);
  parent.setPosture("auto");
  assert.deepEqual([child.posture, outcome(await child.check(bash("curl x"), NEVER))], ["auto", "runs"]);
});

Deno.test("the window of an approved plan lets its writers run and answers nothing else (proves PERM-16)", async () => {
  const person = new Person("deny");
  const asks = gate({ approver: person, lists: { ask: ["Bash(git push:*)"], deny: ["Bash(rm:*)"] } });
  asks.setPlanWindow(true);
  const check = async (command: string) => outcome(await asks.check(bash(command), NEVER));
  assert.deepEqual(
    [await check("make"), await check("git push"), await check("make $(x)"), await check("rm x")],
    ["runs", "declined", "declined", "deny_rule"],
  );
  asks.setPlanWindow(false);
  assert.equal(await check("make"), "declined");
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

Deno.test("a write to a managed file needs a fresh answer in every posture, whatever was granted", async () => {
  const pathForms = (path: string) => {
    const absolute = path.startsWith("/") ? path : `/ws/${path}`;
    return Promise.resolve({ absolute, real: absolute.replace("/ws/link", "/ws/.git") });
  };
  const reviewReason = (path: string) =>
    path.includes("/.git/") || path === "/home/me/.bashrc" ? "git runs it" : undefined;
  const managed = { pathForms, reviewReason, userHome: "/home/me" };
  const requests = [
    write(".git/hooks/pre-commit"),
    write("link/config"),
    bash("printf x >> .git/hooks/pre-commit"),
    bash("git config core.hooksPath h"),
    bash("echo x >> ~/.bashrc"),
  ];
  for (const posture of ["ask", "auto", "yolo", "accept_edits", "dont_ask"] as const) {
    assert.deepEqual(
      await outcomes({ ...managed, posture, lists: { allow: ["Bash", "Edit"] } }, requests),
      requests.map(() => "unattended"),
      posture,
    );
  }
  const person = new Person("session");
  const asks = gate({ ...managed, posture: "yolo", approver: person, persist: () => Promise.resolve() });
  for (const request of [...requests, ...requests]) assert.equal(outcome(await asks.check(request, NEVER)), "runs");
  assert.equal(person.asked.length, 2 * requests.length);
  const { id: _, ...first } = person.asked[0]!;
  assert.deepEqual(first, {
    callId: "c1",
    tool: "write_file",
    subject: ".git/hooks/pre-commit",
    why: { by: "review", text: "git runs it" },
  });
  const refused = await gate({ ...managed, posture: "auto" }).check(requests[0]!, NEVER);
  assert.equal(
    refused.allowed ? "" : refused.message,
    "write_file needs fresh human approval (git runs it), and nobody is there to give it. It was not run.",
  );
  // Reading them needs no answer.
  assert.deepEqual(await outcomes(managed, [bash("cat .git/config"), { ...READ, args: { path: ".git/config" } }]), [
    "runs",
    "runs",
  ]);
});

Deno.test("a call can be reviewed for what it is", async () => {
  const reviewCall = ({ tool }: ToolRequest) => tool === "forget" ? "memory is the person's" : undefined;
  const forget: ToolRequest = { callId: "c1", tool: "forget", readOnly: false, args: {} };
  assert.deepEqual(await outcomes({ reviewCall, posture: "yolo", lists: { allow: ["forget"] } }, [forget]), [
    "unattended",
  ]);
  assert.deepEqual(await outcomes({ reviewCall, posture: "yolo", approver: new Person("once") }, [forget]), ["runs"]);
});

Deno.test("where questions are skipped, a deny rule that cannot be ruled out is still asked about", async () => {
  const lists = { deny: ["Bash(rm:*)"] };
  const requests = [bash("$X -rf y"), bash("ls )"), bash("make $X"), bash("make $(y)")];
  assert.deepEqual(await outcomes({ lists, posture: "yolo" }, requests), ["unattended", "unattended", "runs", "runs"]);
  assert.deepEqual(await outcomes({ lists, posture: "yolo", approver: new Person("once") }, requests), [
    "runs",
    "runs",
    "runs",
    "runs",
  ]);
});

Deno.test("grants can be listed, taken back and carried on", async () => {
  const first = gate({ approver: new Person("session") });
  await first.check(bash("make x"), NEVER);
  const next = gate({ grants: first.grants });
  assert.equal(outcome(await next.check(bash("make x"), NEVER)), "runs");
  assert.deepEqual([next.grants.revoke("Bash(make x)"), next.grants.revoke("Bash(make x)")], [true, false]);
  assert.equal(outcome(await next.check(bash("make x"), NEVER)), "unattended");
});

Deno.test("git's readers are asked about where the repository makes git start programs", async () => {
  const folders: string[] = [];
  const gitHazard = (folder: string) => {
    folders.push(folder);
    return Promise.resolve(folder.startsWith("evil") ? "evil/.git/config sets core.fsmonitor" : undefined);
  };
  const requests = [
    "git status",
    "git -C evil status",
    "cd evil && git log",
    "ls evil",
    "npm test && git -C evil diff",
  ];
  assert.deepEqual(
    await outcomes({ gitHazard, lists: { allow: ["Bash(npm test:*)"] } }, requests.map((command) => bash(command))),
    ["runs", "unattended", "unattended", "runs", "unattended"],
  );
  assert.deepEqual(folders, [".", "evil", ".", "evil", "evil"]);
  const answer = await gate({ gitHazard, posture: "read_only" }).check(bash("git -C evil status"), NEVER);
  assert.equal(outcome(answer), "read_only");
  const person = new Person("once");
  await gate({ gitHazard, approver: person }).check(bash("git -C evil status"), NEVER);
  assert.equal(person.asked[0]!.why.text, "evil/.git/config sets core.fsmonitor");
});
