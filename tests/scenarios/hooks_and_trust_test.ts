// Hooks as real programs in whole turns, and the consent they need.
import assert from "node:assert/strict";
import { answerFolder, inquireFolder } from "../../src/assembly/mod.ts";
import type { Event } from "../../src/contract/event.ts";
import { Harness, type HarnessOptions } from "../support/harness.ts";
import type { WireStep } from "../support/model_server.ts";

type Hooks = Readonly<Record<string, readonly unknown[]>>;

const settings = (hooks: Hooks) => JSON.stringify({ hooks });

async function withUserHooks(
  hooks: Hooks,
  script: readonly WireStep[],
  options: HarnessOptions = {},
): Promise<Harness> {
  const harness = await Harness.start(script, options);
  await harness.controller.close();
  await Deno.writeTextFile(`${harness.home}/settings.json`, settings(hooks));
  await harness.open({});
  return harness;
}

function environmentOf(harness: Harness) {
  return (name: string) => name === "REASONIX_HOME" || name === "HOME" ? harness.home : undefined;
}

const inquire = (harness: Harness) => inquireFolder({ directory: harness.root, environment: environmentOf(harness) });

const refusals = (harness: Harness) =>
  harness.events.flatMap((event) => event.kind === "tool_result" && event.tool.refusalCode ? [event.tool] : []);

Deno.test("a hook keeps a call from running, the person is told, and the turn goes on", async () => {
  await using harness = await withUserHooks(
    { PreToolUse: [{ match: "bash", command: "grep -q rm && { echo 'no removals' >&2; exit 2; }; true" }] },
    [
      { calls: [{ name: "bash", args: { command: "touch kept; rm kept" } }] },
      { calls: [{ name: "bash", args: { command: "touch kept" } }] },
      { text: "done" },
    ],
  );
  assert.equal((await harness.prompt("go")).outcome, "completed");
  const [{ refusalCode, output }] = refusals(harness) as [ReturnType<typeof refusals>[0]];
  assert.equal(refusalCode, "hook.blocked");
  assert.match(output!, /^blocked: hook \[user\/PreToolUse\] grep .* — block: no removals$/);
  const told = harness.events.filter((event) => event.kind === "notice" && event.code === "hook.blocked");
  assert.equal(told.length, 1);
  assert.equal(await harness.text("kept"), "");
});

Deno.test("what SessionStart says goes before the first turn and is sent once", async () => {
  await using harness = await withUserHooks(
    { SessionStart: [{ command: "echo the branch is main" }] },
    [{ text: "one" }, { text: "two" }],
  );
  await harness.prompt("hi");
  await harness.prompt("again");
  const context = '<hook-context event="SessionStart">\nthe branch is main\n</hook-context>';
  const sent = harness.model.requests.at(-1)!.body.messages.map(({ content }: { content: string }) => content);
  assert.deepEqual(sent.filter((text: string) => text.includes("hook-context")), [`${context}\n\nhi`]);
});

Deno.test("a hook can refuse a prompt before any model is asked", async () => {
  await using harness = await withUserHooks(
    { UserPromptSubmit: [{ hooks: [{ command: `echo '{"decision":"block","reason":"it names a secret"}'` }] }] },
    [],
  );
  const { outcome, failure } = await harness.prompt("the password is x");
  assert.equal(outcome, "failed");
  assert.equal(failure!.code, "turn.refused");
  assert.match(failure!.message, /it names a secret/);
  assert.deepEqual(harness.model.requests, []);
});

Deno.test("hooks see no provider key, and the program they start for a call is told what it did", async () => {
  const record = (name: string) => `{ env; cat; } > "$REASONIX_WORKSPACE_ROOT/${name}"`;
  await using harness = await withUserHooks({
    PostToolUse: [{ command: record("post") }],
    Stop: [{ command: record("stop") }],
  }, [
    { calls: [{ name: "write_file", args: { path: "a.txt", content: "a" } }] },
    { text: "done" },
  ]);
  await harness.prompt("write");
  const post = await harness.text("post");
  assert.match(post, /"toolName":"write_file"/);
  assert.match(await harness.text("stop"), /"lastAssistantText":"done"/);
  assert.doesNotMatch(post, /API_KEY/);
});

