/** Git inside the walls: everyday work goes on, what git would run later stays as it is. */
import assert from "node:assert/strict";
import { type Bed, confinedTest, withBed } from "./bed.ts";

const REPOSITORY =
  `git init -q -b main main && cd main && echo 1 >a && echo src >src.txt && git add . && git commit -qm one`;

async function works(bed: Bed, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { code, output } = await bed.run(command);
    assert.equal(code, 0, `${command}: ${output}`);
  }
}

async function refused(bed: Bed, commands: readonly string[]): Promise<void> {
  for (const command of commands) assert.notEqual((await bed.run(command)).code, 0, command);
}

confinedTest(
  "everyday git work goes on, settings and hooks stay",
  () =>
    withBed({ before: `${REPOSITORY}; git init -q --bare ../remote`, root: "main" }, async (bed) => {
      await bed.outside("git remote add origin ../remote", bed.root);
      const config = await bed.outside("cat main/.git/config");
      await works(bed, [
        "echo 2 >a && git add a && git commit -qm two",
        "git switch -qc b && echo 3 >b && git add b && git commit -qm three",
        "git checkout -q main && git merge -q b && git rebase -q HEAD~1",
        "echo 4 >a && git stash -q && git stash pop -q && git checkout -q a",
        "git tag t && git branch d && git branch -D d && git reset -q --hard HEAD && git clean -fdq",
        "git gc -q && git fsck --no-progress",
      ]);
      const push = await bed.run("git push -q -u origin main 2>&1; true");
      assert.equal(push.wallHints, undefined);
      await refused(bed, [
        "git config core.pager x",
        "git remote add o x",
        "echo x >.git/config",
        "echo x >>.git/hooks/post-commit",
        "mv .git/hooks .git/h",
        "rm -rf .git/config",
        "mv .git g",
        "ln .git/config c && echo x >c",
        "sed -i s/x/y/ .git/config",
      ]);
      const { wallHints } = await bed.run("git config core.pager x");
      assert.equal(wallHints![0]!.code, "sandbox.git_metadata_protected");
      assert.match(wallHints![0]!.text, /main\/\.git\/config/);
      assert.equal(await bed.outside("cat main/.git/config"), config);
      assert.deepEqual(
        (await bed.outside("cd main; git status --short; git fsck --no-progress --no-dangling")).trim(),
        "",
      );
    }),
);

confinedTest(
  "a refused setting is told even when git ends well",
  () =>
    withBed({
      before: `${REPOSITORY}; git init -q --bare ../remote; git remote add origin ../remote`,
      root: "main",
      settings: ({ parent, root }) => ({ writeRoots: [root, `${parent}/remote`] }),
    }, async (bed) => {
      const { code, wallHints } = await bed.run("git push -u origin main");
      assert.deepEqual([code, wallHints?.[0]?.code], [0, "sandbox.git_metadata_protected"]);
    }),
);

for (const within of ["/var/tmp", "/tmp"]) {
  confinedTest(
    `a linked work tree in ${within} can stage, commit and fetch; the main repository keeps its own`,
    () =>
      withBed({
        within,
        before: `${REPOSITORY}; git worktree add -q ../wt -b wt; git worktree add -q ../other -b other`,
        root: "wt",
      }, async (bed) => {
        await works(bed, [
          "echo 2 >a && git add a && git commit -qm x",
          "git switch -qc b",
          "git fetch -q . HEAD",
          "git status && git log -1 && git stash list",
        ]);
        await refused(bed, [
          `echo x >${bed.parent}/main/.git/hooks/post-commit`,
          "git config core.pager x",
          `touch ${bed.parent}/main/src.txt`,
          `echo x >${bed.parent}/main/a`,
          "echo gitdir: /x >.git",
          "mv .git g",
          `mv ${bed.parent}/main/.git/worktrees/wt ${bed.parent}/main/.git/worktrees/w`,
          `echo x >${bed.parent}/main/.git/worktrees/other/commondir`,
        ]);
        assert.equal(await bed.outside("git log --format=%s -1 b", `${bed.parent}/main`), "x\n");
      }),
  );
}

confinedTest("a submodule can be worked in, alone and from the repository that holds it", () =>
  withBed({
    before: `${REPOSITORY}; cd ..; git init -q super; cd super
      git -c protocol.file.allow=always submodule --quiet add ../main sub; git commit -qm add`,
    root: "super/sub",
  }, async (bed) => {
    await works(bed, ["echo 2 >a && git add a && git commit -qm x", "git switch -qc b"]);
    const outer = `${bed.parent}/super`;
    await refused(bed, [
      "git config core.pager x",
      `echo x >${outer}/.git/modules/sub/hooks/post-commit`,
      `echo x >${outer}/.git/hooks/post-commit`,
      `touch ${outer}/new`,
    ]);
  }));

confinedTest(
  "the repository above the workspace takes commits, its other files do not change",
  () =>
    withBed({ before: `${REPOSITORY}; mkdir sub; echo 1 >sub/f`, root: "main/sub" }, async (bed) => {
      await works(bed, ["git add f && git commit -qm x"]);
      await refused(bed, ["echo x >../a", "echo x >../.git/hooks/post-commit", "git config core.pager x"]);
    }),
);

confinedTest("a repository cannot name somebody else's folder as its own", () =>
  withBed({
    before: `git init -q victim; mkdir ws victim2 dir; git init -q --separate-git-dir victim2/git ws/x
      echo "gitdir: $PWD/victim/.git" >ws/.git
      mkdir -p ws/l; ln -s $PWD/victim/.git ws/l/.git
      mkdir -p ws/c; git init -q ws/c; echo "$PWD/victim/.git" >ws/c/.git/commondir`,
    settings: ({ parent }) => ({ writeRoots: ["ws", "ws/l", "ws/c", "ws/x"].map((name) => `${parent}/${name}`) }),
  }, async (bed) => {
    for (const path of ["victim/.git/x", "victim/.git/objects/x", "victim/x", "victim2/git/x"]) {
      await refused(bed, [`touch ${bed.parent}/${path}`]);
    }
  }));

