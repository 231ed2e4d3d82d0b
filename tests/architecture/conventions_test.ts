// House rules that a machine can check.
import assert from "node:assert/strict";
import { MAY_IMPORT } from "../../scripts/layers.ts";
import { filesBelow, readSources, ROOT } from "./tree.ts";

const FOLDERS = ["src", "tests", "scripts", "plugins"];

// proves DIST-02
Deno.test("files and folders have lower-case names, words joined by an underscore", () => {
  const odd = filesBelow(FOLDERS).filter((path) => !/^[a-z0-9_/]+(?:README)?(\.[a-z0-9]+)+$/.test(path));
  assert.deepEqual(odd, []);
});

Deno.test("no file is named for a drawer instead of the thing inside", () => {
  const drawers = filesBelow(FOLDERS).filter((path) => /\/_?(?:utils?|helpers?|common|manager|misc)\b/.test(path));
  assert.deepEqual(drawers, []);
});

Deno.test("a path that is taken from an address is decoded: a checkout may lie in a folder with any name", () => {
  const encoded = [...readSources(FOLDERS)].flatMap(([path, text]) =>
    /(?<!decodeURIComponent\()new URL\([^()]*import\.meta\.url\)\.pathname/.test(text) ? [path] : []
  );
  assert.deepEqual(encoded, []);
});

Deno.test("comments in the sources name only what the project holds", () => {
  const found = [...readSources(["src", "scripts"])].filter(([path]) => !path.endsWith("_test.ts"))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, at) => {
        const comment = /^\s*(?:\*|\/\/|\/\*)(.*)|\s\/\/ (.*)/.exec(line)?.slice(1).join(" ") ?? "";
        // Promises are named beside the tests that prove them; pages of elsewhere nobody can open.
        const strange = /§|\b(?!UTF-|ISO-|RFC-|SHA-)[A-Z]{3,5}-\d\d\b/.test(comment) ||
          [...comment.matchAll(/\bdocs\/[\w/]+\.md\b/g)].some(([page]) => !exists(page));
        return strange ? [`${path}:${at + 1}: ${comment.trim()}`] : [];
      })
    );
  assert.deepEqual(found, []);
});

function exists(path: string): boolean {
  try {
    return Deno.statSync(ROOT + path).isFile;
  } catch {
    return false;
  }
}

// proves ARCH-01
Deno.test("no model or vendor is named in the engine", () => {
  const engine = ["agent", "contract", "controller", "subagents", "tools"].map((area) => `src/${area}/`);
  const named = [...readSources(["src"])]
    .filter(([path]) => engine.some((folder) => path.startsWith(folder)))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, at) =>
        // Comments may give an example; code may not know one.
        /["'`/][^"'`]*\b(?:deepseek|gpt-|claude-|qwen|kimi|glm-|gemini|minimax)/i.test(
            line.replace(/^\s*(?:\*|\/\/|\/\*).*/, ""),
          )
          ? [`${path}:${at + 1}`]
          : []
      )
    );
  assert.deepEqual(named, []);
});

/** Files whose subject is Chinese text, or that name the language in its own script. */
const CHINESE_AS_DATA = [
  "scripts/bench/history.ts",
  "src/lib/charset_guess.ts",
  "src/memory/plain_words.ts",
  "src/prompts/session_context.ts",
  "src/providers/overflow.ts",
];

// proves ARCH-06
Deno.test("sources, prompts and tool descriptions are written in English", () => {
  const other = filesBelow(["src", "scripts"])
    .filter((path) => /\.(?:ts|md)$/.test(path) && !path.endsWith("_test.ts") && !CHINESE_AS_DATA.includes(path))
    .filter((path) => /\p{Script=Han}/u.test(Deno.readTextFileSync(ROOT + path)));
  assert.deepEqual(other, []);
});

// proves ARCH-07
Deno.test("the README and its Chinese form have the same sections and the same commands", () => {
  const shape = (path: string) => {
    const text = Deno.readTextFileSync(ROOT + path);
    return {
      levels: [...text.matchAll(/^(#+) /gm)].map((heading) => heading[1]),
      code: [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map((block) => block[1]),
    };
  };
  assert.deepEqual(shape("README.zh-CN.md"), shape("README.md"));
});

Deno.test("the table in docs/ARCHITECTURE.md says what the import rules check", () => {
  const text = Deno.readTextFileSync(ROOT + "docs/ARCHITECTURE.md").split("\n## Who may import what\n")[1] ?? "";
  const written = new Map<string, readonly string[]>();
  for (const [, areas, allowed] of text.split("\n## ")[0]!.matchAll(/^\| (`.+?)\s*\| (.+?)\s*\|$/gm)) {
    const names = [...allowed!.matchAll(/`([^`]+)`/g)].map((name) => name[1]!);
    for (const area of areas!.matchAll(/`([^`]+)`/g)) written.set(area[1]!, names);
  }
  const sorted = (map: ReadonlyMap<string, readonly string[]>) =>
    [...map].map(([area, names]) => [area, [...names].sort()]).sort();
  assert.deepEqual(sorted(written), sorted(MAY_IMPORT));
});
