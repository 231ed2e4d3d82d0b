import assert from "node:assert/strict";
import { Refusal } from "../../contract/errors.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { ignoringCase } from "../../../tests/support/caseless_files.ts";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { passThrough } from "./pass_through.ts";
import { forbidReads } from "./read_ban.ts";

const WHOLE = { kind: "whole" } as const;

async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FileError || error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error("nothing failed");
}

// proves SBX-05
Deno.test("a banned file reads exactly like a missing one, and its folder still lists the name", async () => {
  await using ws = await createTempWorkspace({ "d/.env": "K=1", "d/a": "a" });
  const files = forbidReads(ws.files, { paths: [`${ws.root}/d/.env`] });
  for (const read of [(path: string) => files.read(path), (path: string) => files.readHead(path, 9)]) {
    const banned = await messageOf(read("d/.env"));
    assert.equal(banned, (await messageOf(read("d/none"))).replace("d/none", "d/.env"));
  }
  assert.equal(await files.stat("d/.env"), undefined);
  assert.equal(await files.hidden("d/.env"), true);
  assert.equal(await files.hidden("d/a"), false);
  assert.deepEqual((await files.list("d")).map((entry) => entry.name), [".env", "a"]);
  assert.equal((await files.read("d/a")).bytes.length, 1);
});

Deno.test("a banned folder is there but empty, and nothing in it exists", async () => {
  await using ws = await createTempWorkspace({ "ssh/id_x": "k", "ssh/sub/y": "k", "a": "" });
  const files = forbidReads(ws.files, { paths: [`${ws.root}/ssh`] });
  assert.equal((await files.stat("ssh"))?.kind, "directory");
  assert.deepEqual(await files.list("ssh"), []);
  for (const path of ["ssh/id_x", "ssh/sub", "ssh/sub/y"]) {
    assert.equal(await files.stat(path), undefined, path);
    assert.equal(await files.hidden(path), true, path);
    assert.equal(await messageOf(files.read(path)), `${ws.root}/${path} does not exist`);
  }
  assert.equal(await messageOf(files.list("ssh/sub")), `${ws.root}/ssh/sub does not exist`);
  assert.deepEqual((await files.list(".")).map((entry) => entry.name), ["a", "ssh"]);
});

Deno.test("links, hard links and links that become such do not lead around a ban", async () => {
  await using ws = await createTempWorkspace({ "secret/key": "k", "secret.txt": "s", "plain": "p" });
  await Deno.symlink("secret", `${ws.root}/dir`);
  await Deno.symlink("secret/key", `${ws.root}/file`);
  await Deno.symlink("file", `${ws.root}/twice`);
  await Deno.link(`${ws.root}/secret.txt`, `${ws.root}/hard`);
  const paths = [`${ws.root}/secret`, `${ws.root}/secret.txt`];
  const files = forbidReads(ws.files, { paths });
  for (const path of ["dir/key", "file", "twice", "hard", "plain/../secret/key"]) {
    assert.equal(await files.hidden(path), true, path);
    assert.equal(await files.stat(path), undefined, path);
    await assert.rejects(files.read(path), FileError);
  }
  assert.deepEqual(await files.list("dir"), []);

  const swapping: Files = {
    ...passThrough(ws.files),
    read: async (path, options) => {
      await Deno.remove(`${ws.root}/plain`);
      await Deno.symlink("secret/key", `${ws.root}/plain`);
      return await ws.files.read(path, options);
    },
  };
  await assert.rejects(forbidReads(swapping, { paths }).read("plain"), FileError);
});

Deno.test("a ban on a link is a ban on what it leads to", async () => {
  await using ws = await createTempWorkspace({ "real/key": "k" });
  await Deno.symlink("real", `${ws.root}/link`);
  const files = forbidReads(ws.files, { paths: [`${ws.root}/link`] });
  await assert.rejects(files.read("real/key"), FileError);
  assert.deepEqual(await files.list("real"), []);
});

Deno.test("what begins like a banned name is not banned, and what appears later is", async () => {
  await using ws = await createTempWorkspace({ ".env.example": "e" });
  const files = forbidReads(ws.files, { paths: [`${ws.root}/.env`] });
  assert.equal((await files.read(".env.example")).bytes.length, 1);
  await ws.put(".env", "K=1");
  await assert.rejects(files.read(".env"), FileError);
});

// proves SBX-05
Deno.test("where letter case does not matter, every spelling is banned; where it does, only the one", async () => {
  await using ws = await createTempWorkspace({ "home/.ssh/id_x": "k", "home/.SSH2/id_x": "other" });
  const paths = [`${ws.root}/home/.ssh`, `${ws.root}/home/.ENV`];
  const caseless = forbidReads(ignoringCase(ws.files), { paths });
  for (const path of ["home/.SSH/id_x", "HOME/.ssh/ID_X", "home/.env"]) {
    assert.equal(await caseless.hidden(path), true, path);
    await assert.rejects(caseless.read(path), FileError);
  }
  assert.equal(await caseless.hidden("home/.ssh2/id_x"), false);
  const plain = forbidReads(ws.files, { paths });
  await ws.put("home/.SSH/other", "x");
  assert.equal(await plain.hidden("home/.SSH/other"), false);
});

Deno.test("a banned path is neither overwritten nor moved out of its ban", async () => {
  await using ws = await createTempWorkspace({ "d/.env": "K=1", "a": "a" });
  const files = forbidReads(ws.files, { paths: [`${ws.root}/d/.env`] });
  await assert.rejects(files.write("d/.env", toBytes("x"), WHOLE), Refusal);
  await assert.rejects(files.move("a", "d/.env"), Refusal);
  await assert.rejects(files.move("d", "e"), Refusal);
  assert.equal(await messageOf(files.move("d/.env", "b")), `${ws.root}/d/.env does not exist`);
  assert.equal(await messageOf(files.remove("d/.env")), `${ws.root}/d/.env does not exist`);
  assert.equal(await ws.text("d/.env"), "K=1");
  await files.move("a", "b");
});
