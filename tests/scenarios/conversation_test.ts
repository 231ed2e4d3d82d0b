import assert from "node:assert/strict";
import { Harness } from "../support/harness.ts";
import type { WireStep } from "../support/model_server.ts";

Deno.test("thirty rounds and a resume extend each request byte for byte", async () => {
  const rounds: WireStep[] = Array.from(
    { length: 30 },
    (_, at) => ({ calls: [{ name: "grep", args: { pattern: `line ${at}` } }] }),
  );
  await using harness = await Harness.start([...rounds, { text: "done" }, { text: "still here" }], {
    files: { "a.txt": Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("") },
  });
  assert.equal((await harness.prompt("look around")).outcome, "completed");
  await harness.controller.close();
  await harness.open({ resume: "latest" });
  assert.equal((await harness.prompt("and now?")).answer, "still here");
  assert.equal(harness.model.requests.length, 32);
  const usage = harness.events.filter((event) => event.kind === "usage");
  assert.equal(usage.some((event) => event.cacheDiagnostics.prefixChanged), false);
});

Deno.test("the first request of a small task stays lean", async () => {
  await using harness = await Harness.start([{ text: "hello" }]);
  await harness.prompt("Fix the failing test in src/parse.ts.");
  const { text, body } = harness.model.requests[0]!;
  const tokens = text.length / 4;
  assert.ok(tokens < 3_800, `${tokens} tokens`);
  const tools = JSON.stringify(body.tools).length / 4;
  assert.ok(tools < 3_400, `${tools} tokens of tools`);
});

Deno.test("nothing in the first request depends on the time of day", async () => {
  const bodies: string[] = [];
  for (let at = 0; at < 2; at++) {
    await using harness = await Harness.start([{ text: "hello" }]);
    await harness.prompt("hi");
    bodies.push(harness.model.requests[0]!.text.replaceAll(harness.root, "<root>"));
  }
  assert.equal(bodies[0], bodies[1]);
  assert.doesNotMatch(bodies[0]!, new RegExp(String(new Date().getFullYear())));
});

Deno.test("a giant result is paged back through use_capability", async () => {
  await using harness = await Harness.start([
    { calls: [{ name: "bash", args: { command: "seq 1 20000; echo 'E: link failed' >&2; exit 7" } }] },
    (body) => {
      const result = body.messages.at(-1).content as string;
      assert.match(result, /^error: exit status 7\n1\n2\n/);
      assert.match(result, /E: link failed/);
      const [, id, ref] = /call_id=(\S+) result_ref=(tr-[0-9a-f]{24})/.exec(result)!;
      return {
        calls: [{
          name: "use_capability",
          args: {
            action: "call",
            capability_id: "session:tool_result",
            arguments: { tool_call_id: id, result_ref: ref, offset: 50_000, limit: 200 },
          },
        }],
      };
    },
    (body) => {
      const page = body.messages.at(-1).content as string;
      assert.match(page, /total_bytes/);
      assert.match(page, /\n\d{5}\n\d{5}\n/);
      return { text: "read it" };
    },
  ]);
  assert.equal((await harness.prompt("run it")).answer, "read it");
});

Deno.test("an ask posture without a person refuses writers and runs readers", async () => {
  await using harness = await Harness.start([
    {
      calls: [
        { name: "write_file", args: { path: "a.txt", content: "x" } },
        { name: "bash", args: { command: "ls -la | head -3" } },
        { name: "bash", args: { command: "touch b.txt" } },
      ],
    },
    { text: "could not" },
  ], { request: { posture: "ask" } });
  await harness.prompt("write");
  const [write, list, touch] = harness.results;
  assert.match(write!, /^blocked: /);
  assert.match(list!, /total/);
  assert.match(touch!, /^blocked: /);
  const refused = harness.events.filter((event) =>
    event.kind === "tool_result" && event.tool.refusalCode !== undefined
  );
  assert.equal(refused.length, 2);
});

Deno.test("deny rules of the config hold in every posture", async () => {
  await using harness = await Harness.start([
    { calls: [{ name: "bash", args: { command: "echo a && touch secret.txt" } }] },
    { text: "blocked" },
  ], { config: '[permissions]\ndeny = ["Bash(touch:*)"]\n', request: { posture: "yolo" } });
  await harness.prompt("go");
  assert.match(harness.results[0]!, /^blocked: .*Matched permission rule: deny Bash\(touch:\*\)/);
});

Deno.test("the project's instructions stand in the system prompt, and stay as they were when the session is resumed", async () => {
  await using harness = await Harness.start([{ text: "one" }, { text: "two" }], {
    files: { "AGENTS.md": "Never edit gen/." },
  });
  await harness.prompt("hi");
  assert.match(
    harness.model.requests[0]!.body.messages[0].content,
    /# Instructions[\s\S]*## workspace\/AGENTS\.md[\s\S]*Never edit gen\//,
  );
  await harness.controller.close();
  await harness.put("AGENTS.md", "Edit what you like.");
  await harness.open({ resume: "latest" });
  await harness.prompt("again");
});