Deno.test("a hook that hangs is ended at its limit with what it started, and counts as a no", async () => {
  await using harness = await withUserHooks(
    {
      PreToolUse: [{
        command: 'setsid sleep 4242 & echo $! > "$REASONIX_WORKSPACE_ROOT/pid"; sleep 4242',
        timeout: 1_500,
      }],
    },
    [{ calls: [{ name: "bash", args: { command: "touch ran" } }] }, { text: "done" }],
  );
  await harness.prompt("go");
  assert.deepEqual(refusals(harness).map(({ refusalCode }) => refusalCode), ["hook.blocked"]);
  await assert.rejects(Deno.stat(`${harness.root}/ran`), Deno.errors.NotFound);
  const pid = (await harness.text("pid")).trim();
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", pid] }).output();
  // Nothing, or what only its parent has not taken note of yet.
  assert.match(new TextDecoder().decode(stdout), /^(?:Z.*\s*)?$/);
});

Deno.test("an imported hook answers a question in place of the person, but not one that is the person's alone", async () => {
  const allow = `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`;
  await using harness = await withUserHooks({ PermissionRequest: [{ matcher: "Bash", hooks: [{ command: allow }] }] }, [
    { calls: [{ name: "bash", args: { command: "touch a" } }] },
    { calls: [{ name: "bash", args: { command: "touch $(echo b)" } }] },
    { text: "done" },
  ], { request: { posture: "ask", interactive: true } });
  const asked: string[] = [];
  harness.controller.subscribe((event) => {
    if (event.kind !== "approval_request") return;
    asked.push(event.approval.subject);
    harness.controller.send({ kind: "approve", id: event.approval.id, answer: "deny" });
  });
  await harness.prompt("go");
  assert.deepEqual(asked, ["touch $(echo b)"]);
  assert.equal(await harness.text("a"), "");
});

Deno.test("headless nobody is asked, so no permission hook runs", async () => {
  await using harness = await withUserHooks(
    { PermissionRequest: [{ hooks: [{ command: 'touch "$REASONIX_WORKSPACE_ROOT/asked"' }] }] },
    [{ calls: [{ name: "bash", args: { command: "touch a" } }] }, { text: "done" }],
    { request: { posture: "ask" } },
  );
  await harness.prompt("go");
  await assert.rejects(Deno.stat(`${harness.root}/asked`), Deno.errors.NotFound);
});

Deno.test("PostLLMCall changes the reasoning that is shown, not the one that is sent back", async () => {
  await using harness = await withUserHooks({ PostLLMCall: [{ command: "echo shown instead" }] }, [
    { reasoning: "as it came", calls: [{ name: "ls", args: {} }] },
    { text: "done" },
  ]);
  await harness.prompt("go");
  const told = harness.events.filter((event): event is Event & { kind: "message" } => event.kind === "message");
  assert.equal(told[0]!.reasoning, "shown instead");
  assert.ok(!harness.model.requests.at(-1)!.text.includes("shown instead"));
});

Deno.test("a malformed settings file gives no hooks and one notice", async () => {
  await using harness = await withUserHooks({}, [{ text: "hi" }]);
  await harness.controller.close();
  await Deno.writeTextFile(`${harness.home}/settings.json`, '{"hooks":{"PreToolUse":{}}}');
  await harness.open({});
  await harness.prompt("hi");
  assert.equal(harness.controller.notices.filter((text) => text.includes("no hooks are taken from it")).length, 1);
});

Deno.test("a session's end is told, and a slow hook does not keep the program", async () => {
  await using harness = await withUserHooks({
    SessionEnd: [{ command: 'cat > "$REASONIX_WORKSPACE_ROOT/end"' }, { command: "sleep 4242" }],
  }, [{ text: "hi" }]);
  await harness.prompt("hi");
  await harness.controller.close();
  assert.match(await harness.text("end"), /"event":"SessionEnd".*"reason":"exit"/);
});

const PROJECT_HOOKS: Hooks = { PreToolUse: [{ match: "ls", command: 'touch "$REASONIX_WORKSPACE_ROOT/marker"' }] };

function look(): WireStep[] {
  return [{ calls: [{ name: "ls", args: {} }] }, { text: "done" }];
}

const ran = (harness: Harness) => Deno.stat(`${harness.root}/marker`).then(() => true, () => false);

