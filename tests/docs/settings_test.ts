// What docs/CONFIG.md says of the effect of each key is what the code does with it.
import assert from "node:assert/strict";
import { ROOT } from "../../src/config/keys/root.ts";
import { camel, type Fields, type Node } from "../../src/config/schema.ts";
import { readSources } from "../architecture/tree.ts";

const code = [...readSources(["src"])].filter(([path]) => !path.startsWith("src/config/keys/"))
  .map(([path, text]) => [path, text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "")] as const);

interface Key {
  readonly path: string;
  readonly node: Node;
  readonly notYet: boolean;
}

function keysOf(fields: Fields, above: string, notYet: boolean): Key[] {
  return Object.entries(fields).flatMap(([name, node]): Key[] => {
    const path = above === "" ? name : `${above}.${name}`;
    const idle = notYet || node.notYet !== undefined;
    if (node.node === "table" || node.node === "entries") return keysOf(node.fields, path, idle);
    if (node.node === "dictionary" && node.of.node === "table") return keysOf(node.of.fields, path, idle);
    return [{ path, node, notYet: idle }];
  });
}

// `[[mcp.servers]]` is `[[plugins]]` under another name.
const { mcp: _mcp, ...sections } = ROOT.fields;
const keys = keysOf(sections, "", false).filter(({ node }) => node.scope !== "inert" && node.scope !== "retired");

/** Files that name the key as `section.key`, or by its name alone where that is like no other. */
function uses(path: string): string[] {
  const parts = path.split(".").map(camel);
  const name = parts.at(-1)!;
  const qualified = new RegExp(`\\b${parts.slice(-2).join("\\??\\.")}\\b`);
  const alone = new RegExp(`\\b${name}\\b`);
  const isDistinct = /[A-Z]/.test(name) && keys.filter((key) => camel(key.path).endsWith(`.${name}`)).length === 1;
  return code.filter(([, text]) => qualified.test(text) || (isDistinct && alone.test(text))).map(([file]) => file);
}

/** Keys that are marked "not yet" and that the code names all the same, without acting on them. */
const NAMED_ONLY: Readonly<Record<string, string>> = {
  "agent.max_subagent_concurrency": "src/config/load.ts",
  "agent.max_parallel_writers": "src/config/load.ts",
  "telemetry.cli_metrics": "src/config/environment_layer.ts src/config/small_settings.ts",
  "serve.token": "src/config/saved_secrets.ts",
  "serve.password_hash": "src/config/saved_secrets.ts",
  "lsp.enabled": "src/frontends/cli/output/doctor_report.ts",
  "lsp.servers": "src/frontends/cli/output/doctor_report.ts",
};

Deno.test("no code acts on a key that is marked as without effect: take the mark away where that has changed", () => {
  const found = keys.filter(({ notYet }) => notYet).map(({ path }) => [path, uses(path).join(" ")] as const);
  assert.deepEqual(Object.fromEntries(found.filter(([, files]) => files !== "")), NAMED_ONLY);
});

/** Kept for whoever reads the file. */
const FOR_READERS = ["config_version", "storage"];

Deno.test("some code names each key that is not marked: mark with notYet() what nothing acts on", () => {
  const unnamed = keys.filter(({ path, notYet }) => {
    const name = new RegExp(`\\b${camel(path.split(".").at(-1)!)}\\b`);
    return !notYet && !code.some(([, text]) => name.test(text));
  });
  assert.deepEqual(unnamed.map(({ path }) => path), FOR_READERS);
});
