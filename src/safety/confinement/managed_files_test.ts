import assert from "node:assert/strict";
import { reviewReason, statePaths } from "./managed_files.ts";

const context = { home: "/home/u/.reasonix", userHome: "/home/u", skillFolders: ["/srv/skills"] };

Deno.test("files that run later or loosen rules need a person, wherever in the tree they lie", () => {
  const managed = [
    "/home/u/.reasonix/config.toml",
    "/home/u/.reasonix/.env",
    "/home/u/.reasonix/settings.json",
    "/ws/reasonix.toml",
    "/ws/.reasonix/reasonix.toml",
    "/ws/.reasonix/settings.json",
    "/ws/.reasonix/commands/go.md",
    "/ws/.mcp.json",
    "/ws/.envrc",
    "/ws/.git/hooks/pre-commit",
    "/ws/.git/config",
    "/ws/.git",
    "/ws/sub/.git/modules/x/hooks/post-checkout",
    "/ws/mirror.git/hooks/update",
    "/ws/.husky/pre-commit",
    "/ws/.vscode/tasks.json",
    "/ws/.vscode",
    "/ws/packages/a/.vscode/launch.json",
    "/ws/.devcontainer/devcontainer.json",
    "/ws/.claude/skills/x/SKILL.md",
    "/ws/.agents/skills/x/run.sh",
    "/srv/skills/x/SKILL.md",
    "/home/u/.bashrc",
    "/home/u/.ssh/authorized_keys",
    "/home/u/.config/git/config",
  ];
  for (const path of managed) assert.equal(typeof reviewReason(path, context), "string", path);
});

Deno.test("ordinary files do not", () => {
  const ordinary = [
    "/ws/src/config.toml",
    "/ws/.gitignore",
    "/ws/.github/workflows/ci.yml",
    "/ws/.env",
    "/ws/.vscode/extensions.json",
    "/ws/docs/git/hooks/readme.md",
    "/ws/reasonix.toml.bak",
    "/ws/my.envrc",
    "/ws/.bashrc",
    "/home/u/.reasonix-notes/x",
    "/home/u/work/.profile",
    "/ws/.GIT/config",
  ];
  for (const path of ordinary) assert.equal(reviewReason(path, context), undefined, path);
});

Deno.test("names above the workspace say nothing about what lies in it", () => {
  const inside = { ...context, root: "/srv/.claude/worktrees/.git/a" };
  assert.equal(reviewReason("/srv/.claude/worktrees/.git/a/src/x.ts", inside), undefined);
  assert.equal(typeof reviewReason("/srv/.claude/worktrees/.git/a/.git/config", inside), "string");
  assert.equal(typeof reviewReason("/srv/.claude/worktrees/b/x.ts", inside), "string");
  assert.equal(typeof reviewReason("/ws/.envrc", { ...context, root: "/" }), "string");
});

Deno.test("where letter case does not matter, neither do it and what such file systems ignore", () => {
  const caseless = { ...context, caseless: true };
  const managed = [
    "/ws/.GIT/config",
    "/ws/.Git/hooks/pre-commit",
    "/ws/.git./hooks/x",
    "/ws/.git::$INDEX_ALLOCATION/config",
    "/ws/GIT~1/config",
    "/ws/.g\u200cit/config",
    "/ws/REASONIX.toml",
    "/HOME/u/.Reasonix/config.toml",
    "C:/ws/.MCP.json",
  ];
  for (const path of managed) assert.equal(typeof reviewReason(path, caseless), "string", path);
  assert.equal(reviewReason("/ws/.GITIGNORE", caseless), undefined);
});

Deno.test("state lies below the state home, its neighbours below the home", () => {
  const paths = statePaths("/h", "/s");
  assert.ok(paths.includes("/s/projects") && paths.includes("/s/sessions") && paths.includes("/h/server"));
  assert.ok(!paths.includes("/h") && !paths.includes("/s"));
});
