import assert from "node:assert/strict";
import { FileError, type FileFailure } from "../contract/workspace.ts";
import { sha256, toBytes, toText } from "../lib/bytes.ts";
import { createTempWorkspace } from "../../tests/support/temp_workspace.ts";
import { createLocalFiles } from "./local_files.ts";
import { recoverWrites } from "./write_log.ts";
import { hasBwrap } from "../../tests/support/programs.ts";

async function failure(work: Promise<unknown>): Promise<FileFailure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FileError) return error.failure;
    throw error;
  }
  throw new Error("nothing failed");
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

Deno.test("a relative path starts at the root, and dots are resolved by text alone", async () => {
  await using ws = await createTempWorkspace();
  assert.equal(ws.files.absolute("a/./b/../c"), `${ws.root}/a/c`);
  assert.equal(ws.files.absolute("."), ws.root);
  assert.equal(ws.files.absolute("../x"), `${ws.parent}/x`);
  assert.equal(ws.files.absolute("/etc//hosts"), "/etc/hosts");
});

Deno.test("odd paths are told as such by every operation, and crash none", async () => {
  await using ws = await createTempWorkspace();
  const { files } = ws;
  for (const path of ["", "a\0b", "x".repeat(5000), `${"d/".repeat(2500)}x`, "y".repeat(256), "~/x"]) {
    assert.throws(() => files.absolute(path), (error) => error instanceof FileError && error.failure === "bad_path");
    const attempts: (() => Promise<unknown>)[] = [
      () => files.stat(path),
      () => files.read(path),
      () => files.readHead(path, 1),
      () => files.list(path),
      () => files.write(path, toBytes("x"), { kind: "whole" }),
      () => files.move(path, "b"),
      () => files.move("b", path),
      () => files.remove(path),
      () => files.real(path),
    ];
    for (const attempt of attempts) {
      assert.equal(await failure(attempt()), "bad_path");
    }
  }
});

Deno.test("reading answers the bytes, where they were found and which version they are", async () => {
  await using ws = await createTempWorkspace({ "a.txt": "hello" });
  await Deno.symlink("a.txt", `${ws.root}/link`);
  const version = await sha256("hello");
  assert.deepEqual(await ws.files.read("link"), { path: `${ws.root}/a.txt`, bytes: toBytes("hello"), version });
  assert.equal(toText(await ws.files.readHead("a.txt", 2)), "he");
  assert.equal(await failure(ws.files.read("a.txt", { maxBytes: 4 })), "too_large");
  assert.equal((await ws.files.read("a.txt", { maxBytes: 5 })).bytes.length, 5);
});

Deno.test("missing things, things below a file and link loops are missing", async () => {
  await using ws = await createTempWorkspace({ "a.txt": "hello" });
  await Deno.symlink("loop", `${ws.root}/loop`);
  await Deno.symlink("nowhere", `${ws.root}/dangling`);
  for (const path of ["b.txt", "a.txt/x", "loop", "dangling"]) {
    assert.equal(await ws.files.stat(path), undefined, path);
  }
  assert.equal(await failure(ws.files.read("b.txt")), "not_found");
  assert.equal(await failure(ws.files.read("dangling")), "not_found");
  assert.equal(await failure(ws.files.list("a.txt")), "not_a_directory");
  assert.equal(await failure(ws.files.list("b")), "not_found");
});

Deno.test("pipes, devices, sockets and folders are not opened", async () => {
  await using ws = await createTempWorkspace();
  await run("mkfifo", `${ws.root}/pipe`);
  using _listener = Deno.listen({ transport: "unix", path: `${ws.root}/socket` });
  for (const path of ["pipe", "socket", ".", "/dev/zero", "/dev/null"]) {
    assert.equal(await failure(ws.files.read(path)), "not_a_file", path);
    assert.equal(await failure(ws.files.readHead(path, 10)), "not_a_file", path);
    assert.equal(await failure(ws.files.write(path, toBytes("x"), { kind: "whole" })), "not_a_file", path);
  }
  assert.equal((await ws.files.stat("pipe"))?.kind, "other");
});

Deno.test("a folder is listed by name with the kind of each entry", async () => {
  await using ws = await createTempWorkspace({ "b/x": "", "a": "", "Z": "" });
  await Deno.symlink("a", `${ws.root}/link`);
  await run("mkfifo", `${ws.root}/pipe`);
  assert.deepEqual(await ws.files.list("."), [
    { name: "Z", kind: "file" },
    { name: "a", kind: "file" },
    { name: "b", kind: "directory" },
    { name: "link", kind: "link" },
    { name: "pipe", kind: "other" },
  ]);
});

