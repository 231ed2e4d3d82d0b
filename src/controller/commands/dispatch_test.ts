import assert from "node:assert/strict";
import { ToolError } from "../../contract/errors.ts";
import type { Servers } from "../../contract/servers.ts";
import type { CommandView } from "../command.ts";
import type { Controller } from "../controller.ts";
import { createCommands } from "./dispatch.ts";
import type { CommandHost, CommandSource } from "./host.ts";
import { SessionTotals } from "./session_totals.ts";
import { BUILT_IN } from "./table.ts";

const source = (names: readonly string[], group: CommandView["group"]): CommandSource => ({
  list: () => names.map((name) => ({ name, summary: `${group} ${name}`, argumentHint: "", group })),
  run: (name, argument) =>
    Promise.resolve(names.includes(name) ? { kind: "prompt", text: `${group} ${name} ${argument}` } : undefined),
});

const servers = {
  list: () => [],
  prompts: () => [{
    server: "files",
    name: "review",
    command: "mcp__files__review",
    description: "Review files",
    arguments: [{ name: "path", description: "", required: true }, { name: "depth", description: "", required: false }],
  }],
  prompt: (_: string, words: readonly string[]) =>
    words.length === 0
      ? Promise.reject(new ToolError("path is missing"))
      : Promise.resolve(`Review ${words.join("+")}`),
} as unknown as Servers;

function commandsWith(sources: readonly CommandSource[]) {
  const controller = { servers } as Controller;
  const host = { sources } as CommandHost;
  return createCommands({ controller, host, runtime: () => assert.fail(), totals: new SessionTotals("p/m") });
}

Deno.test("prompts of servers are commands like any other, and their text is the next turn", async () => { // proves CMD-08, CMD-13
  const commands = commandsWith([]);
  assert.deepEqual(commands.list().at(-1), {
    name: "mcp__files__review",
    summary: "Review files",
    argumentHint: "PATH [DEPTH]",
    group: "mcp",
  });
  assert.deepEqual(await commands.run("/mcp__files__review a 2"), { kind: "prompt", text: "Review a+2" });
  assert.deepEqual(await commands.run("/mcp__files__review"), { kind: "error", text: "path is missing" });
});

Deno.test("built-in names and earlier sources are never taken over", async () => {
  const commands = commandsWith([source(["status", "exit", "mine"], "custom"), source(["mine", "skill"], "skill")]);
  const foreign = commands.list().slice(BUILT_IN.length).map(({ name, group }) => `${group} ${name}`);
  assert.deepEqual(foreign, ["custom mine", "skill skill", "mcp mcp__files__review"]);
  assert.deepEqual(await commands.run("/exit"), { kind: "frontend", action: "quit", argument: "" });
  assert.deepEqual(await commands.run("/mine a  b"), { kind: "prompt", text: "custom mine a  b" });
});

Deno.test("no two built-in commands have a name in common", () => {
  const names = BUILT_IN.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assert.deepEqual(names, [...new Set(names)]);
});

Deno.test("a defect of a command is no answer", async () => {
  const broken: CommandSource = { list: () => [], run: () => Promise.reject(new TypeError("a bug")) };
  await assert.rejects(commandsWith([broken]).run("/anything"), TypeError);
});
