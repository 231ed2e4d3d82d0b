import assert from "node:assert/strict";
import { analyze } from "../../../tests/support/permissions.ts";

Deno.test("files that a command may write are named, however it writes them", () => {
  const writes: readonly [string, string][] = [
    ["printf x >> .git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["echo x &> .envrc", ".envrc"],
    ["cat > '.mcp.json' <<'E'\nx\nE", ".mcp.json"],
    ["tee -a .envrc", ".envrc"],
    ["cp x .vscode/tasks.json", ".vscode/tasks.json"],
    ["ln -sf x .git/hooks/pre-commit", ".git/hooks/pre-commit"],
    ["sed -i s/a/b/ .git/config", ".git/config"],
    ["dd if=x of=.envrc", ".envrc"],
    ["curl -o.envrc https://example.com", ".envrc"],
    ["curl --output=.envrc https://example.com", ".envrc"],
    ["rm .envrc", ".envrc"],
    ["git config core.hooksPath h", ".git/config"],
    ["git config --global alias.x y", "~/.gitconfig"],
    ["git remote add x y", ".git/config"],
    ["git -C sub config core.hooksPath h", "sub/.git/config"],
    ["git checkout main -- .envrc", ".envrc"],
    ["cd .git/hooks && touch pre-commit", ".git/hooks/pre-commit"],
    ["echo x >> ~/.bashrc", "~/.bashrc"],
    ["echo x >> $HOME/.bashrc", "~/.bashrc"],
    ['echo x >> "${HOME}/.bashrc"', "~/.bashrc"],
    ["bash -c 'echo x > .envrc'", ".envrc"],
    ["sudo tee .envrc", ".envrc"],
    ["python3 write.py .envrc", ".envrc"],
    ["find .git/hooks -delete", ".git/hooks"],
  ];
  const missed = writes.filter(([command, path]) => !analyze(command).mayWrite.includes(path));
  assert.deepEqual(missed, []);
});

Deno.test("reading a file, or leaving it out, is not writing it", () => {
  const commands = [
    "cat .git/config",
    "grep x .envrc",
    "git add .envrc",
    "git commit -m x .envrc",
    "git config --get core.hooksPath",
    "git config core.hooksPath",
    "git remote -v",
    "git commit -m config",
    "find . -path .git -prune -o -name .envrc -exec cat {} ;",
    "tar cf x.tar --exclude=.git --exclude .envrc src",
    "rsync -a --exclude .git src dst",
    "npm test 2>/dev/null",
  ];
  const named = commands.filter((command) => analyze(command).mayWrite.some((path) => /\.git|\.envrc|null/.test(path)));
  assert.deepEqual(named, []);
});
