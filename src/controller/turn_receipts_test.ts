import assert from "node:assert/strict";
import type { ToolExecution } from "../contract/message.ts";
import { TurnReceipts } from "./turn_receipts.ts";

const write = (...paths: string[]) => ({
  tool: "write_file",
  args: {},
  execution: { state: "completed", paths_written: paths },
});
const run = (command: string, exit_code = 0, state: ToolExecution["state"] = "completed") => ({
  tool: "bash",
  args: { command },
  execution: { state, exit_code },
});

type Call = ReturnType<typeof write> | ReturnType<typeof run>;

function standing(...calls: readonly (Call & { readonly reads?: boolean })[]): string {
  const receipts = new TurnReceipts();
  for (const { tool, args, execution, reads = false } of calls) {
    receipts.add({ callId: "c", tool, args, readOnly: false, reads }, {
      text: "",
      execution: execution as ToolExecution,
    });
  }
  return receipts.standing.kind;
}

Deno.test("a turn that wrote nothing has nothing to check", () => {
  assert.equal(standing(run("npm test", 1)), "nothing_written");
});

Deno.test("a check counts when it ran after the last write and passed", () => {
  assert.equal(standing(write("a.ts"), run("npm test")), "checked");
  assert.equal(standing(run("npm test"), write("a.ts")), "unchecked");
  assert.equal(standing(write("a.ts"), run("npm test"), write("b.ts")), "unchecked");
  assert.equal(standing(write("a.ts"), run("npm test", 1)), "failed");
  assert.equal(standing(write("a.ts"), run("npm test", 1), run("npm test")), "checked");
});

Deno.test("reading, waiting and what may have checked nothing is no check", () => {
  assert.equal(standing(write("a.ts"), { ...run("cat a.ts"), reads: true }), "unchecked");
  assert.equal(standing(write("a.ts"), run("npm test", 0, "background")), "unchecked");
  assert.equal(standing(write("a.ts"), run("npm test || true")), "perhaps");
  assert.equal(standing(write("a.ts"), run("./a.sh")), "perhaps");
  assert.equal(standing(write("a.ts"), run("./a.sh", 1)), "unchecked");
});

Deno.test("the checks of many languages are known, and other commands are not taken for one", () => {
  const commands = [
    ..."go test ./... | cargo clippy --all | python3 -m pytest -q | deno task ok | npx tsc --noEmit".split(" | "),
    ..."pnpm run typecheck | make -j4 check | cd web && yarn test | ./gradlew build | dotnet test | ctest".split(" | "),
    "make",
  ];
  assert.deepEqual(commands.filter((command) => standing(write("a"), run(command)) !== "checked"), []);
  const others = [
    "npm install",
    "npm ci",
    "make clean",
    "git commit -m test",
    "echo done",
    "makefile.sh",
    "node build.js",
    "cp a b",
  ];
  assert.deepEqual(others.filter((command) => standing(write("a"), run(command)) !== "perhaps"), []);
});
