// What the documents show works, and where they point there is something.
import assert from "node:assert/strict";
import { loadConfig, resolveModel, resolvePaths } from "../../src/config/mod.ts";
import { filesBelow, ROOT } from "../architecture/tree.ts";

const documents = [
  "README.md",
  "README.zh-CN.md",
  ...filesBelow(["docs", "tests"]).filter((path) => path.endsWith(".md")),
];

Deno.test("the configuration in the README loads without a word and offers its models", async () => {
  const shown = /```toml\n([\s\S]*?)```/.exec(Deno.readTextFileSync(ROOT + "README.md"))?.[1] ?? "";
  const home = await Deno.makeTempDir();
  try {
    const env = (name: string) => name === "HOME" ? home : undefined;
    const paths = resolvePaths(env, { os: "linux", cwd: home });
    await Deno.mkdir(paths.home);
    await Deno.writeTextFile(paths.userConfig, shown);
    const { config, notices } = await loadConfig({ paths, workspace: home, trusted: false, env });
    assert.deepEqual(notices, []);
    assert.equal(resolveModel(config, config.defaultModel).model, "deepseek-flash");
    assert.deepEqual([config.permissions.allow.length, config.permissions.deny.length], [1, 1]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("the transcript in the README is what the demo prints, with pieces left out", async () => {
  const shown = /```text\n\$ reasonix demo\n([\s\S]*?)```/.exec(Deno.readTextFileSync(ROOT + "README.md"))?.[1] ?? "";
  const home = await Deno.makeTempDir();
  try {
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", ROOT + "main.ts", "demo"],
      env: { REASONIX_HOME: home, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    assert.equal(code, 0);
    const printed = new TextDecoder().decode(stdout).split("\n").map((line) => line.trimEnd());
    const missing = shown.trimEnd().split("\n").filter((line) => {
      if (line.trim() === "…") return false;
      const at = printed.indexOf(line);
      if (at >= 0) printed.splice(0, at + 1);
      return at < 0;
    });
    assert.deepEqual(missing, []);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("links in the documents lead somewhere", () => {
  const exists = (path: string) => {
    try {
      return Deno.statSync(path) !== undefined;
    } catch {
      return false;
    }
  };
  const dead = documents.flatMap((path) => {
    const text = Deno.readTextFileSync(ROOT + path);
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
    return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .filter(([, target]) => !exists(ROOT + folder + target))
      .map(([, target]) => `${path}: ${target}`);
  });
  assert.deepEqual(dead, []);
});

Deno.test("the files that the documents name exist", () => {
  const files = filesBelow(["main.ts", "src", "tests", "scripts", "plugins"]);
  const unknown = ["docs/ARCHITECTURE.md", "docs/CONTRIBUTING.md", "tests/contract/cases.md"].flatMap((path) => {
    const named = Deno.readTextFileSync(ROOT + path).match(/`[a-z_/]+\.ts`/g) ?? [];
    return named.map((name) => name.slice(1, -1))
      // Patterns for names, not names.
      .filter((name) => !["snake_case.ts", "_name.ts", "name_test.ts", "mod.ts", "builtin.ts"].includes(name))
      .filter((name) => !files.some((file) => file === name || file.endsWith("/" + name)))
      .map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(unknown, []);
});
