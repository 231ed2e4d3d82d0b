import assert from "node:assert/strict";
import fc from "fast-check";
import { Refusal } from "../../contract/errors.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { toBytes } from "../../lib/bytes.ts";
import { createTempWorkspace, type TempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { ignoringCase } from "../../../tests/support/caseless_files.ts";
import { passThrough } from "./pass_through.ts";
import { confineWrites } from "./write_confinement.ts";

const WHOLE = { kind: "whole" } as const;

function confined(ws: TempWorkspace, options: { roots?: string[]; protectedPaths?: string[] } = {}): Files {
  return confineWrites(ws.files, { roots: options.roots ?? [ws.root], protectedPaths: options.protectedPaths ?? [] });
}

async function isRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof Refusal && error.code === "workspace.write_outside_scope") return true;
    throw error;
  }
}

// proves SBX-02
Deno.test("writes and moves through a link that leads out are refused, through one that stays inside they work", async () => {
  await using ws = await createTempWorkspace({ "b.txt": "b", "src/seed.txt": "s" });
  const out = `${ws.parent}/out`;
  await Deno.mkdir(out);
  await Deno.writeTextFile(`${out}/seed.txt`, "seed");
  await Deno.symlink(out, `${ws.root}/outbox`);
  await Deno.symlink(`${out}/new.txt`, `${ws.root}/dangling`);
  await Deno.symlink(`${ws.root}/src`, `${ws.root}/in`);
  const files = confined(ws);
  const data = toBytes("x");
  for (const path of ["outbox/a.txt", "outbox/seed.txt", "outbox/new/deep/a.txt", "dangling", "src/../../out/a"]) {
    assert.equal(await isRefused(files.write(path, data, WHOLE)), true, path);
  }
  assert.equal(await isRefused(files.move("b.txt", "outbox/b.txt")), true);
  assert.equal(await isRefused(files.move("outbox/seed.txt", "seed.txt")), true);
  assert.equal(await isRefused(files.remove("outbox/seed.txt")), true);
  assert.deepEqual(await ws.files.list(out), [{ name: "seed.txt", kind: "file" }]);
  assert.equal(await Deno.readTextFile(`${out}/seed.txt`), "seed");
  assert.equal((await files.read("outbox/seed.txt")).bytes.length, 4);

  await files.write("in/a.txt", data, WHOLE);
  await files.write("in/deep/a.txt", data, WHOLE);
  await files.move("b.txt", "in/b.txt");
  assert.deepEqual((await ws.files.list("src")).map((entry) => entry.name), ["a.txt", "b.txt", "deep", "seed.txt"]);
});

// proves SBX-01
Deno.test("a sibling whose name begins like the workspace's is outside, in every spelling", async () => {
  await using ws = await createTempWorkspace({ "a": "" });
  await Deno.mkdir(`${ws.root}-private`);
  await Deno.writeTextFile(`${ws.root}-private/k.txt`, "k");
  const files = confined(ws);
  for (const path of ["../ws-private/k.txt", `${ws.root}-private/k.txt`, `${ws.root}/../ws-private/k.txt`]) {
    assert.equal(await isRefused(files.write(path, toBytes("x"), WHOLE)), true, path);
  }
  assert.equal(await Deno.readTextFile(`${ws.root}-private/k.txt`), "k");
});

Deno.test("the workspace may be given with a trailing slash or through a link", async () => {
  await using ws = await createTempWorkspace();
  await Deno.symlink(ws.root, `${ws.parent}/link`);
  for (const [i, root] of [`${ws.root}/`, `${ws.parent}/link`, `${ws.parent}/./ws`, "."].entries()) {
    const files = confined(ws, { roots: [root] });
    await files.write(`a${i}`, toBytes("x"), WHOLE);
    await files.write(`${ws.parent}/link/b${i}`, toBytes("x"), WHOLE);
    assert.equal(await isRefused(files.write("../c", toBytes("x"), WHOLE)), true, root);
  }
  assert.equal((await ws.files.list(".")).length, 8);
});

// proves SBX-03
Deno.test("a refusal names the place, the roots and how to widen them", async () => {
  await using ws = await createTempWorkspace();
  await Deno.symlink(ws.parent, `${ws.root}/up`);
  await assert.rejects(
    confined(ws, { roots: [ws.root, "/srv/extra"] }).write("up/x", toBytes("x"), WHOLE),
    new Refusal(
      "workspace.write_outside_scope",
      `${ws.root}/up/x leads to ${ws.parent}/x, which lies outside the folders that may be written: ` +
        `${ws.root}, /srv/extra.`,
      {
        remedy:
          "The person can allow another folder with --add-dir DIR or with allow_write under [sandbox] in the config.",
      },
    ),
  );
});

Deno.test("further roots may be written, one that does not exist yet too", async () => {
  await using ws = await createTempWorkspace();
  const files = confined(ws, { roots: [ws.root, `${ws.parent}/later/deep`] });
  assert.equal(await isRefused(files.write("../later/x", toBytes("x"), WHOLE)), true);
  await files.write("../later/deep/x", toBytes("x"), WHOLE);
  assert.equal(await Deno.readTextFile(`${ws.parent}/later/deep/x`), "x");
});

