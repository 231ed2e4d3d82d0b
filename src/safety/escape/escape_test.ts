// proves ROAD-01 ROAD-02
import assert from "node:assert/strict";
import type { ApprovalAnswer, ApprovalRequest, Posture } from "../../contract/decision.ts";
import { Refusal } from "../../contract/errors.ts";
import type { Tool, ToolOutput } from "../../contract/tool.ts";
import { offerEscape } from "./escape.ts";

const FAILED: ToolOutput = {
  text: "error: exit code 1\nRead-only file system",
  failed: true,
  walls: [{ code: "workspace.write_outside_scope", text: "writes only below /ws." }],
};

function tool(execute: () => ToolOutput): Tool {
  return {
    name: "bash",
    description: "",
    schema: {},
    readOnly: false,
    direct: true,
    execute: () => Promise.resolve().then(execute),
  };
}

function setUp(inside: () => ToolOutput, answer: ApprovalAnswer | Error = "once", posture: Posture = "yolo") {
  const asked: ApprovalRequest[] = [];
  const outside: Record<string, unknown>[] = [];
  const escapable = offerEscape({
    confined: tool(inside),
    unconfined: {
      ...tool(() => ({ text: "" })),
      execute: (args) => {
        outside.push(args);
        return Promise.resolve({ text: "done\n" });
      },
    },
    approver: {
      request: (approval) => {
        asked.push(approval);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    posture: () => posture,
  });
  const run = () =>
    escapable.execute({ command: "touch /etc/x" }, {
      callId: "c1",
      signal: new AbortController().signal,
      progress: () => {},
    });
  return { run, asked, outside };
}

Deno.test("a command the sandbox stopped is offered once outside it, in every posture, with nothing to remember", async () => {
  for (const posture of ["ask", "auto", "yolo", "accept_edits"] as const) {
    const { run, asked, outside } = setUp(() => FAILED, "once", posture);
    assert.deepEqual(await run(), {
      text: "[run once outside the sandbox, as the person allowed: writes only below /ws.]\ndone\n",
    });
    assert.deepEqual(outside, [{ command: "touch /etc/x" }]);
    const [{ danger, ...question }] = asked as [ApprovalRequest];
    assert.match(danger!, /outside the sandbox/);
    assert.deepEqual(question, {
      id: "escape1",
      callId: "c1",
      tool: "bash",
      subject: "touch /etc/x",
      why: { by: "review", text: "writes only below /ws." },
      unconfined: true,
    });
  }
});

Deno.test("each failure asks anew", async () => {
  const { run, asked } = setUp(() => FAILED, "session");
  await run();
  await run();
  assert.deepEqual(asked.map(({ id }) => id), ["escape1", "escape2"]);
});

Deno.test("without a sandbox the same question comes before the command has run at all", async () => {
  const { run, asked, outside } = setUp(() => {
    throw new Refusal("sandbox.unavailable", "bwrap is missing.", { remedy: "Install it." });
  });
  await run();
  assert.equal(asked[0]!.why.text, "bwrap is missing.");
  assert.equal(outside.length, 1);
});

Deno.test("a no leaves the failure as it is and tells the model not to try again", async () => {
  const { run, outside } = setUp(() => FAILED, "deny");
  assert.match((await run()).text, /Read-only file system\n\[The person declined .* do not try that again\.\]$/);
  const unavailable = setUp(() => {
    throw new Refusal("sandbox.unavailable", "bwrap is missing.");
  }, "deny");
  await assert.rejects(unavailable.run(), { code: "sandbox.unavailable", message: /bwrap is missing\. The person/ });
  assert.deepEqual([outside, unavailable.outside], [[], []]);
});

Deno.test("a question that fails is a no", async () => {
  const { run, outside } = setUp(() => FAILED, new Error("nobody there"));
  assert.match((await run()).text, /declined/);
  assert.deepEqual(outside, []);
});

Deno.test("failures of the command's own, other refusals and postures that never ask offer nothing", async () => {
  const plain: ToolOutput = { text: "error: exit code 1", failed: true };
  const fine: ToolOutput = { text: "ok", walls: FAILED.walls };
  for (
    const [inside, posture] of [[plain, "ask"], [fine, "ask"], [FAILED, "dont_ask"], [FAILED, "read_only"]] as const
  ) {
    const { run, asked } = setUp(() => inside, "once", posture);
    assert.deepEqual(await run(), inside);
    assert.deepEqual(asked, []);
  }
  const linked = setUp(() => {
    throw new Refusal("sandbox.git_metadata_linked", "linked");
  });
  await assert.rejects(linked.run(), { code: "sandbox.git_metadata_linked" });
  assert.deepEqual(linked.asked, []);
});
