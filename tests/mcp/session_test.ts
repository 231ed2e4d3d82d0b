// A whole session with servers: what the model is sent, what becomes of its calls, and what servers cannot hold up.
import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";
import { insideWalls } from "../support/inside_walls.ts";
import { hasBwrap } from "../support/programs.ts";

const EXAMPLE = insideWalls("plugins/example/main.ts");
const ODD_SERVER = insideWalls("tests/support/mcp/odd_server.ts");

const plugin = (name: string, args: readonly string[], more = "") => `
[[plugins]]
name = "${name}"
command = "${Deno.execPath()}"
args = ${JSON.stringify(["run", "-A", "--no-check", "--quiet", ...args])}
${more}
`;
const example = plugin("example", [EXAMPLE]);
const odd = (manner: string, more = "") => plugin("odd", [ODD_SERVER, manner, "log"], more);

const call = (id: string, args: Record<string, unknown> = {}) => ({
  name: "use_capability",
  args: { action: "call", capability_id: id, arguments: args },
});
const toolNames = (session: Harness, request = 0): string[] =>
  session.model.requests[request]!.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
const mcpNames = (session: Harness, request = 0) =>
  toolNames(session, request).filter((name) => name.startsWith("mcp__"));

/** However long a start takes here. */
async function ready(session: Harness): Promise<void> {
  while (session.controller.servers!.list().some(({ state }) => state === "starting")) {
    await new Promise((done) => setTimeout(done, 20));
  }
}

// proves MCP-34, MCP-39
Deno.test("tools of a server stand in the first request of a session and run like any other", async () => {
  await using session = await Harness.start([
    {
      calls: [
        { name: "mcp__example__wordcount", args: { text: "one two" } },
        { name: "mcp__example__echo", args: { text: "said" } },
        { name: "mcp__example__echo", args: { text: 7 } },
      ],
    },
    { text: "two" },
  ], { config: example });
  await ready(session);
  await session.prompt("count");
  assert.ok(mcpNames(session).includes("mcp__example__wordcount"));
  const [counted, echoed, refused] = session.results;
  assert.match(counted!, /"words":\s*2/);
  assert.equal(echoed, "said");
  assert.match(refused!, /^error: the arguments do not fit mcp__example__echo .*not executed\.\n\/text/s);
  assert.equal(session.controller.servers!.list()[0]!.state, "ready");
});

Deno.test("a server that is slow to list is known from the last session, and its tools wait for it", async () => {
  await using session = await Harness.start([
    { text: "first" },
    { calls: [{ name: "mcp__odd__echo", args: { text: "a" } }] },
    { text: "second" },
  ], { config: odd("slow") });
  await session.prompt("one");
  assert.deepEqual(mcpNames(session), []);
  // Until it is there, so that the next session knows it.
  await session.controller.servers!.reconnect("odd");
  await session.controller.close();
  await session.open({});
  session.model.allowNextReset = true;
  await session.prompt("two");
  assert.deepEqual(mcpNames(session, 1), ["mcp__odd__echo", "mcp__odd__write"]);
  assert.match(session.results[0]!, /"text":"a"/);
});

Deno.test("servers that never answer, die or flood hold up neither the first prompt nor the end", async () => {
  const servers = ["never answers", "dies at start", "floods"].map((manner, at) =>
    plugin(`s${at}`, [ODD_SERVER, manner, `log${at}`])
  );
  await using session = await Harness.start([{ text: "ok" }], { config: servers.join("") });
  assert.equal((await session.prompt("hello")).outcome, "completed");
  const states = () => session.controller.servers!.list().slice(0, 2).map(({ state }) => state);
  while (states()[1] === "starting") await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(states(), ["starting", "failed"]);
  const notices = session.events.flatMap((event) => event.kind === "notice" ? [event.text] : []);
  assert.equal(notices.filter((text) => /MCP server "s1" failed: .*exit code 3/.test(text)).length, 1);
});

Deno.test("a server that was tried before and never came is not waited for again", async () => {
  await using session = await Harness.start([{ text: "one" }, { text: "two" }], { config: odd("never answers") });
  await session.prompt("one");
  await session.controller.close();
  await session.open({});
  session.model.allowNextReset = true;
  const known = session.controller.servers as unknown as { known(ms: number): Promise<void> };
  // Would not settle before the start's own cap.
  await known.known(2 ** 30);
  await session.prompt("two");
  assert.equal(session.controller.servers!.list()[0]!.state, "starting");
});

Deno.test("a server that starts on demand is started by the call and not before", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "use_capability", args: { action: "list" } }] },
    { calls: [call("mcp-tool:odd/echo", { text: "x" })] },
    { calls: [call("mcp-server:odd")] },
    { text: "done" },
  ], { config: odd("good", "auto_start = false") });
  await session.prompt("go");
  assert.match(session.results[0]!, /mcp-server:odd \(read-only; waiting\)/);
  assert.match(session.results[1]!, /"text":"x"/);
  assert.match(session.results[2]!, /"odd" is ready.*mcp-tool:odd\/echo \(read-only\): does echo/s);
  assert.deepEqual(mcpNames(session), []);
});

