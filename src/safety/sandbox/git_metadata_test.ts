import assert from "node:assert/strict";
import { gitMetadata } from "./git_metadata.ts";

/** Folders end in `/`; text after `=` is the content. */
async function withTree(entries: readonly string[], test: (at: (path: string) => string) => void): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  try {
    for (const entry of entries) {
      const [path = "", ...content] = entry.split("=");
      const folder = `${base}/${path.slice(0, path.lastIndexOf("/"))}`;
      await Deno.mkdir(folder, { recursive: true });
      if (!path.endsWith("/")) await Deno.writeTextFile(`${base}/${path}`, content.join("=").replaceAll("$", base));
    }
    test((path) => `${base}/${path}`);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const repository = (path: string) =>
  ["HEAD", "objects/", "refs/", "config", "hooks/pre-commit"].map((name) => `${path}/${name}`);

const found = (roots: readonly string[], each = 512) => {
  const { pinned, readOnly, linked } = gitMetadata(roots, { each });
  return { pinned: [...pinned].sort(), readOnly: [...readOnly].sort(), linked };
};

Deno.test("settings and hooks of a repository are read-only, its folder cannot be replaced", () =>
  withTree([...repository("r/.git"), "r/.git/config.worktree"], (at) => {
    assert.deepEqual(found([at("r")]), {
      pinned: [at("r/.git")],
      readOnly: [at("r/.git/config"), at("r/.git/config.worktree"), at("r/.git/hooks")],
      linked: undefined,
    });
  }));

Deno.test("a folder without a repository has nothing to protect, one below a repository has its", () =>
  withTree(["plain/f", ...repository("r/.git"), "r/deep/er/f"], (at) => {
    assert.deepEqual(found([at("plain")]).pinned, []);
    assert.deepEqual(found([at("r/deep/er")]).pinned, [at("r/.git")]);
  }));

Deno.test("a repository without a work tree is its own folder", () =>
  withTree(repository("bare"), (at) => {
    assert.deepEqual(found([at("bare")]).readOnly, [at("bare/config"), at("bare/hooks")]);
  }));

Deno.test("work trees and modules are protected one by one, or whole when there are too many", () =>
  withTree([
    ...repository("r/.git"),
    "r/.git/worktrees/a/commondir=../..",
    "r/.git/worktrees/b/config.worktree",
    ...repository("r/.git/modules/x/y"),
    ...repository("r/.git/modules/x/y/modules/z"),
  ], (at) => {
    const { pinned, readOnly } = found([at("r")]);
    assert.deepEqual(
      pinned,
      [
        "r/.git",
        "r/.git/modules",
        "r/.git/modules/x",
        "r/.git/modules/x/y",
        "r/.git/modules/x/y/modules",
        "r/.git/modules/x/y/modules/z",
        "r/.git/worktrees",
        "r/.git/worktrees/a",
        "r/.git/worktrees/b",
      ].map(at),
    );
    assert.deepEqual(
      readOnly,
      [
        "r/.git/config",
        "r/.git/hooks",
        "r/.git/modules/x/y/config",
        "r/.git/modules/x/y/hooks",
        "r/.git/modules/x/y/modules/z/config",
        "r/.git/modules/x/y/modules/z/hooks",
        "r/.git/worktrees/a/commondir",
        "r/.git/worktrees/b/config.worktree",
      ].map(at),
    );
    assert.deepEqual(found([at("r")], 1).readOnly, [
      at("r/.git/config"),
      at("r/.git/hooks"),
      at("r/.git/modules"),
      at("r/.git/worktrees"),
    ]);
  }));

Deno.test("data elsewhere is opened only when it points back", () =>
  withTree([
    ...repository("main/.git"),
    "main/.git/worktrees/wt/commondir=../..",
    "main/.git/worktrees/wt/gitdir=$/wt/.git\n",
    "wt/.git=gitdir: $/main/.git/worktrees/wt\n",
    "thief/.git=gitdir: $/main/.git/worktrees/wt\n",
    "thief2/.git=gitdir: ../main/.git\n",
    ...repository("super/.git/modules/sub").filter((name) => !name.endsWith("config")),
    "super/.git/modules/sub/config=[core]\n\tworktree = ../../../sub\n",
    "super/sub/.git=gitdir: ../.git/modules/sub\n",
  ], (at) => {
    const { pinned, readOnly } = found([at("wt")]);
    assert.deepEqual(pinned, ["main/.git", "main/.git/worktrees", "main/.git/worktrees/wt"].map(at));
    assert.ok(readOnly.includes(at("wt/.git")) && readOnly.includes(at("main/.git/hooks")));
    assert.deepEqual(found([at("thief")]).pinned, []);
    assert.deepEqual(found([at("thief2")]).pinned, []);
    assert.deepEqual(found([at("super/sub")]).pinned, [at("super/.git/modules/sub")]);
  }));

Deno.test("a protected file with a second name is reported", () =>
  withTree(repository("r/.git"), (at) => {
    assert.equal(found([at("r")]).linked, undefined);
    Deno.linkSync(at("r/.git/hooks/pre-commit"), at("other"));
    assert.equal(found([at("r")]).linked, at("r/.git/hooks/pre-commit"));
  }));

Deno.test("what git's files cannot be is not read: neither a pipe, which would hold the program up, nor a device", {
  ignore: Deno.build.os === "windows",
}, () =>
  withTree([...repository("r/.git"), ...repository("s/.git")], (at) => {
    new Deno.Command("mkfifo", { args: [at("r/.git/commondir")] }).outputSync();
    Deno.symlinkSync("/dev/zero", at("s/.git/commondir"));
    for (const folder of ["r", "s"]) assert.deepEqual(found([at(folder)]).pinned, [at(`${folder}/.git`)]);
  }));
