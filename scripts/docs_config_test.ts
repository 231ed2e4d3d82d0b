import assert from "node:assert/strict";
import { configFiles } from "../tests/support/config_files.ts";
import { loadConfig } from "../src/config/mod.ts";
import { ROOT } from "../src/config/keys/root.ts";
import type { Node } from "../src/config/schema.ts";
import { renderDocument, renderExample } from "./docs_config.ts";

const read = (name: string) => Deno.readTextFileSync(new URL(`../${name}`, import.meta.url));

Deno.test("docs/CONFIG.md and reasonix.example.toml are those of the table of keys", () => {
  const document = read("docs/CONFIG.md");
  assert.equal(renderDocument(document), document, "run: deno run -A scripts/docs_config.ts");
  assert.equal(renderExample(), read("reasonix.example.toml"), "run: deno run -A scripts/docs_config.ts");
});

// proves ARCH-08
Deno.test("the example loads without a warning, as it is and with every line of it taken", async () => {
  const example = read("reasonix.example.toml");
  for (const user of [example, example.replace(/^#(?=\S)/gm, "")]) {
    using place = configFiles({ user, env: { EXAMPLE_TOKEN: "t" } });
    const { notices } = await loadConfig(place.options);
    assert.deepEqual(notices.filter(({ level }) => level === "warning"), []);
  }
});

Deno.test("the example names every key that has an effect", () => {
  const lines = read("reasonix.example.toml").replace(/^#(?=\S)/gm, "").split("\n");
  const named = new Set(lines.map((line) => /^([a-z0-9_]+) = /.exec(line)?.[1]));
  const missing: string[] = [];
  const walk = (name: string, node: Node) => {
    if (node.node === "leaf" && !named.has(name)) missing.push(name);
    if (node.node === "table" || node.node === "entries") {
      for (const [key, child] of Object.entries(node.fields)) walk(key, child);
    }
    if (node.node === "dictionary" && node.of.node === "table") {
      for (const [key, child] of Object.entries(node.of.fields)) {
        walk(key, child);
      }
    }
  };
  walk("", ROOT);
  assert.deepEqual(missing, []);
});
