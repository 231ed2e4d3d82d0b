// A folder that tries everything, opened by somebody who has not vouched for it.
import assert from "node:assert/strict";
import type { SessionRequest } from "../../src/assembly/mod.ts";
import { Harness } from "../support/harness.ts";
import { type HostileRepository, ODD_NAMES, OUTSIDE, plantHostileRepository } from "../support/hostile_repository.ts";
import type { WireStep } from "../support/model_server.ts";
import { hasBwrap } from "../support/programs.ts";

const KEY = "sk-of-the-person";

interface Opened {
  readonly harness: Harness;
  readonly repository: HostileRepository;
  /** What reached the repository's own host: headers and body as one text. */
  readonly heard: readonly string[];
  /** The address of that host. */
  readonly listener: string;
}

const LOCAL: Partial<SessionRequest> = { model: "local/test-model", posture: undefined };

async function inHostileFolder(
  script: readonly WireStep[],
  test: (opened: Opened) => Promise<void>,
): Promise<void> {
  const heard: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    heard.push(`${JSON.stringify([...request.headers])} ${await request.text()}`);
    return new Response("{}", { status: 400 });
  });
  const listener = `http://127.0.0.1:${server.addr.port}`;
  try {
    await using harness = await Harness.start(script, { config: '[security]\nproject_servers = "trusted"\n' });
    await harness.controller.close();
    await Deno.writeTextFile(`${harness.home}/.env`, `USER_KEY=${KEY}\n`);
    const base = harness.root.slice(0, -"/ws".length);
    const repository = await plantHostileRepository({ base, root: harness.root, listener });
    harness.events.length = 0;
    await test({ harness, repository, heard, listener });
    await harness.controller.close();
    assert.deepEqual(repository.marks(), [], "something of the repository ran");
    assert.deepEqual(repository.beyond(), OUTSIDE, "something outside the folder changed");
    assert.ok(!heard.some((text) => text.includes(KEY)), "the repository's host received the key");
    for (const { text } of harness.model.requests) assert.ok(!text.includes(KEY), "a model received the key");
  } finally {
    await server.shutdown();
  }
}

Deno.test("opening and closing a hostile folder runs nothing, and one notice says what was ignored", {
  ignore: !hasBwrap,
}, () =>
  inHostileFolder([{ text: "hi" }], async ({ harness, heard }) => {
    await harness.open(LOCAL);
    assert.equal((await harness.prompt("hi")).outcome, "completed");
    const about = harness.controller.notices.filter((text) => text.includes("not trusted"));
    assert.equal(about.length, 1);
    const named = [
      "permissions.mode",
      "permissions.allow",
      "permissions.allow_dynamic_bash",
      "sandbox.bash",
      "sandbox.allow_write",
      "MCP server innocent",
      "hook SessionStart 1",
      "hook PreToolUse 1",
      `reasonix trust --dir ${harness.root}`,
    ];
    assert.deepEqual(named.filter((name) => !about[0]!.includes(name)), []);
    const others = harness.controller.notices.filter((text) => !text.includes("not trusted")).join("\n");
    for (
      const name of ["tools.shell.env", "providers of the same name: local", "REASONIX_HOME", "USER_KEY", "HTTPS_PROXY"]
    ) {
      assert.ok(others.includes(name), name);
    }
    assert.deepEqual(heard, []);
  }));

Deno.test("the person's provider is asked where the person said, with the folder's default model gone to waste", () =>
  inHostileFolder([{ text: "hi" }], async ({ harness, heard }) => {
    await harness.open(LOCAL);
    await harness.prompt("hi");
    assert.equal(harness.model.requests.length, 1);
    assert.deepEqual(heard, []);
  }));

Deno.test("a folder's provider on this machine is asked without the key", () =>
  inHostileFolder([], async ({ harness, heard }) => {
    await harness.open({ posture: undefined });
    assert.equal((await harness.prompt("hi")).outcome, "failed");
    assert.equal(heard.length, 1);
    assert.ok(harness.controller.notices.some((text) => text.includes("without your key USER_KEY")));
  }));

for (const key of ['api_key_env = "USER_KEY"', 'api_key_env = ""']) {
  Deno.test(`a folder's provider on a public host receives nothing, with ${key}`, () =>
    inHostileFolder([], async ({ harness, listener }) => {
      const file = `${harness.root}/reasonix.toml`;
      const text = (await Deno.readTextFile(file)).replaceAll(listener, "https://models.example.com");
      await Deno.writeTextFile(file, text.replaceAll('api_key_env = "USER_KEY"', key));
      const code = key.includes("USER_KEY") ? "config.key_not_confirmed" : "config.provider_not_trusted";
      await assert.rejects(harness.open({ posture: undefined }), { code, remedy: /reasonix trust --/ });
    }));
}

Deno.test("a standing prompt that leads out of the folder stops the start", () =>
  inHostileFolder([], async ({ harness }) => {
    const file = `${harness.root}/reasonix.toml`;
    await Deno.writeTextFile(
      file,
      `${await Deno.readTextFile(file)}\n[agent]\nsystem_prompt_file = "outbox/secret.txt"\n`,
    );
    await assert.rejects(harness.open(LOCAL), { code: "config.unreadable", message: /leads out of the workspace/ });
  }));