Deno.test("two spellings of one file have one identity", async () => {
  await using ws = await createTempWorkspace({ "a": "", "b": "" });
  await Deno.symlink("a", `${ws.root}/link`);
  const identity = async (path: string) => (await ws.files.stat(path))?.identity;
  assert.equal(await identity("a"), await identity("link"));
  assert.notEqual(await identity("a"), await identity("b"));
});

Deno.test("the real form of a path follows links as far as anything exists, dangling ones too", async () => {
  await using ws = await createTempWorkspace({ "src/a": "" });
  await Deno.symlink("src", `${ws.root}/in`);
  await Deno.symlink(`${ws.parent}/out`, `${ws.root}/dangling`);
  await Deno.symlink("dangling/deep", `${ws.root}/twice`);
  await Deno.symlink("loop", `${ws.root}/loop`);
  assert.equal(await ws.files.real("in/a"), `${ws.root}/src/a`);
  assert.equal(await ws.files.real("in/new/x"), `${ws.root}/src/new/x`);
  assert.equal(await ws.files.real("dangling"), `${ws.parent}/out`);
  assert.equal(await ws.files.real("dangling/x"), `${ws.parent}/out/x`);
  assert.equal(await ws.files.real("twice"), `${ws.parent}/out/deep`);
  assert.equal(await failure(ws.files.real("loop/x")), "bad_path");
});

Deno.test("a write makes parents, answers the new version and leaves no temporary file", async () => {
  await using ws = await createTempWorkspace();
  const version = await ws.files.write("a/b/c.txt", toBytes("new"), { kind: "whole" });
  assert.equal(version, await sha256("new"));
  assert.equal(await ws.text("a/b/c.txt"), "new");
  assert.deepEqual(await ws.files.list("a/b"), [{ name: "c.txt", kind: "file" }]);
});

Deno.test("a write through a link changes its target and keeps link, mode and owner", async () => {
  await using ws = await createTempWorkspace({ "real.sh": "old" });
  await Deno.chmod(`${ws.root}/real.sh`, 0o755);
  await Deno.symlink("real.sh", `${ws.root}/link.sh`);
  const isRoot = Deno.uid() === 0;
  if (isRoot) await Deno.chown(`${ws.root}/real.sh`, 12, 34);
  await ws.files.write("link.sh", toBytes("new"), { kind: "whole" });
  assert.equal(await ws.text("real.sh"), "new");
  assert.ok((await Deno.lstat(`${ws.root}/link.sh`)).isSymlink);
  const info = await Deno.stat(`${ws.root}/real.sh`);
  assert.equal(info.mode! & 0o777, 0o755);
  if (isRoot) assert.deepEqual([info.uid, info.gid], [12, 34]);
});

Deno.test("a write through a dangling link creates what it points to", async () => {
  await using ws = await createTempWorkspace();
  await Deno.symlink("deep/new.txt", `${ws.root}/link`);
  await ws.files.write("link", toBytes("x"), { kind: "whole" });
  assert.equal(await ws.text("deep/new.txt"), "x");
  assert.ok((await Deno.lstat(`${ws.root}/link`)).isSymlink);
});

Deno.test("a write based on a version is refused when the file holds another one, or none", async () => {
  await using ws = await createTempWorkspace({ "a": "one" });
  const { version } = await ws.files.read("a");
  await ws.put("a", "two");
  assert.equal(await failure(ws.files.write("a", toBytes("x"), { kind: "splice", basedOn: version })), "changed");
  assert.equal(await ws.text("a"), "two");
  await ws.put("a", "one");
  await ws.files.write("a", toBytes("three"), { kind: "splice", basedOn: version });
  assert.equal(await ws.text("a"), "three");
  await Deno.remove(`${ws.root}/a`);
  assert.equal(await failure(ws.files.write("a", toBytes("x"), { kind: "splice", basedOn: version })), "changed");
});

Deno.test("a path said to have no links is refused when a link stands there", async () => {
  await using ws = await createTempWorkspace({ "src/a": "old" });
  await Deno.symlink("src", `${ws.root}/in`);
  const options = { kind: "whole", resolved: true } as const;
  assert.equal(await failure(ws.files.write(`${ws.root}/in/a`, toBytes("x"), options)), "changed");
  assert.equal(await failure(ws.files.move(`${ws.root}/in/a`, `${ws.root}/b`, { resolved: true })), "changed");
  assert.equal(await failure(ws.files.move(`${ws.root}/src/a`, `${ws.root}/in/b`, { resolved: true })), "changed");
  assert.equal(await ws.text("src/a"), "old");
});

Deno.test({
  name: "a read-only file is not replaced behind its back",
  // Root may write anything; CI runs what root skips as somebody else.
  ignore: Deno.uid() === 0,
  fn: async () => {
    await using ws = await createTempWorkspace({ "a": "old" });
    await Deno.chmod(`${ws.root}/a`, 0o444);
    await assert.rejects(ws.files.write("a", toBytes("x"), { kind: "whole" }), { failure: "denied" });
    assert.equal(await ws.text("a"), "old");
  },
});

