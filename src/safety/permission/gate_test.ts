import assert from "node:assert/strict";
import type { GateAnswer, Posture, ToolRequest } from "../../contract/decision.ts";
import {
  bash,
  gate,
  type GateSetup,
  messageOf,
  NEVER,
  outcome,
  outcomes,
  Person,
  READ,
  write,
} from "../../../tests/support/permissions.ts";
import { createGate } from "./gate.ts";

// proves MODE-11 MODE-12
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

// proves MODE-09 MODE-11 MODE-12
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
  const check = (setup: GateSetup, request: ToolRequest) => gate(setup).check(request, NEVER);
  const read = async (answer: Promise<GateAnswer>) => {
    const refused = await answer;
    assert.equal(refused.allowed, false);
    if (refused.allowed || "failure" in refused) throw new Error("unreachable");
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
    remedy:
      "Allow exactly this with `Edit(a)` in permissions.allow, or run with --auto to allow ordinary changes. Rules of the folder count after `reasonix trust --dir '/home/me/my repo'`.",
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
  assert.deepEqual([outcome(answer), messageOf(answer)], [
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
    messageOf(refused),
    "bash needs approval and a sub-agent cannot ask (no rule allows it). It was not run.",
  );
  assert.equal(person.asked.length, 1);
  parent.setPosture("auto");
  assert.deepEqual([child.posture, outcome(await child.check(bash("curl x"), NEVER))], ["auto", "runs"]);
});

// proves MODE-16
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

// proves MODE-12
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
    messageOf(refused),
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

Deno.test("a call that is automatic runs unasked where no rule speaks of it, and never for a child", async () => {
  // proves MEM-17, MEM-20, MEM-21
  const remember: ToolRequest = { callId: "c", tool: "remember", readOnly: false, args: { harmless: true } };
  const forget: ToolRequest = { callId: "c", tool: "forget", readOnly: false, args: {} };
  const setup = (posture: Posture, lists: GateSetup["lists"] = {}): GateSetup => ({
    lists,
    posture,
    reviewCall: ({ tool }) => ["remember", "forget"].includes(tool) ? "the person decides" : undefined,
    isAutomatic: ({ args }) => Promise.resolve(args.harmless === true),
    reviewers: (["hook", "guardian"] as const).map((by) => ({
      by,
      headless: true,
      review: () => Promise.resolve("allow"),
    })),
  });
  for (const posture of ["ask", "auto", "yolo", "dont_ask"] as const) {
    assert.deepEqual(await outcomes(setup(posture), [remember, forget]), ["runs", "unattended"], posture);
    const child = gate(setup(posture)).forChild();
    assert.deepEqual(
      [outcome(await child.check(remember, NEVER)), outcome(await child.check(forget, NEVER))],
      ["unattended", "unattended"],
    );
  }
  assert.deepEqual(await outcomes(setup("read_only"), [remember]), ["read_only"]);
  assert.deepEqual(await outcomes(setup("yolo", { deny: ["remember"] }), [remember]), ["deny_rule"]);
  const person = new Person("once");
  const yolo = gate({ ...setup("yolo"), approver: person });
  await yolo.check(forget, NEVER);
  assert.equal(outcome(await yolo.forChild().check(forget, NEVER)), "unattended");
  assert.equal(person.asked.length, 1);
});

Deno.test("a check whether a call is automatic that breaks has answered no", async () => {
  const broken = () => Promise.reject(new Error("disk"));
  const request: ToolRequest = { callId: "c", tool: "remember", readOnly: false, args: {} };
  assert.deepEqual(await outcomes({ posture: "yolo", isAutomatic: broken }, [request]), ["unattended"]);
});