confinedTest("making a repository look like none does not open its hooks", () =>
  withBed({
    before: `${REPOSITORY}; cd ..; git init -q super; cd super
      git -c protocol.file.allow=always submodule --quiet add ../main sub; git commit -qm add`,
    root: "super",
  }, async (bed) => {
    const tricks = [
      "echo /etc >.git/commondir",
      "echo /nowhere >.git/commondir",
      "mkdir x; echo ../x >.git/commondir",
      "mv .git/HEAD h",
      "mv .git/modules/sub/HEAD h2",
      "touch HEAD; mkdir objects refs",
      "rm -rf .git/modules/sub/objects",
    ];
    for (const trick of tricks) {
      await bed.run(trick);
      await refused(bed, [
        "echo x >>.git/config",
        "echo x >.git/hooks/post-commit",
        "echo x >>.git/modules/sub/config",
        "echo x >.git/modules/sub/hooks/post-commit",
        "mv .git/hooks .git/h",
        "mv .git/modules/sub .git/modules/other",
        "mv .git g",
      ]);
    }
  }));

confinedTest(
  "a protected file with another name stops every command",
  () =>
    withBed({ before: `${REPOSITORY}; ln .git/config ../other`, root: "main" }, async (bed) => {
      await assert.rejects(bed.run("true"), {
        name: "Refusal",
        code: "sandbox.git_metadata_linked",
        remedy: /cp FILE/,
      });
    }),
);

confinedTest("a forbidden file that git tracks does not stop git", () =>
  withBed({
    before: `${REPOSITORY}; echo key=1 >conf.sample; echo run >tool; chmod +x tool; git add .; git commit -qm two`,
    root: "main",
    settings: ({ root }) => ({ forbidRead: [`${root}/conf.sample`, `${root}/tool`] }),
  }, async (bed) => {
    assert.notEqual((await bed.run("cat conf.sample")).code, 0);
    assert.equal((await bed.run("git status --porcelain")).output, "");
    assert.equal((await bed.run("git stash")).output, "No local changes to save\n");
    assert.equal((await bed.run("git format-patch -1 HEAD --stdout | grep -c key=1")).output, "1\n");
    assert.equal((await bed.run("ls -A")).output, ".git\na\nconf.sample\nsrc.txt\ntool\n");
    await works(bed, [
      "echo 2 >a && git stash -q && git stash pop -q && git commit -qam three && git diff HEAD~1 --stat",
    ]);
    assert.equal(await bed.outside("git status --porcelain; ls -A", bed.root), ".git\na\nconf.sample\nsrc.txt\ntool\n");
    assert.equal(await bed.outside("cat conf.sample", bed.root), "key=1\n");
  }));

confinedTest(
  "a change that git's times hide is seen, and does not keep git from its work around a forbidden file",
  () =>
    withBed({
      before: `${REPOSITORY}; echo key=1 >conf.sample; echo 1 >b; git add .; git commit -qm two
      touch -r .git/index conf.sample b; git update-index --refresh; touch -r conf.sample .git/index
      echo 2 >b; touch -r conf.sample b`,
      root: "main",
      settings: ({ root }) => ({ forbidRead: [`${root}/conf.sample`] }),
    }, async (bed) => {
      assert.equal((await bed.run("git status --porcelain")).output, " M b\n");
      await works(bed, ["git stash -q && git stash pop -q && git commit -qam three"]);
      assert.equal(
        await bed.outside("git fsck --no-progress --no-dangling; git status --porcelain; git show HEAD:b", bed.root),
        "2\n",
      );
    }),
);

confinedTest(
  "settings and hooks that a command makes where there were none are set aside when it ends, its children included",
  () =>
    withBed({ before: `${REPOSITORY}; rm -rf .git/hooks`, root: "main" }, async (bed) => {
      const config = "[core]\\nfsmonitor=touch ../ran; false\\n";
      const plants = [
        "mkdir .git/hooks && echo 'touch ../ran' >.git/hooks/post-index-change && chmod +x .git/hooks/*",
        "mkdir .git/hooks && ln -s /bin/true .git/hooks/post-commit",
        `printf '${config}' >.git/config.worktree`,
        `cp -r .git ../copy && mv ../copy .git/c && printf '${config}' >>.git/c/config && echo c >.git/commondir`,
        "ln -s ../evil .git/hooks",
      ];
      for (const command of plants) {
        const { wallHints } = await bed.run(command.replaceAll("../copy", "$TMPDIR/copy"));
        assert.equal(wallHints?.[0]?.code, "sandbox.git_metadata_protected", command);
        const left = await bed.outside("ls .git | grep -xE 'hooks|config.worktree|commondir' || true", bed.root);
        assert.equal(left, "", command);
      }
      // What goes on after the command has ended.
      const running = await bed.processes.start({
        command: { shell: "(until [ -e go ]; do sleep 0.02; done; mkdir .git/hooks; sleep 9) & sleep 0" },
      });
      await running.ended;
      await bed.outside("touch go", bed.root);
      await bed.outside("until [ -e .git/hooks ]; do sleep 0.05; done", bed.root);
      await running.kill();
      assert.equal(await bed.outside("ls .git | grep -x hooks || true", bed.root), "");
      await bed.outside("git status; ! test -e ../ran", bed.root);
      await works(bed, ["echo 2 >a && git commit -qam two && git worktree add -q w && cd w && git status"]);
    }),
);
