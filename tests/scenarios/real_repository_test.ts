/**
 * A real package from npm, its own tests, and a model that knows only what it was sent: from red to green with every
 * tool of everyday work, through the program as a process. `REASONIX_EXECUTABLE` runs the same with an executable.
 */
import assert from "node:assert/strict";
import { ModelServer, type WireBody, type WireStep } from "../support/model_server.ts";
import { Bed, localProvider } from "../support/program.ts";

const PACKAGE = "mathjs@3.20.2";
const RUNNER = "mocha@10.8.2";
const HEALTHY = "  return (a < 0) ? -a : a;\n";
const BROKEN = "  return a;\n";
const TEST = "node_modules/.bin/mocha test/function/arithmetic/gcd.test.js";

async function run(cwd: string, command: string): Promise<{ code: number; out: string }> {
  const { code, stdout, stderr } = await new Deno.Command("sh", { args: ["-c", command], cwd, stdin: "null" }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout) + text(stderr) };
}

/** Undefined where the package cannot be had. */
async function unpack(bed: Bed): Promise<string | undefined> {
  const made = await run(
    bed.base,
    `npm pack --silent ${PACKAGE} && tar xzf mathjs-*.tgz && mv package/* ws/ && mkdir deps && cd deps && ` +
      `echo '{"private":true}' > package.json && npm install --silent --no-audit --no-fund ${PACKAGE} ${RUNNER} && ` +
      `rm -rf node_modules/mathjs && mv node_modules ../ws/`,
  ).catch(() => undefined);
  if (made?.code !== 0) return undefined;
  const file = `${bed.workspace}/lib/function/arithmetic/gcd.js`;
  await Deno.writeTextFile(file, (await Deno.readTextFile(file)).replace(HEALTHY, BROKEN));
  await Deno.writeTextFile(`${bed.workspace}/.gitignore`, "node_modules\n");
  await run(
    bed.workspace,
    "git init -q && git add -A && git -c user.name=t -c user.email=t@example.com commit -qm import",
  );
  return file;
}

const lastResults = (body: WireBody): string[] => {
  const from = body.messages.findLastIndex((message: { role: string }) => message.role === "assistant");
  return body.messages.slice(from + 1).map((message: { content: string }) => message.content);
};
const call = (name: string, args: unknown) => ({ calls: [{ name, args }] });
const todo = (status: string) => ({
  name: "todo_write",
  args: { todos: [{ step_id: "fix", content: "Fix gcd", status }] },
});

/** Each step reads what the tools answered and derives the next call from it. */
function script(): WireStep[] {
  let source = "";
  let job = "";
  let shown = "";
  return [
    { text: "I'll look around.", calls: [todo("in_progress"), { name: "ls", args: {} }] },
    (body) => {
      assert.match(lastResults(body)[1]!, /lib\/\n[\s\S]*test\//);
      return {
        calls: [{ name: "glob", args: { pattern: "lib/**/gcd.js" } }, {
          name: "grep",
          args: { pattern: "^function _gcd\\(", path: "lib" },
        }],
      };
    },
    (body) => {
      const [found, matched] = lastResults(body);
      source = /^(.+?):(?:\d+:)?function _gcd/.exec(matched!)![1]!;
      assert.ok(found!.split("\n").includes(source), found);
      return call("bash", { command: TEST });
    },
    (body) => {
      assert.match(lastResults(body)[0]!, /^error: exit status [1-9]/);
      assert.match(lastResults(body)[0]!, /failing/);
      return call("read_file", { path: source });
    },
    (body) => {
      shown = lastResults(body)[0]!;
      return call("write_file", { path: "notes.txt", content: "cause: ?\nfix: ?\n" });
    },
    call("multi_edit", {
      path: "notes.txt",
      edits: [{ old_string: "cause: ?", new_string: "cause: sign" }, { old_string: "fix: ?", new_string: "fix: abs" }],
    }),
    call("move_file", { source_path: "notes.txt", destination_path: "notes/gcd.txt" }),
    call("bash", { command: TEST, run_in_background: true }),
    (body) => {
      job = /bash-\d+/.exec(lastResults(body)[0]!)![0];
      return call("wait", { job_ids: [job] });
    },
    (body) => {
      assert.match(lastResults(body)[0]!, /failing/);
      return call("bash", { command: "echo up; sleep 300", run_in_background: true });
    },
    (body) => {
      job = /bash-\d+/.exec(lastResults(body)[0]!)![0];
      return { calls: [{ name: "bash_output", args: { job_id: job } }, { name: "kill_shell", args: { job_id: job } }] };
    },
    (body) => {
      assert.match(lastResults(body)[1]!, new RegExp(`Killed background job "${job}"`));
      const lines = shown.split("\n").map((line) => line.replace(/^\s*\d+→/, ""));
      const from = lines.findIndex((line) => line.startsWith("function _gcd("));
      const at = lines.findIndex((line, index) => index > from && line.trim() === "return a;");
      return call("edit_file", {
        path: source,
        old_string: `${lines[at]}\n${lines[at + 1]}`,
        new_string: `${HEALTHY}${lines[at + 1]}`,
      });
    },
    call("bash", { command: TEST, verifies: "gcd works again" }),
    (body) => {
      assert.match(lastResults(body)[0]!, /passing/);
      assert.doesNotMatch(lastResults(body)[0]!, /^error:|failing/);
      return call("bash", { command: "rm -r notes && git status --short" });
    },
    (body) => {
      assert.equal(lastResults(body)[0]!.trim(), "M lib/function/arithmetic/gcd.js");
      return call("use_capability", { action: "list" });
    },
    { calls: [todo("completed")] },
    { text: "gcd keeps the sign away again; its tests pass." },
  ];
}

Deno.test("a broken function of a real package is found, fixed and proved by the package's own tests", async (t) => {
  await using bed = await Bed.create({ keys: "LOCAL_KEY=k\n" });
  if (await unpack(bed) === undefined) {
    return await t.step({ name: `needs npm and ${PACKAGE}`, ignore: true, fn: () => {} }).then(() => {});
  }
  await using model = new ModelServer(script());
  await Deno.writeTextFile(`${bed.home}/config.toml`, localProvider(model.url));
  assert.notEqual((await run(bed.workspace, TEST)).code, 0);

  const ended = await bed.run([
    "run",
    "--auto",
    "The tests of gcd fail. Fix it.",
    "--metrics",
    `${bed.base}/metrics.json`,
  ]);

  assert.equal(ended.code, 0, ended.err + ended.out);
  assert.match(ended.out, /gcd keeps the sign away again/);
  assert.equal((await run(bed.workspace, TEST)).code, 0);
  const changed = (await run(bed.workspace, "git diff -U0 --no-color | grep '^[-+][^-+]'; git status --short")).out;
  assert.equal(changed, `-${BROKEN}+${HEALTHY} M lib/function/arithmetic/gcd.js\n`);
  const metrics = JSON.parse(await Deno.readTextFile(`${bed.base}/metrics.json`));
  assert.equal(metrics.steps, 17);
  assert.deepEqual(Object.keys(metrics.tool_calls_by_name).sort(), [
    ...["bash", "bash_output", "edit_file", "glob", "grep", "kill_shell", "ls", "move_file", "multi_edit", "read_file"],
    ...["todo_write", "use_capability", "wait", "write_file"],
  ]);
});
