import assert from "node:assert/strict";
import { createTempWorkspace, type TempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { settingsIn } from "./git_config.ts";
import { createGitHazards } from "./git_hazards.ts";

const PLAIN = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\thooksPath = .husky
[remote "origin"]
\turl = https://example.com/x.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
[user]
\tname = Ann
[filter "lfs"]
\tclean = git-lfs clean -- %f
\tprocess = git-lfs filter-process
\trequired = true
`;

const repository = (config: string, at = ".git") => ({
  [`${at}/config`]: config,
  [`${at}/HEAD`]: "ref: refs/heads/main\n",
});

async function hazard(content: Record<string, string>, folder = "."): Promise<string | undefined> {
  await using ws = await createTempWorkspace(content);
  return (await createGitHazards(ws.files)(folder))?.replaceAll(ws.root, "<ws>");
}

Deno.test("an ordinary repository, and no repository, have no hazard", async () => {
  assert.equal(await hazard({}), undefined);
  assert.equal(await hazard(repository(PLAIN)), undefined);
  assert.equal(await hazard({ ...repository(PLAIN), "src/a": "" }, "src"), undefined);
});

Deno.test("settings that start programs are found, however they are written", async () => {
  const settings = [
    "[diff]\n external = touch marker",
    '[diff "x"]\n textconv = ./x',
    '[diff "x"]\n command = ./x',
    '[filter "x"]\n clean = ./x',
    '[filter "x"] process = ./x',
    "[core] fsmonitor = ./x",
    "[CORE]\n FsMonitor=./x # true",
    "[core]\n fsm\\\nonitor = ./x",
    "[core]\n alternateRefsCommand = ./x",
    "[gpg]\n program = ./x",
    '[gpg "ssh"]\n program = ./x',
    "[include]\n path = ../x",
    '[includeIf "gitdir:~/"]\n path = ../x',
    "[pager]\n log = ./x",
    '[hook "x"]\n command = ./x',
    // Where one section, one comment, one value ends.
    "[a][core]fsmonitor=./x",
    "# a comment \\\n[core]\nfsmonitor=./x",
    "[a]\nb = c\\\\\n[core]\nfsmonitor=./x",
    '[core]\nfsmonitor = "./x #\u2028"',
    '[filter "\u2028"]\nclean = ./x',
    // Ways to fetch what a partial clone lacks.
    '[remote "o"]\npromisor = true\nuploadpack = ./x',
    "[extensions]\npartialClone = o\n[core]\nsshCommand = ./x",
    '[extensions]\npartialClone = o\n[remote "o"]\nurl = ext::./x',
    // Merges that are made again to be shown.
    '[log]\ndiffMerges = remerge\n[merge "x"]\ndriver = ./x',
  ];
  const missed = [];
  for (const text of settings) if (await hazard(repository(`${PLAIN}${text}\n`)) === undefined) missed.push(text);
  assert.deepEqual(missed, []);
  assert.equal(
    await hazard(repository("[core]\n fsmonitor = ./x\n")),
    "<ws>/.git/config sets core.fsmonitor, which starts a program",
  );
  assert.equal(await hazard(repository("[core]\n fsmonitor = true\n[pager]\n log = false\n")), undefined);
});

Deno.test("the settings that count are those git would read: above, linked, bare, of submodules", async () => {
  const bad = "[core]\n fsmonitor = ./x\n";
  const cases: readonly [Record<string, string>, string][] = [
    [{ ...repository(bad), "a/b/c": "" }, "a/b"],
    [{ ".git": "gitdir: data\n", ...repository(bad, "data") }, "."],
    [
      { ".git": "gitdir: main/worktrees/w\n", "main/worktrees/w/commondir": "../..\n", ...repository(bad, "main") },
      ".",
    ],
    [{ ...repository(PLAIN), ".git/config.worktree": bad }, "."],
    [{ ...repository(PLAIN), ...repository(bad, ".git/modules/group/sub") }, "."],
    [{ ...repository(PLAIN), ...repository(bad, "fixtures/bare"), "fixtures/bare/objects/x": "" }, "fixtures/bare"],
    [{ ...repository(PLAIN), ".git/hooks/post-index-change": "x" }, "."],
    [{ ...repository(PLAIN), ".husky/post-index-change": "x" }, "."],
    // What only looks like a repository does not end git's search.
    [{ ...repository(bad), "sub/.git/HEAD": "nothing\n" }, "sub"],
    // Blanks belong to a name.
    [{ ".git": "gitdir:  data\n", "data/x": "", ...repository(bad, " data") }, "."],
    [{ ".git": "gitdir: a\nb\n", "a/x": "", ...repository(bad, "a\nb") }, "."],
    [{ ...repository(PLAIN), ".git/commondir": " c\n", ".git/c/x": "", ...repository(bad, ".git/ c") }, "."],
    // Hooks are looked for from the work tree.
    [
      {
        ".git": "gitdir: ../data/g\n",
        ...repository("[core]\nhooksPath=h\n", "../data/g"),
        "h/post-index-change": "x",
      },
      ".",
    ],
    [repository("[core]\nhooksPath=~/h\n"), "."],
  ];
  const missed = [];
  for (const [content, folder] of cases) if (await hazard(content, folder) === undefined) missed.push(folder);
  assert.deepEqual(missed, []);
});

Deno.test("links and dangling links hide no repository", async () => {
  const bad = "[core]\n fsmonitor = ./x\n";
  await using ws = await createTempWorkspace({ "a/x": "", ...repository(bad, "other/.git"), "other/sub/x": "" });
  await ws.put("bare/config", "[core]\nworktree=..\nfsmonitor=./x\n");
  await ws.put("bare/objects/x", "");
  await Deno.symlink("refs/heads/main", `${ws.root}/bare/HEAD`);
  await Deno.symlink("../other/sub", `${ws.root}/a/link`);
  const find = createGitHazards(ws.files);
  assert.notEqual(await find("a/link"), undefined);
  assert.notEqual(await find("bare"), undefined);
});

Deno.test("a repository that the index lists is looked into, whether or not it is registered", async () => {
  await using ws = await createTempWorkspace({ "sub/deep/a": "a", "x/y": "y" });
  const git = (...args: string[]) => gitStarts(ws, args);
  const commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a", "--allow-empty"];
  await git("init", "-q");
  for (const args of [["init", "-q", "."], commit]) await git("-C", "sub/deep", ...args);
  await git("add", ".");
  const find = createGitHazards(ws.files);
  assert.equal(await find("."), undefined);
  await git("-C", "sub/deep", "config", "core.fsmonitor", "touch ../../marker; false");
  assert.ok(await git("status"), "git does not look into it");
  assert.notEqual(await find("."), undefined);
  // A form that is not read here.
  await git("update-index", "--index-version", "4");
  assert.equal(await find("."), `${ws.root}/.git/index cannot be looked through`);
});

Deno.test("settings too large to look through are a hazard", async () => {
  assert.equal(await hazard(repository("#".repeat(400_000))), "<ws>/.git/config cannot be looked through");
});

Deno.test("sections, quotes and comments are read as git reads them", () => {
  assert.deepEqual(settingsIn('[A "B\\"c"] x = "y z" ; no\n# [d]\n[e.F]\n  Flag\n g = h\\\n i\n'), [
    { key: 'a.B"c.x', value: "y z" },
    { key: "e.f.flag", value: "true" },
    { key: "e.f.g", value: "h i" },
  ]);
});

/** Runs real git in the workspace; true when it started the program of the settings. */
async function gitStarts(ws: TempWorkspace, args: readonly string[]): Promise<boolean> {
  const env = { HOME: ws.parent, GIT_CONFIG_NOSYSTEM: "1", GIT_PAGER: "cat" };
  await new Deno.Command("git", { args: [...args], cwd: ws.root, env, stdout: "null", stderr: "null" }).output();
  const started = (await ws.files.stat("marker")) !== undefined;
  if (started) await ws.files.remove("marker");
  return started;
}

Deno.test("what real git starts by its settings is what is called a hazard", async () => {
  const settings: Record<string, string> = {
    "core.fsmonitor": "touch marker; false",
    "diff.external": "touch marker",
    "diff.x.textconv": "touch marker; cat",
    "filter.x.clean": "touch marker; cat",
  };
  for (const [key, value] of Object.entries(settings)) {
    await using ws = await createTempWorkspace({ "f.x": "one\n", ".gitattributes": "*.x diff=x filter=x\n" });
    for (
      const args of [["init", "-q"], ["config", "user.email", "a@b"], ["config", "user.name", "a"], ["add", "."], [
        "commit",
        "-qm",
        "a",
      ]]
    ) await gitStarts(ws, args);
    await ws.put("f.x", "two\n");
    assert.equal(await createGitHazards(ws.files)("."), undefined, key);
    await gitStarts(ws, ["config", key, value]);
    assert.equal(
      await gitStarts(ws, ["diff"]) || await gitStarts(ws, ["status"]),
      true,
      `git does nothing with ${key}`,
    );
    assert.notEqual(await createGitHazards(ws.files)("."), undefined, key);
  }
});

Deno.test("very many settings are looked through", async () => {
  const many = `[a]\n${"b\n".repeat(130_000)}`;
  assert.equal(await hazard(repository(many)), undefined);
  assert.match(await hazard(repository(`${many}[core]\nfsmonitor=./x\n`)) ?? "", /core\.fsmonitor/);
});
