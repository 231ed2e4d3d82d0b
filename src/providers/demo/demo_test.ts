import assert from "node:assert/strict";
import { ReasonixError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import type { ModelAnswer, ModelRequest, Provider } from "../../contract/provider.ts";
import { gather, providerSettings, testPorts } from "../../../tests/support/provider_call.ts";
import { demoKind } from "./kind.ts";
import { demoTask } from "./task.ts";

const TOOLS = ["bash", "complete_step", "edit_file", "read_file", "todo_write"].map((name) => ({
  name,
  description: name,
  parameters: { type: "object" },
}));

const demo = (): Provider => demoKind.create(providerSettings({ kind: "demo", apiKey: "" }), testPorts());

async function withProject(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const file of demoTask.files) await Deno.writeTextFile(`${folder}/${file.path}`, file.text);
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

type Hands = (name: string, args: Record<string, string>) => Promise<string> | string;

/** The least that plays the part of the loop and of the tools. */
async function play(
  provider: Provider,
  hands: Hands,
  options: { readonly prompt?: string; readonly tools?: typeof TOOLS } = {},
) {
  const { prompt = demoTask.prompt, tools = TOOLS } = options;
  const messages: Message[] = [{ role: "user", content: prompt }];
  const answers: ModelAnswer[] = [];
  while (answers.length < 20) {
    const request: ModelRequest = { system: "You are a coding agent.", tools, messages: [...messages] };
    const { answer } = await gather(provider, request);
    assert.ok(answer);
    answers.push(answer);
    if (answer.calls.length === 0) return { answers, messages };
    messages.push({ role: "assistant", content: answer.text, tool_calls: answer.calls });
    for (const call of answer.calls) {
      const content = await hands(call.name, JSON.parse(call.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, name: call.name, content });
    }
  }
  throw new Error("the demo does not end");
}

function realHands(folder: string): Hands {
  return async (name, args) => {
    if (name === "read_file") return await Deno.readTextFile(`${folder}/${args.path}`);
    if (name === "edit_file") {
      const path = `${folder}/${args.path}`;
      const text = await Deno.readTextFile(path);
      assert.equal(text.split(args.old_string!).length, 2, "the edit fits exactly once");
      await Deno.writeTextFile(path, text.replace(args.old_string!, () => args.new_string!));
      return `edited ${path}`;
    }
    if (name !== "bash") return "ok";
    const { code, stdout } = await new Deno.Command("sh", { args: ["-c", args.command!], cwd: folder }).output();
    const text = new TextDecoder().decode(stdout);
    return code === 0 ? text : `error: exit status ${code}\n${text}`;
  };
}

Deno.test("the demo model finds the bug, repairs it and shows that the tests pass", async () => {
  await withProject(async (folder) => {
    const { answers, messages } = await play(demo(), realHands(folder));
    assert.deepEqual(answers.map((answer) => answer.calls.map((call) => call.name)), [
      ["todo_write", "read_file", "read_file"],
      ["bash"],
      ["complete_step", "edit_file"],
      ["complete_step", "bash"],
      ["complete_step"],
      [],
    ]);
    const runs = messages.filter((message) => message.name === "bash").map((message) => message.content ?? "");
    assert.match(runs[0]!, /^error: exit status 1\n[^]*FAIL/);
    assert.doesNotMatch(runs[1]!, /FAIL|error:/);
    assert.match(answers.at(-1)!.text, /The tests pass now/);
  });
});

Deno.test("where no receipts are wanted the demo model signs off in its task list", async () => {
  await withProject(async (folder) => {
    const tools = TOOLS.filter((tool) => tool.name !== "complete_step");
    const { answers } = await play(demo(), realHands(folder), { tools });
    const lists = answers.flatMap((answer) => answer.calls).filter((call) => call.name === "todo_write");
    const states = lists.map((call) => JSON.parse(call.arguments).todos.map((todo: { status: string }) => todo.status));
    assert.deepEqual(states, [
      ["in_progress", "pending", "pending"],
      ["completed", "in_progress", "pending"],
      ["completed", "completed", "in_progress"],
      ["completed", "completed", "completed"],
    ]);
  });
});

Deno.test("each request of the demo finds in the cache what it shares with the one before", async () => {
  await withProject(async (folder) => {
    const { answers } = await play(demo(), realHands(folder));
    const usages = answers.map((answer) => answer.usage);
    assert.equal(usages[0]!.cacheHit, 0);
    for (const [at, usage] of usages.entries()) {
      assert.equal(usage.cacheHit! + usage.cacheMiss!, usage.prompt);
      if (at > 0) assert.ok(usage.cacheHit! > usages[at - 1]!.prompt * 0.7, `request ${at + 1}`);
    }
  });
});

for (
  const [what, tool, answer, said] of [
    ["a refused command", "bash", "blocked: bash needs an approval", /`bash` was refused/],
    ["a refused edit", "edit_file", "blocked: writing is not allowed", /`edit_file` was refused/],
    ["a file that is missing", "read_file", "error: no such file", /`read_file` failed/],
    ["an edit that does not fit", "edit_file", "error: old_string not found", /`edit_file` failed/],
  ] as const
) {
  Deno.test(`the demo model says so and stops after ${what}`, async () => {
    await withProject(async (folder) => {
      const hands = realHands(folder);
      const { answers } = await play(demo(), (name, args) => name === tool ? answer : hands(name, args));
      assert.match(answers.at(-1)!.text, said);
      assert.ok(answers.at(-1)!.text.includes(answer));
    });
  });
}

Deno.test("the demo model goes on without bookkeeping that the host refuses", async () => {
  await withProject(async (folder) => {
    const hands = realHands(folder);
    const books = (name: string) => name === "todo_write" || name === "complete_step";
    const { answers } = await play(demo(), (name, args) => books(name) ? "error: no" : hands(name, args));
    assert.match(answers.at(-1)!.text, /The tests pass now/);
  });
});

Deno.test("the demo model changes nothing in a project whose tests pass", async () => {
  await withProject(async (folder) => {
    await Deno.writeTextFile(`${folder}/test.sh`, "echo all good\n");
    const { answers } = await play(demo(), realHands(folder));
    assert.match(answers.at(-1)!.text, /nothing to fix/);
  });
});

Deno.test("the demo model stops when its change does not help", async () => {
  await withProject(async (folder) => {
    await Deno.writeTextFile(`${folder}/test.sh`, "echo FAIL for ever; exit 1\n");
    const { answers } = await play(demo(), realHands(folder));
    assert.match(answers.at(-1)!.text, /still fail after my change/);
  });
});

Deno.test("the demo model admits that it can do nothing else", async () => {
  const { answers } = await play(demo(), () => "", { prompt: "Write me a poem." });
  assert.match(answers[0]!.text, /offline demo model/);
});

Deno.test("a stopped demo ends as cancelled", async () => {
  const stop = new AbortController();
  stop.abort();
  const { error } = await gather(demo(), {
    system: "",
    tools: TOOLS,
    messages: [{ role: "user", content: demoTask.prompt }],
  }, stop.signal);
  assert.equal((error as ReasonixError).code, "turn.cancelled");
});
