import assert from "node:assert/strict";
import { analyze, decide } from "../../../tests/support/permissions.ts";

Deno.test("commands that destroy, overwrite or widen carry a warning", () => {
  const warned = [
    "rm -r x",
    "rm -fr x",
    "rm --recursive x",
    "rm -f x",
    "rm x -f",
    "sudo ls",
    "nice doas ls",
    "chmod 777 x",
    "chmod -R a+rwx x",
    "chmod o=w x",
    "git push --force",
    "git push -fu origin x",
    "git push --force-with-lease",
    "git push origin +main",
    "git push origin :main",
    "git -C x push -f",
    "git reset --hard",
    "git clean -fdx",
    "git checkout -- .",
    "git stash drop",
    "git branch -D x",
    "find . -delete",
    "dd if=a of=/dev/sda",
    "mkfs.ext4 /dev/sda",
    "npm test && rm -rf x",
    "bash -c 'rm -rf x'",
    "find . -exec rm -rf {} +",
  ];
  assert.deepEqual(warned.filter((command) => analyze(command).danger === undefined), []);
});

Deno.test("their harmless relatives do not", () => {
  const quiet = [
    "rm x",
    "rm -- -f",
    "echo 'rm -rf x'",
    "chmod 644 x",
    "chmod u+w x",
    "chmod +x f",
    "git push",
    "git push origin main",
    "git reset --soft HEAD~1",
    "git clean -n",
    "git checkout main",
    "git restore --staged x",
    "git stash",
    "git branch -d x",
    "find . -name x",
  ];
  assert.deepEqual(quiet.filter((command) => analyze(command).danger !== undefined), []);
});

Deno.test("work that nothing brings back is asked about even where changes are allowed, with what is lost", () => {
  for (
    const [command, loss] of [
      ["git reset --hard", "it throws away uncommitted changes"],
      ["git clean -fd", "it deletes untracked files"],
      ["git checkout -- a.ts", "it throws away uncommitted changes"],
      ["git stash drop", "it throws away stashed changes"],
      ["git restore a.ts", "it throws away uncommitted changes"],
    ]
  ) {
    const { verdict, why } = decide({}, command!, { fallback: "allow" });
    assert.deepEqual([command, verdict, why.text], [command, "ask", loss]);
    assert.equal(decide({ allow: [`Bash(${command})`] }, command!, { fallback: "allow" }).verdict, "allow");
  }
});
