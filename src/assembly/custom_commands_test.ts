import assert from "node:assert/strict";
import type { LoadedCommands } from "../extensions/mod.ts";
import { createCustomCommands } from "./custom_commands.ts";
import type { Project } from "./project.ts";

const NONE: LoadedCommands = { commands: [], problems: [] };
const MINE = { name: "mine", file: "mine.md", description: "", argumentHint: "", body: "Look.", foreign: false };

Deno.test("what was read last counts, however long the reading before it takes", async () => {
  const first = Promise.withResolvers<LoadedCommands>();
  const readings = [first.promise, Promise.resolve({ ...NONE, commands: [MINE] })];
  const source = createCustomCommands({} as Project, () => {}, () => readings.shift()!);
  const reloaded = source.reload!();
  first.resolve(NONE);
  await reloaded;
  await first.promise;
  assert.deepEqual(await source.run("mine", ""), { kind: "prompt", text: "Look." });
});
