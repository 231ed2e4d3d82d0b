import assert from "node:assert/strict";
import { UsageError } from "../flags.ts";
import { parseAddLine } from "./add_line.ts";

const lines: [string[], object][] = [
  [["fs", "--", "npx", "-y", "pkg", "--flag"], {
    name: "fs",
    type: "stdio",
    command: "npx",
    args: ["-y", "pkg", "--flag"],
  }],
  [["fs", "npx", "-y", "pkg", "--", "x"], {
    name: "fs",
    type: "stdio",
    command: "npx",
    args: ["-y", "pkg", "--", "x"],
  }],
  [["fs", "./server"], { name: "fs", type: "stdio", command: "./server", args: [] }],
  [["--env", "A=1", "fs", "-e", "B=x=y", "--", "srv"], {
    name: "fs",
    type: "stdio",
    command: "srv",
    args: [],
    env: { A: "1", B: "x=y" },
  }],
  [["--", "npx", "-y", "@modelcontextprotocol/server-memory@1.2"], {
    name: "memory",
    type: "stdio",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-memory@1.2"],
  }],
  [["https://mcp.stripe.com/v1"], { name: "stripe", type: "http", url: "https://mcp.stripe.com/v1" }],
  [["s", "https://mcp.stripe.com", "--header", "X: a b"], {
    name: "s",
    type: "http",
    url: "https://mcp.stripe.com",
    headers: { X: "a b" },
  }],
  [["s", "--http", "https://a.example", "--header", "Authorization=Bearer ${T}", "--header", "X=1"], {
    name: "s",
    type: "http",
    url: "https://a.example",
    headers: { Authorization: "Bearer ${T}", X: "1" },
  }],
  [["s", "--sse=https://a.example/sse"], { name: "s", type: "sse", url: "https://a.example/sse" }],
];

for (const [argv, server] of lines) {
  Deno.test(`mcp add ${argv.join(" ")}`, () => assert.deepEqual(parseAddLine(argv), server));
}

for (
  const argv of [
    [],
    ["fs"],
    ["--http", "https://a.example"],
    ["s", "--http", "ftp://a.example"],
    ["s", "--http", "https://a.example", "npx"],
    ["s", "--header", "X=1", "--", "npx"],
    ["s", "--env", "A", "--", "npx"],
    ["s", "--frob", "--", "npx"],
    ["a\nb", "--", "npx"],
  ]
) {
  Deno.test(`mcp add ${JSON.stringify(argv)} is refused with the usage`, () => {
    assert.throws(() => parseAddLine(argv), UsageError);
  });
}
