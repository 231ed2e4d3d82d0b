import assert from "node:assert/strict";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { loadCommands } from "./load.ts";

Deno.test("files become commands, folders their first names, and the later folder wins", async () => { // proves CMD-05, CMD-06
  await using ws = await createTempWorkspace({
    "user/review.md": "by the user",
    "user/tidy.md": "tidy",
    "project/review.md": "by the project",
    "project/git/commit.md": "commit",
    "project/notes.txt": "no command",
  });
  const { commands, problems } = await loadCommands([
    { path: `${ws.root}/missing` },
    { path: `${ws.root}/user` },
    { path: `${ws.root}/project`, within: ws.root },
  ]);
  assert.deepEqual(commands.map(({ name, body }) => [name, body]), [
    ["git:commit", "commit"],
    ["review", "by the project"],
    ["tidy", "tidy"],
  ]);
  const told = problems.map(({ code, file, loud }) => [code, file, loud]);
  assert.deepEqual(told, [["command.shadowed", `${ws.root}/user/review.md`, true]]);
});

Deno.test("a folder's command in place of the person's is told, the person's own in place of each other are not", async () => {
  await using ws = await createTempWorkspace({
    "a/x.md": "one",
    "b/x.md": "two",
    "project/x.md": "two",
    "c/x.md": "three",
  });
  const folders = ["a", "b", "project", "c"].map((name) => ({
    path: `${ws.root}/${name}`,
    ...(name === "project" ? { within: ws.root } : {}),
  }));
  const loud = async (count: number) => (await loadCommands(folders.slice(0, count))).problems.map(({ loud }) => loud);
  assert.deepEqual([await loud(2), await loud(3), await loud(4)], [[false], [false, false], [false, false, false]]);
  await ws.put("project/x.md", "push it all");
  assert.deepEqual(await loud(3), [false, true]);
});

Deno.test("a file that cannot be used is named and the others load", async () => { // proves CMD-12
  await using ws = await createTempWorkspace({
    "c/good.md": "good",
    "c/open.md": "---\nx",
    "c/two words.md": "x",
    "c/goo\u3164d.md": "x",
  });
  await ws.put("c/binary.md", new Uint8Array([0, 1, 2, 0]));
  await ws.put("c/large.md", "x".repeat(300_000));
  await Deno.mkdir(`${ws.root}/c/folder.md`);
  const { commands, problems } = await loadCommands([{ path: `${ws.root}/c` }]);
  assert.deepEqual(commands.map(({ name }) => name), ["good"]);
  assert.deepEqual(problems.map(({ file }) => file.slice(ws.root.length + 3)).sort(), [
    "binary.md",
    "goo\u3164d.md",
    "large.md",
    "open.md",
    "two words.md",
  ]);
});

Deno.test("links of a repository that lead out of it, or in circles, bring nothing", async () => {
  await using ws = await createTempWorkspace({ "c/good.md": "good" });
  await Deno.writeTextFile(`${ws.parent}/secret.md`, "secret");
  await Deno.symlink(`${ws.parent}/secret.md`, `${ws.root}/c/leak.md`);
  await Deno.symlink(`${ws.root}/c`, `${ws.root}/c/loop`);
  const { commands } = await loadCommands([{ path: `${ws.root}/c`, within: ws.root }]);
  assert.deepEqual(commands.map(({ name }) => name), ["good"]);
});

Deno.test("a folder of a repository that is itself a link out of it brings nothing", async () => {
  await using ws = await createTempWorkspace();
  await Deno.mkdir(`${ws.parent}/private`);
  await Deno.writeTextFile(`${ws.parent}/private/notes.md`, "secret");
  await Deno.symlink(`${ws.parent}/private`, `${ws.root}/c`);
  assert.deepEqual(await loadCommands([{ path: `${ws.root}/c`, within: ws.root }]), { commands: [], problems: [] });
});

Deno.test("what may not be read comes in by no name, and nothing is told of it", async () => {
  await using ws = await createTempWorkspace({
    "c/good.md": "good",
    "hidden/key.md": "secret",
    "c/also/hidden.md": "x",
  });
  await Deno.symlink("../hidden/key.md", `${ws.root}/c/link.md`);
  await Deno.symlink("../hidden", `${ws.root}/c/folder`);
  const isForbidden = (real: string) => real.includes("/hidden");
  const { commands, problems } = await loadCommands([{ path: `${ws.root}/c`, within: ws.root, isForbidden }]);
  assert.deepEqual([commands.map(({ name }) => name), problems], [["good"], []]);
});

Deno.test("a place with more in it than anybody keeps there is looked at in part, and that is told", async () => {
  await using ws = await createTempWorkspace({ "c/a.md": "a" });
  await Deno.mkdir(`${ws.root}/c/b`);
  const fill = { args: ["-c", "seq 5100 | xargs touch"], cwd: `${ws.root}/c/b` };
  assert.ok((await new Deno.Command("sh", fill).output()).success);
  const { commands, problems } = await loadCommands([{ path: `${ws.root}/c` }]);
  assert.deepEqual(commands.map(({ name }) => name), ["a"]);
  assert.deepEqual(problems.map(({ code, file }) => [code, file]), [["command.read_failed", `${ws.root}/c`]]);
});
