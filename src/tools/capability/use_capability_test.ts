import assert from "node:assert/strict";
import type { ResultStore, Tool, ToolPorts } from "../../contract/tool.ts";
import { byteLength, sha256, toBytes } from "../../lib/bytes.ts";
import { createToolSet } from "../registry.ts";
import { useCapabilityTool } from "./use_capability.ts";

const REF = "tr-0123456789abcdef01234567";

function deferred(name: string, description: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description,
    schema: { type: "object", properties: { url: { type: "string" } } },
    readOnly: true,
    direct: false,
    execute: () => Promise.reject(new Error("only the loop may run it")),
    ...more,
  };
}

function setup(options: { tools?: readonly Tool[]; results?: ResultStore } = {}) {
  const results = options.results ?? { read: () => Promise.resolve(undefined) };
  const tools = createToolSet([useCapabilityTool], { results } as ToolPorts);
  tools.add(options.tools ?? []);
  const tool = tools.find("use_capability")!;
  return {
    tool,
    redirect: (args: Record<string, unknown>) => tool.redirect!(args),
    use: async (args: Record<string, unknown>) =>
      (await tool.execute(args, { callId: "c", signal: new AbortController().signal, progress: () => {} })).text,
  };
}

const fetchPage = deferred("web_fetch", "Fetches a page as readable text. Only http and https.");
const searchWeb = deferred("web_search", "Searches the web for pages.");
const editNotebook = deferred("notebook_edit", "Changes a cell of a notebook.", { readOnly: false });
const three = [searchWeb, fetchPage, editNotebook];

Deno.test("list shows ids with one sentence each, sorted, in pages", async () => {
  const { use } = setup({ tools: three });
  const whole = await use({ action: "list" });
  assert.equal(
    whole,
    "session:tool_result (read-only): Pages through the full text of a tool result that was cut.\n" +
      "tool:notebook_edit: Changes a cell of a notebook.\n" +
      "tool:web_fetch (read-only): Fetches a page as readable text.\n" +
      "tool:web_search (read-only): Searches the web for pages.",
  );
  const first = (await use({ action: "list", limit: 2 })).split("\n");
  assert.equal(first[2], '(2 more: list with cursor "tool:notebook_edit")');
  const second = await use({ action: "list", limit: 2, cursor: "tool:notebook_edit" });
  assert.equal([...first.slice(0, 2), second].join("\n"), whole);
  assert.equal(await use({ action: "list", cursor: "tool:zzz" }), "(no more capabilities)");
  await assert.rejects(use({ action: "list", limit: 101 }), /at most 100 for list/);
});

Deno.test("search finds by words of the name and the description, best first", async () => {
  const { use } = setup({ tools: three });
  const ids = async (query: string) =>
    (await use({ action: "search", query })).split("\n").map((line) => line.split(/[ :]/)[1]);
  assert.deepEqual(await ids("notebook cell"), ["notebook_edit"]);
  assert.deepEqual(await ids("search the web"), ["web_search", "web_fetch"]);
  assert.deepEqual(await ids("WebFetch"), ["web_fetch", "web_search"]);
  assert.match(
    await use({ action: "search", query: "quantum" }),
    /^\(no capability matches; action "list" shows all 4\)$/,
  );
  await assert.rejects(use({ action: "search" }), /action "search" needs query/);
  await assert.rejects(use({ action: "search", query: "web", limit: 9 }), /at most 8 for search/);
});

Deno.test("inspect shows the words and the schema of one", async () => {
  const { use } = setup({ tools: three });
  assert.equal(
    await use({ action: "inspect", capability_id: "tool:notebook_edit" }),
    'notebook_edit (may change things)\nChanges a cell of a notebook.\n{"type":"object","properties":{"url":{"type":"string"}}}',
  );
  assert.match(await use({ action: "inspect", capability_id: "session:tool_result" }), /"maximum":24576/);
});

Deno.test("decline repeats what is declined and why", async () => {
  const { use } = setup();
  assert.equal(
    await use({ action: "decline", capability_id: "skill:x", reason: "not needed" }),
    "declined capability skill:x: not needed",
  );
  await assert.rejects(use({ action: "decline", capability_id: "skill:x" }), /needs reason/);
});

Deno.test("a call of a tool is handed back to the loop with the arguments as they are", () => {
  const { redirect } = setup({ tools: three });
  const args = { url: 7 };
  assert.deepEqual(redirect({ action: "call", capability_id: "tool:web_fetch", arguments: args }), {
    tool: "web_fetch",
    args,
  });
  assert.deepEqual(redirect({ action: "call", capability_id: "tool:web_fetch" }), { tool: "web_fetch", args: {} });
});

