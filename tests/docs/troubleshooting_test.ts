// docs/TROUBLESHOOTING.md speaks of messages that the program has, and of every code it can give.
import assert from "node:assert/strict";
import { EXIT } from "../../src/frontends/cli/exit_codes.ts";
import { readSources, ROOT } from "../architecture/tree.ts";

const text = Deno.readTextFileSync(`${ROOT}docs/TROUBLESHOOTING.md`);

interface Row {
  readonly heading: string;
  readonly messages: readonly string[];
  readonly codes: readonly string[];
}

const codesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const rows: Row[] = text.split("\n## ").slice(1).flatMap((section) => {
  const heading = section.split("\n")[0]!;
  return section.split("\n").filter((line) => line.startsWith("| `")).map((line) => {
    const [message = "", code = ""] = line.split(" | ");
    return { heading, messages: codesIn(message), codes: codesIn(code) };
  });
});

/** Texts of the program with `…` for what is filled in, and pieces that are joined as one. */
const spoken = [...readSources(["src"])].map(([, source]) =>
  source.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replace(/["'`]\s*\+\s*["'`]/g, "").replaceAll('\\"', '"')
);

function isSpoken(message: string): boolean {
  const pieces = message.split("…").map((piece) => RegExp.escape(piece));
  const pattern = new RegExp(pieces.join(".{0,200}?"));
  return spoken.some((source) => pattern.test(source));
}

Deno.test("each message of the page is one that the code has", () => {
  assert.ok(rows.length > 60);
  const plain = rows.flatMap(({ messages }) => messages).filter((message) =>
    message.replaceAll("…", "").trim().length > 4
  );
  assert.deepEqual(plain.filter((message) => !isSpoken(message)), []);
});

Deno.test("each failure, refusal and notice that the program can give has a place in the page", () => {
  const union = (path: string, type: string) => {
    const body = new RegExp(`export type ${type} =([^;]*);`).exec(Deno.readTextFileSync(ROOT + path))?.[1] ?? "";
    return [...body.matchAll(/"([^"]+)"/g)].map(([, code]) => code!);
  };
  const given = [
    ...union("src/contract/errors.ts", "ErrorCode"),
    ...union("src/contract/errors.ts", "RefusalCode"),
    ...union("src/config/findings.ts", "NoticeCode"),
    ...union("src/extensions/hooks/hook.ts", "HookCode"),
  ];
  assert.ok(given.length > 60);
  const placed = new Set(rows.flatMap(({ codes }) => codes));
  assert.deepEqual(given.filter((code) => !placed.has(code)), []);
  // Codes of MCP servers are plain text in the code.
  const known = new Set([...given, "mcp.start_failed", "mcp.sign_in"]);
  assert.deepEqual([...placed].filter((code) => !known.has(code)), []);
});

Deno.test("each exit code is explained", () => {
  const section = text.split("\n## Exit codes\n")[1]!;
  assert.deepEqual([...section.matchAll(/^\| (\d) /gm)].map(([, code]) => Number(code)), Object.values(EXIT));
});