Deno.test("a project's hooks run only where the person has agreed to them, and a change asks again", async () => {
  await using harness = await Harness.start([...look(), ...look(), ...look(), ...look()]);
  await harness.put(".reasonix/settings.json", settings(PROJECT_HOOKS));
  const session = async () => {
    await harness.controller.close();
    await harness.open({ resume: "latest" });
    await harness.prompt("look");
    return harness.controller.notices.filter((text) => text.includes("hook PreToolUse 1"));
  };
  assert.match((await session())[0]!, /^this folder is not trusted/);
  assert.equal(await ran(harness), false);

  const first = await inquire(harness);
  assert.deepEqual([first.state, first.demands.map(({ kind, name }) => `${kind} ${name}`)], ["new", [
    "hook PreToolUse 1",
  ]]);
  await answerFolder(first, "trusted");
  assert.deepEqual(await session(), []);
  assert.equal(await ran(harness), true);

  await Deno.remove(`${harness.root}/marker`);
  const [hook] = PROJECT_HOOKS.PreToolUse as [Record<string, string>];
  await harness.put(
    ".reasonix/settings.json",
    settings({ PreToolUse: [{ ...hook, command: `${hook.command}; true` }] }),
  );
  assert.match((await session())[0]!, /^changed since you trusted this folder/);
  assert.equal(await ran(harness), false);
  const { state, changes } = await inquire(harness);
  assert.equal(state, "changed");
  assert.deepEqual(changes.map(({ before, after }) => [before!.includes("; true"), after!.includes("; true")]), [
    [false, true],
  ]);

  // The same in another order and layout is the same.
  await harness.put(
    ".reasonix/settings.json",
    `{\n "other": 1, "hooks": {"PreToolUse": [{"command": ${JSON.stringify(hook.command)}, "match": "ls"}]}}`,
  );
  assert.deepEqual(await session(), []);
  assert.equal(await ran(harness), true);
});

Deno.test("trust is for one folder, by its real path", async () => {
  await using harness = await Harness.start(look(), {
    files: { "inner/.reasonix/settings.json": settings(PROJECT_HOOKS) },
  });
  await answerFolder(await inquire(harness), "trusted");
  const environment = environmentOf(harness);
  const inner = () => inquireFolder({ directory: `${harness.root}/inner`, environment });
  assert.equal((await inner()).state, "new");
  await Deno.symlink(`${harness.root}/inner`, `${harness.root}/other`);
  const through = await inquireFolder({ directory: `${harness.root}/other`, environment });
  assert.equal(through.root, `${harness.root}/inner`);
  await answerFolder(through, "trusted");
  assert.equal((await inner()).state, "trusted");
});

Deno.test("a no is remembered until the folder asks for something else", async () => {
  await using harness = await Harness.start([]);
  await harness.put("reasonix.toml", '[sandbox]\nbash = "off"\n');
  await answerFolder(await inquire(harness), "declined");
  assert.equal((await inquire(harness)).state, "declined");
  await harness.put("reasonix.toml", "# nothing\n");
  assert.equal((await inquire(harness)).state, "declined");
  await harness.put("reasonix.toml", '[permissions]\nallow = ["Bash"]\n');
  assert.equal((await inquire(harness)).state, "new");
});

Deno.test("each change of a server asks again with old and new, another order of keys does not", async () => {
  await using harness = await Harness.start([]);
  const declare = (stdio: Record<string, unknown>, url = "https://a.example") =>
    harness.put(".mcp.json", JSON.stringify({ mcpServers: { s: stdio, web: { type: "http", url } } }));
  const agreed = { command: "npx", args: ["server"], env: { A: "1" } };
  await declare(agreed);
  await answerFolder(await inquire(harness), "trusted");
  const changed = async () =>
    (await inquire(harness)).changes.map(({ name, before, after }) => {
      assert.ok(before !== undefined && after !== undefined && before !== after);
      return name;
    });
  await declare({ env: { A: "1" }, args: ["server"], command: "npx" });
  assert.deepEqual([(await inquire(harness)).state, await changed()], ["trusted", []]);
  for (
    const other of [{ ...agreed, args: ["Server"] }, { ...agreed, env: { A: "2" } }, { ...agreed, command: "npy" }]
  ) {
    await declare(other);
    assert.deepEqual([(await inquire(harness)).state, await changed()], ["changed", ["s"]]);
  }
  await declare(agreed, "https://b.example");
  assert.deepEqual(await changed(), ["web"]);
});

Deno.test("the model cannot trust a folder: the file that says so is out of its reach", async () => {
  await using harness = await Harness.start([
    { calls: [{ name: "write_file", args: { path: "../home/trusted-folders.json", content: "{}" } }] },
    { calls: [{ name: "bash", args: { command: "echo {} > ../home/trusted-folders.json" } }] },
    { text: "done" },
  ], { request: { posture: "yolo" } });
  await harness.prompt("trust yourself");
  await assert.rejects(Deno.stat(`${harness.home}/trusted-folders.json`), Deno.errors.NotFound);
});
