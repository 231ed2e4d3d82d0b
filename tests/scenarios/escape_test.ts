// The way out of the sandbox, with a real one around the commands.
import assert from "node:assert/strict";
import type { ApprovalRequest, Posture } from "../../src/contract/decision.ts";
import { Harness } from "../support/harness.ts";
import { hasBwrap } from "../support/programs.ts";

const ignore = !hasBwrap;

interface Tried {
  readonly asked: readonly ApprovalRequest[];
  readonly result: string;
  /** The command's effect outside. */
  readonly content: string | undefined;
}

/** One command that writes outside the workspace, on a part of the disk the sandbox shows. */
async function tryOutside(
  { answer, posture, interactive, hooks, command = (file) => `echo "$TMPDIR" > ${file}` }: {
    readonly answer: "once" | "deny";
    readonly posture: Posture;
    readonly interactive: boolean;
    readonly hooks?: string;
    readonly command?: (file: string) => string;
  },
): Promise<Tried> {
  const outside = await Deno.realPath(await Deno.makeTempDir({ dir: "/var/tmp", prefix: "reasonix-test-" }));
  const file = `${outside}/file`;
  try {
    await using harness = await Harness.start([
      { calls: [{ name: "bash", args: { command: command(file) } }] },
      { text: "done" },
    ], { request: { posture, interactive } });
    if (hooks !== undefined) {
      await harness.controller.close();
      await Deno.writeTextFile(`${harness.home}/settings.json`, hooks);
      await harness.open({});
    }
    const asked: ApprovalRequest[] = [];
    harness.controller.subscribe((event) => {
      if (event.kind !== "approval_request") return;
      asked.push(event.approval);
      harness.controller.send({ kind: "approve", id: event.approval.id, answer });
    });
    await harness.prompt("write outside");
    const content = await Deno.readTextFile(file).catch(() => undefined);
    return { asked, result: harness.results[0]!, content };
  } finally {
    await Deno.remove(outside, { recursive: true });
  }
}

// proves ROAD-01
Deno.test("a command the sandbox stopped runs once outside it when the person says so", { ignore }, async () => {
  const { asked, result, content } = await tryOutside({ answer: "once", posture: "auto", interactive: true });
  assert.deepEqual(asked.map(({ unconfined, sessionRule, alwaysRule }) => ({ unconfined, sessionRule, alwaysRule })), [
    { unconfined: true, sessionRule: undefined, alwaysRule: undefined },
  ]);
  assert.match(asked[0]!.why.text, /allow_write/);
  assert.match(result, /^\[run once outside the sandbox, as the person allowed/);
  // It keeps the session's temporary folder, under the name that folder has outside.
  assert.match(content!, /^\/tmp\/reasonix-/);
});

Deno.test("a no leaves the failure", { ignore }, async () => {
  const { asked, result, content } = await tryOutside({ answer: "deny", posture: "auto", interactive: true });
  assert.equal(asked.length, 1);
  assert.match(result, /Read-only file system[^]*The person declined/);
  assert.equal(content, undefined);
});

Deno.test("yolo and hooks that allow everything do not answer for the person", { ignore }, async () => {
  const allow = `echo '{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}'`;
  const hooks = JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [{ command: allow }] }] } });
  for (const more of [{ posture: "yolo" }, { posture: "ask", hooks }] as const) {
    const { asked, content } = await tryOutside({ answer: "deny", interactive: true, ...more });
    assert.deepEqual(asked.map(({ unconfined }) => unconfined), [true]);
    assert.equal(content, undefined);
  }
});

// proves ROAD-03
Deno.test("headless the failure stands in every posture", { ignore }, async () => {
  for (const posture of ["auto", "yolo"] as const) {
    const { asked, result, content } = await tryOutside({ answer: "once", posture, interactive: false });
    assert.deepEqual(asked, []);
    assert.match(result, /Read-only file system/);
    assert.equal(content, undefined);
  }
});

Deno.test("a command that fails by itself is not offered the way out", { ignore }, async () => {
  const { asked } = await tryOutside({
    answer: "once",
    posture: "auto",
    interactive: true,
    command: () => "echo Operation not permitted >&2; exit 1",
  });
  assert.deepEqual(asked, []);
});
