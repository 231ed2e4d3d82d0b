/** The file tools with all walls around their files, composed as for a session. */
import assert from "node:assert/strict";
import { Refusal, ToolError } from "../../src/contract/errors.ts";
import type { ToolKind } from "../../src/contract/tool.ts";
import { FileError, type Files } from "../../src/contract/workspace.ts";
import { confineWrites, forbidReads, protectChangedFiles, statePaths } from "../../src/safety/mod.ts";
import { BUILTIN_TOOLS } from "../../src/tools/mod.ts";
import { createTempWorkspace, type TempWorkspace } from "../support/temp_workspace.ts";

interface Session {
  /** Text for the model as the loop words it. */
  call(tool: string, args: Record<string, unknown>): Promise<string>;
}

function open(ws: TempWorkspace): Session {
  const home = `${ws.parent}/home`;
  const confined = confineWrites(ws.files, { roots: [ws.root, home], protectedPaths: statePaths(home) });
  const readable = forbidReads(confined, { paths: [`${home}/.env`, `${ws.parent}/ssh`] });
  const files: Files = protectChangedFiles(readable);
  return {
    call: async (tool, args) => {
      const kind: ToolKind = BUILTIN_TOOLS.find(({ name }) => name === tool)!;
      try {
        return (await ws.call(kind, args, files)).text;
      } catch (error) {
        if (error instanceof Refusal) return `blocked: ${error.message} ${error.remedy ?? ""}`.trimEnd();
        if (error instanceof ToolError || error instanceof FileError) return `error: ${error.message}`;
        throw error;
      }
    },
  };
}

Deno.test("same bytes with a new time, and two edits in a row, are no foreign change", async () => {
  await using ws = await createTempWorkspace({ "a.py": "x = 1\ny = 2\n" });
  const { call } = open(ws);
  await call("read_file", { path: "a.py" });
  await ws.put("a.py", "x = 1\ny = 2\n");
  await Deno.utime(`${ws.root}/a.py`, 2000, 2000);
  assert.match(await call("edit_file", { path: "a.py", old_string: "x = 1", new_string: "x = 3" }), /^edited /);
  assert.match(await call("edit_file", { path: "a.py", old_string: "y = 2", new_string: "y = 4" }), /^edited /);
  assert.match(await call("write_file", { path: "a.py", content: "z\n" }), /^wrote /);
});

Deno.test("a person's change since the read stops a whole-file write until the file was read again", async () => {
  await using ws = await createTempWorkspace({ "a.py": "x = 1\n" });
  const { call } = open(ws);
  await call("read_file", { path: "a.py" });
  await ws.put("a.py", "x = 1  # mine\n");
  await call("grep", { pattern: "mine" });
  assert.match(
    await call("write_file", { path: "a.py", content: "x = 2\n" }),
    /^error: .* Read it again[^]*\+x = 1 {2}# mine$/,
  );
  assert.equal(await ws.text("a.py"), "x = 1  # mine\n");
  await call("read_file", { path: "a.py" });
  assert.match(await call("write_file", { path: "a.py", content: "x = 2  # mine\n" }), /^wrote /);
});

// proves SBX-01, SBX-02, SBX-03
Deno.test("no writing tool leaves the roots, by link, by dots or by a name that begins the same", async () => {
  await using ws = await createTempWorkspace({ "b.txt": "b", "src/s.txt": "s" });
  const out = `${ws.parent}/out`;
  await Deno.mkdir(out);
  await Deno.writeTextFile(`${out}/seed.txt`, "seed");
  await Deno.symlink(out, `${ws.root}/outbox`);
  await Deno.symlink("src", `${ws.root}/in`);
  const { call } = open(ws);
  const attempts: [string, Record<string, unknown>][] = [
    ["write_file", { path: "outbox/a.txt", content: "x" }],
    ["write_file", { path: "outbox/new/deep/a.txt", content: "x" }],
    ["write_file", { path: "../ws-private/k.txt", content: "x" }],
    ["edit_file", { path: "outbox/seed.txt", old_string: "seed", new_string: "x" }],
    ["multi_edit", { path: "outbox/seed.txt", edits: [{ old_string: "seed", new_string: "x" }] }],
    ["move_file", { source_path: "b.txt", destination_path: "outbox/b.txt" }],
    ["move_file", { source_path: "outbox/seed.txt", destination_path: "seed.txt" }],
  ];
  for (const [tool, args] of attempts) {
    assert.match(await call(tool, args), /^blocked: .*outside the folders that may be written: .*--add-dir/, tool);
  }
  assert.equal(await call("read_file", { path: "outbox/seed.txt" }), "1→seed");
  assert.deepEqual(await ws.files.list(out), [{ name: "seed.txt", kind: "file" }]);
  assert.match(await call("write_file", { path: "in/a.txt", content: "x" }), /^wrote /);
  assert.match(await call("move_file", { source_path: "b.txt", destination_path: "in/b.txt" }), /^moved /);
});

// proves SBX-04
Deno.test("the home's config may be written, its state never", async () => {
  await using ws = await createTempWorkspace();
  const home = `${ws.parent}/home`;
  await Deno.mkdir(`${home}/sessions`, { recursive: true });
  const { call } = open(ws);
  assert.match(await call("write_file", { path: `${home}/config.toml`, content: "x" }), /^wrote /);
  assert.match(await call("write_file", { path: `${home}/sessions/s`, content: "x" }), /^blocked: .*own state/);
  assert.match(await call("write_file", { path: `${home}/projects/p/s`, content: "x" }), /^blocked: .*own state/);
});

// proves SBX-05
Deno.test("what may not be read is missing for reading, listing, searching and editing alike", async () => {
  await using ws = await createTempWorkspace({ "a": "a" });
  await Deno.mkdir(`${ws.parent}/home`);
  await Deno.mkdir(`${ws.parent}/ssh`);
  await Deno.writeTextFile(`${ws.parent}/home/.env`, "SECRET=1\n");
  await Deno.writeTextFile(`${ws.parent}/ssh/id_x`, "SECRET\n");
  await Deno.symlink(`${ws.parent}/ssh`, `${ws.root}/keys`);
  const { call } = open(ws);
  const { parent, root } = ws;
  assert.equal(await call("read_file", { path: `${parent}/home/.env` }), `error: ${parent}/home/.env does not exist`);
  assert.equal(await call("read_file", { path: "keys/id_x" }), `error: ${root}/keys/id_x does not exist`);
  assert.equal(await call("ls", { path: `${parent}/ssh` }), "(empty directory)");
  assert.equal(await call("ls", { path: "keys" }), "(empty directory)");
  assert.match(await call("ls", { path: `${parent}/home` }), /\.env/);
  assert.match(await call("edit_file", { path: "keys/id_x", old_string: "S", new_string: "T" }), /does not exist$/);
  assert.match(await call("write_file", { path: `${parent}/home/.env`, content: "x" }), /^blocked: /);
  for (const path of [parent, "keys", `${parent}/home`]) {
    assert.doesNotMatch(await call("grep", { pattern: "SECRET", path }), /SECRET.*=|id_x:|\.env:/);
  }
  assert.equal(await Deno.readTextFile(`${parent}/home/.env`), "SECRET=1\n");
});