Deno.test("a call that leads nowhere says why, whatever the arguments are", () => {
  const { redirect } = setup({ tools: three });
  const problem = (id: unknown) => redirect({ action: "call", capability_id: id });
  assert.deepEqual(problem("tool:docs"), {
    problem: 'capability unavailable: tool "docs" is not registered in this session',
  });
  assert.deepEqual(problem("web_fetch"), {
    problem: 'unknown capability_id "web_fetch"; did you mean tool:web_fetch?',
  });
  assert.deepEqual(problem("mcp-tool:a/b"), { problem: 'unknown capability_id "mcp-tool:a/b"' });
  assert.deepEqual(problem("tool:use_capability"), { problem: "use_capability cannot call itself" });
  for (
    const args of [{}, { action: 3 }, { action: "call", capability_id: 5 }, { action: "list" }, {
      capability_id: "tool:x",
    }]
  ) {
    assert.equal(redirect(args), undefined);
  }
});

function stored(text: string | Uint8Array): ResultStore {
  const bytes = typeof text === "string" ? toBytes(text) : text;
  return { read: (callId, ref) => Promise.resolve(callId === "call_1" && ref === REF ? bytes : undefined) };
}

Deno.test("a stored result is paged through without a byte lost or doubled", async () => {
  const text = "\ufeff" + "a中é😀\n".repeat(5000) + "end";
  const { use } = setup({ results: stored(text) });
  let offset = 0;
  let whole = "";
  let pages = 0;
  for (let complete = false; !complete; pages++) {
    const page = await use({
      action: "call",
      capability_id: "session:tool_result",
      arguments: { tool_call_id: "call_1", result_ref: REF, ...(offset > 0 ? { offset } : {}), limit: 10_001 },
    });
    const [head, ...rest] = page.split("\n\n");
    const header = Object.fromEntries(head!.split("\n").map((line) => line.split(": ")));
    const body = rest.join("\n\n");
    assert.deepEqual(header, {
      result_ref: REF,
      offset: String(offset),
      next_offset: String(offset + byteLength(body)),
      total_bytes: String(byteLength(text)),
      sha256: await sha256(text),
      complete: String(offset + byteLength(body) === byteLength(text)),
    });
    offset = Number(header.next_offset);
    complete = header.complete === "true";
    whole += body;
  }
  assert.equal(whole, text);
  assert.equal(pages, 6);
});

Deno.test("the usual page has 16384 bytes, and a page fits into a result", async () => {
  const { tool } = setup({ results: stored("x".repeat(100_000)) });
  const page = async (more: Record<string, unknown>) =>
    await tool.execute({
      action: "call",
      capability_id: "session:tool_result",
      arguments: { tool_call_id: "call_1", result_ref: REF, ...more },
    }, { callId: "c", signal: new AbortController().signal, progress: () => {} });
  assert.match((await page({})).text, /next_offset: 16384\n/);
  const largest = await page({ limit: 24_576 });
  assert.match(largest.text, /next_offset: 24576\n/);
  assert.ok(byteLength(largest.text) <= largest.bound!.bytes && largest.bound!.bytes <= 32_768);
});

Deno.test("a page never starts or ends within a character", async () => {
  const { use } = setup({ results: stored("中文") });
  const page = (more: Record<string, unknown>) =>
    use({
      action: "call",
      capability_id: "session:tool_result",
      arguments: { tool_call_id: "call_1", result_ref: REF, ...more },
    });
  assert.match(await page({ offset: 1, limit: 4 }), /offset: 0\nnext_offset: 3\n[^]*\n\n中$/);
  assert.match(await page({ offset: 3, limit: 1 }), /offset: 3\nnext_offset: 6\n[^]*complete: true\n\n文$/);
  assert.match(await page({ offset: 4, limit: 1 }), /offset: 3\n/);
});

Deno.test("a stored result that is asked for wrongly is refused with the way out", async () => {
  const { use } = setup({ results: stored("text") });
  const call = (args: unknown) => use({ action: "call", capability_id: "session:tool_result", arguments: args });
  await assert.rejects(call({ tool_call_id: "call_2", result_ref: REF }), /this session has no stored result/);
  await assert.rejects(
    call({ tool_call_id: "call_1", result_ref: REF, offset: 4 }),
    /past the end: the result has 4 bytes/,
  );
  await assert.rejects(call({ tool_call_id: "call_1", result_ref: REF, limit: 24_577 }), /\/limit: maximum/);
  await assert.rejects(call({ tool_call_id: "call_1", result_ref: REF, offset: -1 }), /\/offset: minimum/);
  await assert.rejects(call({ result_ref: "../x" }), /\/tool_call_id: required[^]*\/result_ref: pattern/);
  await assert.rejects(use({ action: "call" }), /action "call" needs capability_id/);
});