Deno.test("state below a root is never written, moved, removed or carried away, also through a link", async () => {
  await using ws = await createTempWorkspace({ "home/sessions/s.jsonl": "s", "home/config.toml": "c", "a": "a" });
  await Deno.symlink("home/sessions", `${ws.root}/link`);
  const files = confined(ws, { protectedPaths: [`${ws.root}/home/sessions`, `${ws.root}/home/locks`] });
  assert.equal(await isRefused(files.write("home/sessions/s.jsonl", toBytes("x"), WHOLE)), true);
  assert.equal(await isRefused(files.write("link/new", toBytes("x"), WHOLE)), true);
  assert.equal(await isRefused(files.write("home/locks/new", toBytes("x"), WHOLE)), true);
  assert.equal(await isRefused(files.move("home", "elsewhere")), true);
  assert.equal(await isRefused(files.move("home/sessions", "elsewhere")), true);
  assert.equal(await isRefused(files.move("a", "home/sessions/a")), true);
  assert.equal(await isRefused(files.remove("home/sessions/s.jsonl")), true);
  assert.equal(await ws.text("home/sessions/s.jsonl"), "s");
  await files.write("home/config.toml", toBytes("new"), WHOLE);
});

Deno.test("a root itself is not moved or removed", async () => {
  await using ws = await createTempWorkspace({ "inner/x": "" });
  const files = confined(ws, { roots: [ws.parent, `${ws.root}/inner`] });
  assert.equal(await isRefused(files.move("inner", "outer")), true);
  assert.equal(await isRefused(files.move(ws.root, `${ws.parent}/other`)), true);
  assert.equal(await isRefused(files.remove("inner")), true);
});

Deno.test("odd paths are an error of their own, not a crash", async () => {
  await using ws = await createTempWorkspace();
  const files = confined(ws);
  for (const path of ["", "a\0b", "x".repeat(5000)]) {
    await assert.rejects(files.write(path, toBytes("x"), WHOLE), FileError);
    await assert.rejects(files.move(path, "b"), FileError);
    await assert.rejects(files.remove(path), FileError);
  }
});

Deno.test("a link that appears between the judgement and the write is not followed", async () => {
  await using ws = await createTempWorkspace({ "dir/a": "old" });
  const out = `${ws.parent}/out`;
  await Deno.mkdir(out);
  // Right after the wall has asked where the path leads, the folder becomes a link out.
  const swapping: Files = {
    ...passThrough(ws.files),
    write: async (path, bytes, options) => {
      await Deno.rename(`${ws.root}/dir`, `${ws.root}/gone`);
      await Deno.symlink(out, `${ws.root}/dir`);
      return await ws.files.write(path, bytes, options);
    },
  };
  const files = confineWrites(swapping, { roots: [ws.root], protectedPaths: [] });
  await assert.rejects(files.write("dir/a", toBytes("x"), WHOLE), (error) => {
    return error instanceof FileError && error.failure === "changed";
  });
  assert.deepEqual(await ws.files.list(out), []);
});

Deno.test("where letter case does not matter, another spelling of a protected path is the same path", async () => {
  await using ws = await createTempWorkspace({ "home/sessions/s": "s" });
  const protectedPaths = [`${ws.root}/home/sessions`, `${ws.root}/home/Locks/inner`];
  const caseless = confineWrites(ignoringCase(ws.files), { roots: [ws.root], protectedPaths });
  for (const path of ["home/SESSIONS/s", "HOME/sessions/new", "home/locks/INNER/x"]) {
    assert.equal(await isRefused(caseless.write(path, toBytes("x"), WHOLE)), true, path);
  }
  assert.equal(await isRefused(caseless.write("WS/../home/other", toBytes("x"), WHOLE)), false);
  assert.equal(await ws.text("home/sessions/s"), "s");

  const plain = confined(ws, { protectedPaths });
  assert.equal(await isRefused(plain.write("home/SESSIONS/s", toBytes("x"), WHOLE)), false);
});

Deno.test("no random tree of links lets a write, a move or a removal out", async () => {
  const name = fc.constantFrom("a", "b");
  const target = fc.constantFrom("OUT", "OUT/new", "..", "../..", "../out", "a/..", ".", "a", "b", "../ws", "ROOT");
  const step = fc.oneof(
    fc.record({ make: fc.constant("folder" as const), at: fc.array(name, { minLength: 1, maxLength: 2 }) }),
    fc.record({ make: fc.constant("link" as const), at: fc.array(name, { minLength: 1, maxLength: 2 }), target }),
  );
  const path = fc.array(fc.oneof({ arbitrary: name, weight: 3 }, { arbitrary: fc.constant(".."), weight: 1 }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 6 }),
      fc.array(path, { minLength: 2, maxLength: 6 }),
      async (steps, paths) => {
        await using ws = await createTempWorkspace();
        const out = `${ws.parent}/out`;
        await Deno.mkdir(out);
        await Deno.writeTextFile(`${out}/kept`, "kept");
        for (const made of steps) {
          const at = `${ws.root}/${made.at.join("/")}`;
          try {
            if (made.make === "folder") await Deno.mkdir(at, { recursive: true });
            else await Deno.symlink(made.target.replace("OUT", out).replace("ROOT", ws.root), at);
          } catch {
            // The tree does not allow it; the others still make one.
          }
        }
        const outside = async () => [
          (await ws.files.list(out)).map((entry) => entry.name),
          (await ws.files.list(ws.parent)).map((entry) => entry.name),
          await Deno.readTextFile(`${out}/kept`),
        ];
        const before = await outside();
        const files = confined(ws);
        for (const [i, names] of paths.entries()) {
          const at = names.join("/");
          const attempts: (() => Promise<unknown>)[] = [
            () => files.write(at, toBytes("x"), WHOLE),
            () => files.write(`${at}/new`, toBytes("x"), WHOLE),
            () => files.move(at, `moved${i}`),
            () => files.move(paths[0]!.join("/"), `${at}/moved`),
            () => files.remove(at),
          ];
          for (const attempt of attempts) {
            await attempt().catch((error) => {
              if (!(error instanceof Refusal || error instanceof FileError)) throw error;
            });
          }
          assert.deepEqual(await outside(), before);
        }
      },
    ),
    { numRuns: 60 },
  );
});