// Needs the Debian package bubblewrap.
Deno.test({
  name: "a full disk is told as such, and the old content is whole",
  ignore: !hasBwrap,
  fn: async () => {
    await using ws = await createTempWorkspace();
    const module = new URL("./local_files.ts", import.meta.url).href;
    const script = `const { createLocalFiles } = await import(${JSON.stringify(module)});
    await Deno.writeTextFile("/small/a", "old");
    const files = createLocalFiles("/small");
    const failure = await files.write("a", new Uint8Array(1_000_000), { kind: "whole" })
      .then(() => "written", (error) => error.failure);
    console.log(JSON.stringify([failure, await Deno.readTextFile("/small/a"), (await files.list(".")).length]));`;
    await Deno.mkdir(`${ws.root}/small`);
    const output = await new Deno.Command("bwrap", {
      args: [
        ...["--bind", "/", "/", "--size", "65536", "--tmpfs", "/small", "--dev", "/dev"],
        ...[Deno.execPath(), "eval", "--ext=ts", "--no-check", script],
      ],
    }).output().catch(() => undefined);
    assert.ok(output?.success);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(output.stdout)), ["no_space", "old", 1]);
  },
});

Deno.test("a move keeps the content, makes parents and never replaces anything", async () => {
  await using ws = await createTempWorkspace({ "a": "1", "b": "2", "dir/x": "3" });
  await ws.files.move("a", "new/deep/a");
  assert.equal(await ws.text("new/deep/a"), "1");
  assert.equal(await ws.files.stat("a"), undefined);
  assert.equal(await failure(ws.files.move("b", "new/deep/a")), "exists");
  assert.equal(await failure(ws.files.move("dir", "new")), "exists");
  assert.equal(await failure(ws.files.move("nothing", "c")), "not_found");
  assert.equal(await failure(ws.files.move("dir", "dir/inner")), "failed");
  assert.equal(await failure(ws.files.move("b", "b")), "exists");
  await ws.files.move("dir", "other");
  assert.equal(await ws.text("other/x"), "3");
  assert.equal(await ws.files.stat("nothing"), undefined);
});

Deno.test("a link is moved and removed itself, its target stays", async () => {
  await using ws = await createTempWorkspace({ "a": "1" });
  await Deno.symlink(`${ws.root}/a`, `${ws.root}/link`);
  await ws.files.move("link", "moved");
  assert.ok((await Deno.lstat(`${ws.root}/moved`)).isSymlink);
  await ws.files.remove("moved");
  assert.equal(await ws.text("a"), "1");
});

Deno.test("what a killed writer left is gone after the next start, and after the next write in that folder", async () => {
  await using ws = await createTempWorkspace({ "deep/a": "old", "deep/b": "old" });
  const log = `${ws.parent}/log`;
  const module = new URL("./local_files.ts", import.meta.url).href;
  const writeAndDie = async () => {
    // Large enough that the kill comes between the first byte and the rename.
    const script = `const { createLocalFiles } = await import(${JSON.stringify(module)});
      const files = createLocalFiles(${JSON.stringify(ws.root)}, { writeLog: ${JSON.stringify(log)} });
      Deno.rename = () => { Deno.kill(Deno.pid, "SIGKILL"); return new Promise(() => {}); };
      await files.write("deep/a", new Uint8Array(10), { kind: "whole" });`;
    const { signal } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--ext=ts", "--no-check", script] })
      .output();
    assert.equal(signal, "SIGKILL");
    assert.equal(await ws.text("deep/a"), "old");
    assert.equal((await ws.files.list("deep")).length, 3);
  };
  await writeAndDie();
  await recoverWrites(log);
  assert.equal((await ws.files.list("deep")).length, 2);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(log)), []);

  await writeAndDie();
  await createLocalFiles(ws.root).write("deep/b", toBytes("new"), { kind: "whole" });
  assert.deepEqual(await ws.files.list("deep"), [{ name: "a", kind: "file" }, { name: "b", kind: "file" }]);
});

Deno.test("a log of writes holds nothing once they have ended, and need not be writable", async () => {
  await using ws = await createTempWorkspace();
  const files = createLocalFiles(ws.root, { writeLog: `${ws.parent}/log` });
  await files.write("a", toBytes("x"), { kind: "whole" });
  assert.deepEqual(await Array.fromAsync(Deno.readDir(`${ws.parent}/log`)), []);
  await recoverWrites(`${ws.parent}/none`);
  await ws.put("file", "");
  await createLocalFiles(ws.root, { writeLog: `${ws.root}/file/log` }).write("b", toBytes("x"), { kind: "whole" });
  assert.equal(await ws.text("b"), "x");
});