Deno.test("use_capability lists, finds, shows and runs what stands in no request, and says what is unknown", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "use_capability", args: { action: "search", query: "tool 17" } }] },
    { calls: [{ name: "use_capability", args: { action: "inspect", capability_id: "mcp-tool:odd/tool-17" } }] },
    { calls: [call("mcp-tool:odd/tool-17", { text: "x" }), call("mcp-tool:odd/nothing"), call("mcp-tool:nobody/x")] },
    { calls: [{ name: "mcp__odd__tool-17", args: { text: "by name" } }] },
    { text: "done" },
  ], { config: odd("many") });
  await session.prompt("go");
  const [found, shown, ran, nothing, nobody, named] = session.results;
  assert.match(found!, /^mcp-tool:odd\/tool-17: does tool-17/);
  assert.match(shown!, /^mcp__odd__tool-17 \(may change things\)\ndoes tool-17\n\{"type":"object"/);
  assert.match(ran!, /"name":"tool-17"/);
  assert.match(nothing!, /server "odd" has no tool "nothing"/);
  assert.match(nobody!, /capability unavailable: no MCP server "nobody"/);
  assert.match(named!, /"by name"/);
  assert.deepEqual(mcpNames(session), []);
});

Deno.test("after list_changed new tools are reached through use_capability, and the tool list stays", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "mcp__odd__echo", args: {} }] },
    {
      calls: [{
        name: "bash",
        args: { command: "until grep -c '^list' log | grep -q '[2-9]'; do sleep 0.05; done; sleep 0.5" },
      }],
    },
    { calls: [call("mcp-tool:odd/fresh")] },
    { text: "done" },
  ], { config: odd("changes") });
  await session.prompt("go");
  assert.match(session.results.at(-1)!, /call 2/);
  assert.deepEqual(toolNames(session, 3), toolNames(session, 0));
});

// proves MCP-40
Deno.test("a deny rule stops a tool, called directly, by its id, or before its server was heard of", async () => {
  const rules = `[permissions]\ndeny = ["mcp__odd__write", "mcp_connect__other"]\n`;
  await using session = await Harness.start([
    {
      calls: [
        { name: "mcp__odd__write", args: {} },
        call("mcp-tool:odd/write"),
        call("tool:mcp__odd__write"),
        call("mcp-server:other"),
      ],
    },
    { text: "blocked" },
  ], { config: rules + odd("good") + plugin("other", [ODD_SERVER, "good", "log2"], "auto_start = false") });
  await session.prompt("go");
  assert.equal(session.results.length, 4);
  for (const text of session.results) assert.match(text, /^blocked: /);
  assert.ok(!(await session.text("log")).includes("call"));
  await assert.rejects(session.text("log2"), Deno.errors.NotFound);
});

// proves MCP-29 MODE-04
Deno.test("plan mode holds writers of servers back, lets readers through, and tells the server", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "mcp__odd__write", args: {} }, { name: "mcp__odd__echo", args: {} }] },
    { text: "planned" },
  ], { config: odd("good"), request: { interactive: true } });
  session.controller.send({ kind: "set_mode", mode: "plan" });
  await session.prompt("plan");
  assert.match(session.results[0]!, /^blocked: Plan mode is on/);
  assert.match(session.results[1]!, /"io.reasonix\/readOnly":true/);
});

// proves MODE-04
Deno.test("plan mode holds back what destroys, also where it says that it only reads", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "mcp__odd__erase", args: {} }] },
    { text: "planned" },
  ], { config: odd("contradicts"), request: { interactive: true, posture: "yolo" } });
  session.controller.send({ kind: "set_mode", mode: "plan" });
  await session.prompt("plan");
  assert.match(session.results[0]!, /^blocked: Plan mode is on/);
  assert.ok(!(await session.text("log")).includes("call"));
});

// proves PERM-34
Deno.test("a writer of an installed server needs no question, also where nobody can be asked", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "mcp__odd__write", args: {} }, { name: "write_file", args: { path: "a", content: "b" } }] },
    { text: "done" },
  ], { config: odd("good"), request: { posture: "ask" } });
  await session.prompt("go");
  assert.match(session.results[0]!, /"name":"write"/);
  assert.match(session.results[1]!, /^blocked: /);
});

