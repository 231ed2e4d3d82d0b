import assert from "node:assert/strict";
import { analyze, verdict } from "../../../tests/support/permissions.ts";

Deno.test("git reads by the options it is known to read with", () => {
  const commands = [
    "git status --short --branch",
    "git -C sub status",
    "git --no-pager log --oneline -n 5 -- src",
    "git log -p -S needle --stat HEAD~3..HEAD",
    "git log --format='%h %s' --since=yesterday",
    "git show HEAD:src/a.ts",
    "git diff --stat -U5 HEAD~1",
    "git diff --cached --name-only",
    "git blame -L 1,5 a.ts",
    "git ls-files -z --others --exclude-standard",
    "git rev-parse --abbrev-ref HEAD",
    "git grep -n needle -- src",
    "git describe --tags",
    "git cat-file -p HEAD",
    "git shortlog -sn",
    "git for-each-ref --format='%(refname)' refs/heads",
    "git -c core.pager=cat log",
    "git -c color.ui=false diff",
    "git --version",
    "git log src/*.ts",
  ];
  assert.deepEqual(commands.filter((command) => !analyze(command).readOnly), []);
});

Deno.test("git does not read by anything else", () => {
  const commands = [
    "git branch --show-current",
    "git remote -v",
    "git config --list",
    "git stash list",
    "git archive HEAD",
    "git bundle create x HEAD",
    "git fetch",
    "git diff --output=marker",
    "git diff --outp=marker",
    "git log --output=marker",
    "git --exec-path=. status",
    "git --git-dir=x status",
    "git --work-tree=x status",
    "git -c core.fsmonitor=./x status",
    "git -c core.pager=./x log",
    "git -c core.pager==cat log",
    "git -c diff.external=./x diff",
    "git -c alias.st='!x' st",
    "git --config-env=core.pager=X log",
    "git diff --ext-diff",
    "git show --textconv HEAD",
    "git grep -O needle",
    "git grep -Oless needle",
    "git -p log",
    "git log --unknown",
    "git log *",
    "git -C $X status",
    "git $X",
    "GIT_DIR=x git status",
    "git st",
  ];
  assert.deepEqual(commands.filter((command) => analyze(command).readOnly), []);
});

Deno.test("a rule for git does not cover what makes git start a program or write a file", () => {
  const commands = [
    "git -c core.sshCommand='touch marker' fetch",
    "git -c core.fsmonitor='touch marker' status",
    "git -c alias.z='!touch marker' z",
    "git -c core.pager='cat; touch marker' log",
    "git grep -Otouch x",
    "git grep -nOtouch x",
    "git grep --open-files-in-pager=touch x",
    "git diff --output=marker",
    "git log --output=marker",
    "git --exec-path=. status",
    "git clone 'ext::sh -c \"touch marker\"' d",
    "git fetch 'ext::sh -c x'",
    "git clone -c core.fsmonitor=x a b",
    "git clone --upload-pack=./x a b",
    "git clone --upload=./x a b",
    "git rebase -x 'touch marker' HEAD~1",
    "git rebase --ex 'touch marker' HEAD~1",
    "git bisect run ./x",
    "git submodule foreach 'touch marker'",
    "git difftool -x ./x",
    "git push --receive-pack=./x",
    "git archive --remote=a --exec=./x HEAD",
  ];
  const allow = ["Bash(git *)"];
  assert.deepEqual(commands.filter((command) => verdict({ allow }, command) === "allow"), []);
  assert.deepEqual(
    ["git status", "git commit -m x", "git -c user.name=a commit -m x", "git push"].map((command) =>
      verdict({ allow }, command)
    ),
    ["allow", "allow", "allow", "allow"],
  );
});

Deno.test("a deny rule for a subcommand sees through the options in front of it", () => {
  const deny = ["Bash(git push:*)"];
  const commands = [
    "git push",
    "git -C . push",
    "git --no-pager push",
    "git -c user.name=x push --force",
    "git --git-dir=x push",
    "git --git-dir x -C y push",
    "/usr/bin/git push",
    "sudo -u x git -C . push",
  ];
  assert.deepEqual(commands.map((command) => verdict({ deny }, command)), commands.map(() => "deny"));
  assert.equal(verdict({ deny, allow: ["Bash"] }, "git commit -m 'git push'"), "allow");
});