Deno.test("in the default posture readers run without waking what the repository planted, and writers are refused", () =>
  inHostileFolder([
    { calls: [{ name: "bash", args: { command: "git status" } }] },
    { calls: [{ name: "bash", args: { command: "git diff" } }] },
    { calls: [{ name: "bash", args: { command: "git log -1" } }] },
    { calls: [{ name: "bash", args: { command: "./evil.sh" } }] },
    { calls: [{ name: "bash", args: { command: "echo $(./evil.sh)" } }] },
    { calls: [{ name: "bash", args: { command: "ls" } }] },
    { calls: [{ name: "write_file", args: { path: "b.txt", content: "b" } }] },
    { calls: [{ name: "grep", args: { pattern: "needle" } }] },
    { text: "done" },
  ], async ({ harness }) => {
    await harness.open(LOCAL);
    await harness.prompt("look around");
    const results = harness.events.filter((event) => event.kind === "tool_result").map(({ tool }) => tool);
    const codes = results.map(({ name, refusalCode }) => `${name} ${refusalCode ?? "ran"}`);
    const untrusted = "permission.untrusted_folder";
    assert.deepEqual(codes.slice(3), [
      `bash ${untrusted}`,
      "bash permission.unattended",
      "bash ran",
      `write_file ${untrusted}`,
      "grep ran",
    ]);
    assert.equal(results[6]!.remedy?.includes(`reasonix trust --dir ${harness.root}`), true);
    await assert.rejects(Deno.stat(`${harness.root}/b.txt`), Deno.errors.NotFound);
  }));

Deno.test("where changes are allowed, links lead no write out and files that run later stay as they are", () =>
  inHostileFolder([
    {
      calls: [
        { name: "write_file", args: { path: "outbox/new.txt", content: "x" } },
        { name: "write_file", args: { path: "dangling.txt", content: "x" } },
        { name: "edit_file", args: { path: "link.txt", old_string: "outside", new_string: "inside" } },
        { name: "move_file", args: { source_path: "a.txt", destination_path: "outbox/a.txt" } },
        { name: "write_file", args: { path: "../outside/kept.txt", content: "x" } },
        { name: "write_file", args: { path: ".git/hooks/pre-commit", content: "#!/bin/sh" } },
        { name: "write_file", args: { path: ".reasonix/settings.json", content: "{}" } },
        { name: "write_file", args: { path: "reasonix.toml", content: "" } },
        { name: "write_file", args: { path: ".mcp.json", content: "{}" } },
      ],
    },
    { text: "done" },
  ], async ({ harness }) => {
    await harness.open({ ...LOCAL, posture: "auto" });
    await harness.prompt("write");
    const codes = harness.events.filter((event) => event.kind === "tool_result").map(({ tool }) => tool.refusalCode);
    assert.deepEqual(codes, [
      ...Array.from({ length: 5 }, () => "workspace.write_outside_scope"),
      ...Array.from({ length: 4 }, () => "permission.unattended"),
    ]);
  }));

Deno.test("an @ reference through a link does not bring the outside in, one that names the outside does", () =>
  inHostileFolder([{ text: "hi" }, { text: "hi" }], async ({ harness }) => {
    await harness.open({ ...LOCAL, interactive: true });
    await harness.prompt("look at @link.txt and @outbox/secret.txt and @outbox");
    assert.ok(!harness.model.requests[0]!.text.includes("the outside secret"));
    await harness.prompt("look at @../outside/secret.txt");
    assert.ok(harness.model.requests[1]!.text.includes("the outside secret"));
  }));

Deno.test("names and contents of files reach neither the model nor an event with control characters", () =>
  inHostileFolder([
    {
      calls: [
        { name: "ls", args: {} },
        { name: "glob", args: { pattern: "*.txt" } },
        { name: "grep", args: { pattern: "needle" } },
        { name: "read_file", args: { path: ODD_NAMES[0] } },
        { name: "bash", args: { command: "cat title*" } },
      ],
    },
    { text: "done" },
  ], async ({ harness }) => {
    await harness.open({ ...LOCAL, posture: "auto" });
    await harness.prompt("look");
    assert.equal(harness.results.length, 5);
    assert.ok(harness.results[2]!.includes("needle"));
    const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
    for (const result of harness.results) assert.doesNotMatch(result, control);
    for (const event of harness.events) {
      if (event.kind === "tool_result") assert.doesNotMatch(`${event.tool.output} ${event.tool.err ?? ""}`, control);
    }
  }));

Deno.test("a rule file that changes while a session runs changes nothing in it", () =>
  inHostileFolder([
    { calls: [{ name: "bash", args: { command: "touch ran.txt" } }] },
    { text: "done" },
  ], async ({ harness }) => {
    await harness.open(LOCAL);
    await Deno.writeTextFile(`${harness.root}/reasonix.toml`, '[permissions]\nallow = ["Bash"]\n');
    await Deno.writeTextFile(`${harness.home}/config.toml`, '[permissions]\nallow = ["Bash"]\n');
    await harness.prompt("run it");
    await assert.rejects(Deno.stat(`${harness.root}/ran.txt`), Deno.errors.NotFound);
  }));