// proves MCP-31
Deno.test("a local server runs within the walls of commands: the workspace is writable, the home is not", {
  ignore: !hasBwrap,
}, async () => {
  const outside = `${Deno.env.get("HOME")}/.reasonix-test-${crypto.randomUUID()}`;
  await using session = await Harness.start([
    { calls: [{ name: "mcp__odd__echo", args: { places: ["inside", outside] } }] },
    { text: "done" },
  ], { config: odd("writes") });
  await session.prompt("go");
  assert.match(session.results[0]!, /^written (?!written)/);
  await assert.rejects(Deno.stat(outside), Deno.errors.NotFound);
});

Deno.test("a required server that fails ends the turn with a reason before the model is asked", async () => {
  await using session = await Harness.start([], { config: odd("dies at start", "required = true") });
  const { outcome, failure } = await session.prompt("go");
  assert.equal(outcome, "failed");
  assert.equal(failure!.code, "turn.refused");
  assert.match(failure!.message, /MCP server "odd" is required and not ready: .*exit code 3/);
});

// proves REF-01 REF-02 REF-07
Deno.test("a resource that the person refers to stands before their words; one that cannot be read is a notice", async () => {
  await using session = await Harness.start([{ text: "read" }], { config: example, request: { interactive: true } });
  await session.prompt("follow @example:example://style-guide and @example:example://nothing");
  const sent = session.model.requests[0]!.body.messages.at(-1).content as string;
  assert.match(sent, /<resource ref="example:example:\/\/style-guide">\n# Style guide\n/);
  assert.match(sent, /follow @example:example:\/\/style-guide/);
  const notices = session.events.flatMap((event) => event.kind === "notice" ? [event.text] : []);
  assert.ok(notices.some((text) => /example:\/\/nothing could not be read: .*No resource/.test(text)), notices.join());
});

// proves REF-06
Deno.test("a reference that is never answered holds nothing else up, and Esc ends the wait", async () => {
  await using session = await Harness.start([], {
    config: odd("never answers a call"),
    request: { interactive: true },
  });
  const { controller } = session;
  const receipt = controller.send({ kind: "prompt", text: "follow @odd:odd://later" });
  assert.ok(receipt.accepted);
  const log = async () => await session.text("log").catch(() => "");
  while (!(await log()).includes("resources/read")) await new Promise((rested) => setTimeout(rested, 20));
  assert.ok(controller.send({ kind: "set_posture", posture: "ask" }).accepted);
  assert.equal(controller.posture, "ask");
  controller.send({ kind: "cancel" });
  assert.equal((await receipt.turn)!.outcome, "cancelled");
  assert.equal(session.model.requests.length, 0);
});

// proves ROAD-08
Deno.test("a form of a server comes to the person as questions", async () => {
  await using session = await Harness.start([
    { calls: [{ name: "mcp__odd__echo", args: {} }] },
    { text: "done" },
  ], { config: odd("form"), request: { interactive: true } });
  session.controller.subscribe((event) => {
    if (event.kind !== "ask_request") return;
    const choices = event.ask.questions.map(({ header }) => header === "odd" ? ["Answer"] : ["green"]);
    session.controller.send({ kind: "answer", id: event.ask.id, answer: { choices } });
  });
  await session.prompt("go");
  assert.equal(session.results[0], '{"action":"accept","content":{"colour":"green"}}');
});

Deno.test("another conversation of the same run keeps the servers it finds", async () => {
  await using session = await Harness.start([{ text: "one" }, { calls: [{ name: "mcp__odd__echo", args: {} }] }, {
    text: "two",
  }], {
    config: odd("good"),
  });
  await session.prompt("one");
  const receipt = session.controller.send({ kind: "open_session", session: "new" });
  assert.ok(receipt.accepted);
  await receipt.done;
  session.model.allowNextReset = true;
  await session.prompt("two");
  assert.match(session.results[0]!, /echo/);
  assert.equal((await session.text("log")).split("\n").filter((line) => line.startsWith("start")).length, 1);
});

// proves MCP-20, MCP-21, MCP-47, MCP-48
Deno.test(".mcp.json works unchanged, with its variables, and the project's own file wins a name", async () => {
  const entry = (env: Record<string, string>) => ({
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", "--quiet", ODD_SERVER, "good", "${CLAUDE_PROJECT_DIR}/${LOG:-log}"],
    env,
  });
  await using session = await Harness.start([
    { calls: [{ name: "mcp__json__echo", args: {} }] },
    { text: "done" },
  ], {
    files: {
      ".mcp.json": JSON.stringify({ mcpServers: { json: entry({ A: "${B:-b}" }), odd: entry({}) } }),
      "reasonix.toml": odd("good").replace('"log"', '"toml.log"'),
    },
  });
  await session.prompt("go");
  assert.match(session.results[0]!, /echo/);
  assert.match(await session.text("log"), /^start/);
  assert.match(await session.text("toml.log"), /^start/);
  assert.deepEqual(session.controller.servers!.list().map(({ name }) => name).sort(), ["json", "odd"]);
});
