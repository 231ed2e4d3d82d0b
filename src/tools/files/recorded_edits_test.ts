/** Edits others made for real: each must give the recorded result, or be refused for the recorded reason. */
import assert from "node:assert/strict";
import { ToolError } from "../../contract/errors.ts";
import { sha256 } from "../../lib/bytes.ts";
import { diffLines } from "../../lib/line_diff.ts";
import { createTempWorkspace } from "../../../tests/support/temp_workspace.ts";
import { sharedPath, sharedRows } from "../../../tests/support/shared.ts";
import { editFileTool } from "./edit_file.ts";
import { editText } from "./edit_text.ts";
import { multiEditTool } from "./multi_edit.ts";
import { previewEdit } from "./preview.ts";
import { writeFileTool } from "./write_file.ts";

interface CommitEdit {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly { readonly old: string; readonly new: string }[] | null;
}

const commits = sharedRows<CommitEdit>("fixtures/edit/commit-edits.jsonl");

Deno.test({
  name: "search and replace pairs of real commits give the committed file, byte for byte",
  ignore: commits.length === 0,
  fn: async () => {
    await using ws = await createTempWorkspace();
    let edited = 0;
    for (const { id, before, after, edits } of commits) {
      if (edits === null || edits.length === 0) continue;
      await ws.put("file", before);
      const args = edits.map((edit) => ({ old_string: edit.old, new_string: edit.new }));
      const preview = await previewEdit("multi_edit", { edits: args }, { path: "/f", bytes: await ws.bytes("file") });
      const { text, display } = await ws.call(multiEditTool, { path: "file", edits: args });
      assert.equal(await ws.text("file"), after, id);
      assert.ok(!text.includes("fuzzy"), id);
      assert.deepEqual({ ...display, notes: [] }, preview, id);
      edited++;
    }
    assert.equal(edited, 168);
  },
});

Deno.test({
  name: "the hunks shown for real commits lead from the old file to the new one",
  ignore: commits.length === 0,
  fn: () => {
    for (const { id, before, after } of commits) {
      const removed: string[] = [];
      const added: string[] = [];
      for (const line of diffLines(before, after).diff.split("\n")) {
        if (line.startsWith("-")) removed.push(line.slice(1));
        if (line.startsWith("+")) added.push(line.slice(1));
      }
      const count = (lines: readonly string[]) => {
        const counts = new Map<string, number>();
        for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
        return counts;
      };
      const total = count(before.split("\n"));
      for (const line of removed) total.set(line, total.get(line)! - 1);
      for (const line of added) total.set(line, (total.get(line) ?? 0) + 1);
      const want = count(after.split("\n"));
      for (const [line, times] of total) {
        if (line !== "") assert.equal(times, want.get(line) ?? 0, `${id}: ${line}`);
      }
    }
  },
});

interface AgentEdit {
  readonly id: string;
  readonly oldText: string;
  readonly newText: string;
  readonly ok: boolean;
}

const agent = sharedRows<AgentEdit>("fixtures/edit/agent-edits.jsonl");

Deno.test({
  name: "edit calls of real sessions apply exactly around unrelated text, in LF and in CRLF files",
  ignore: agent.length === 0,
  fn: () => {
    let applied = 0;
    for (const { id, oldText, newText, ok } of agent) {
      if (!ok || oldText === newText) continue;
      const around = (text: string) => `// §start of another part§\n${text}\n// §end of another part§\n`;
      const crlf = (text: string) => text.replaceAll("\n", "\r\n");
      const edits = [{ old: oldText, new: newText }];
      assert.equal(editText(around(oldText), edits).text, around(newText), id);
      if (oldText.includes("\r") || newText.includes("\r")) continue;
      assert.equal(editText(crlf(around(oldText)), edits).text, crlf(around(newText)), id);
      applied++;
    }
    assert.ok(applied > 240);
  },
});

Deno.test({
  name: "edit calls that failed for real fail here too: text that is not there, and nothing to change",
  ignore: agent.length === 0,
  fn: () => {
    const failed = agent.filter((call) => !call.ok);
    assert.equal(failed.length, 4);
    for (const { oldText, newText } of failed) {
      const file = oldText === newText ? oldText : "function other(): void {\n  return;\n}\n";
      assert.throws(() => editText(file, [{ old: oldText, new: newText }]), ToolError);
    }
  },
});

interface BlockCases {
  readonly blocks: readonly {
    readonly expectEdits?: readonly { readonly search: string; readonly replace: string }[];
  }[];
  readonly replacements: readonly {
    readonly id: string;
    readonly whole: string;
    readonly search: string;
    readonly replace: string;
    readonly expected: string;
    readonly rule: string;
  }[];
}

const blocksPath = sharedPath("fixtures/edit/search-replace-blocks.json");

Deno.test({
  name: "of recorded replacements the exact one applies; first-of-many and re-indenting ones are refused with a reason",
  ignore: blocksPath === undefined,
  fn: async () => {
    const { blocks, replacements } = JSON.parse(await Deno.readTextFile(blocksPath!)) as BlockCases;
    for (const { id, whole, search, replace, expected, rule } of replacements) {
      const run = () => editText(whole, [{ old: search, new: replace }]).text;
      if (rule === "exact") assert.equal(run(), expected, id);
      else {
        assert.throws(run, (error) => {
          assert.ok(error instanceof ToolError, id);
          const reason = rule.startsWith("first") ? /occurs 2 times/ : /not found[^]*(indentation|nearest lines)/;
          return reason.test(error.message);
        }, id);
      }
    }
    for (const { search, replace } of blocks.flatMap((block) => block.expectEdits ?? [])) {
      if (search === "") continue;
      const edits = [{ old: search, new: replace }];
      assert.equal(editText(`before\n${search}after`, edits).text, `before\n${replace}after`);
    }
  },
});

interface LineEndingFile {
  readonly file: string;
  readonly sha256: string;
  readonly crlf: number;
  readonly lf: number;
  readonly bom: boolean;
  readonly finalNewline: boolean;
}

const lineEndings = sharedPath("fixtures/edit/line-endings");

Deno.test({
  name: "in natural files with CRLF, mixed ends, marks and no final newline an edit changes its line alone",
  ignore: lineEndings === undefined,
  fn: async () => {
    await using ws = await createTempWorkspace();
    const expected = JSON.parse(await Deno.readTextFile(`${lineEndings}/expected.json`)) as LineEndingFile[];
    for (const { file, sha256: hash, bom } of expected) {
      const bytes = await Deno.readFile(`${lineEndings}/${file}`);
      assert.equal(await sha256(bytes), hash, file);
      const original = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      const shown = (bom ? original.slice(1) : original).replaceAll("\r\n", "\n");
      const lines = shown.split("\n");
      const unique = lines.findIndex((line, i) =>
        line.length > 3 && i > 0 && lines.indexOf(line) === i && shown.split(line).length === 2
      );
      assert.ok(unique > 0, file);

      // Two lines as a model copies them from a read, with a line added between them.
      await ws.put("file", bytes);
      const old = lines.slice(unique - 1, unique + 1).join("\n");
      await ws.call(editFileTool, { path: "file", old_string: old, new_string: old.replace("\n", "\nADDED\n") });
      const added = await ws.text("file");
      const removed = added.replace(/ADDED\r?\n/, "");
      assert.equal(removed, original, file);
      const neighbour = /ADDED(\r?\n)/.exec(added)![1];
      assert.ok(
        original.includes(lines[unique - 1]! + neighbour) || original.includes(lines[unique]! + neighbour),
        file,
      );

      // And what was shown, written back whole, is no change where every line ends the same.
      await ws.put("file", bytes);
      if (/(?<!\r)\n/.test(original) && original.includes("\r\n")) continue;
      const { text } = await ws.call(writeFileTool, { path: "file", content: shown });
      assert.match(text, /already contains the exact content/, file);
    }
  },
});

const encodings = sharedPath("fixtures/edit/encodings");

Deno.test({
  name: "of thirteen legacy files only the one that can be written back is edited, and keeps every other byte",
  ignore: encodings === undefined,
  fn: async () => {
    await using ws = await createTempWorkspace();
    const expected = JSON.parse(await Deno.readTextFile(`${encodings}/expected.json`)) as {
      readonly file: string;
      readonly charset: string;
      readonly sha256: string;
    }[];
    for (const { file, charset, sha256: hash } of expected) {
      const bytes = await Deno.readFile(`${encodings}/${file}`);
      await ws.put(file, bytes);
      const ascii = /[A-Za-z]{6,}/g;
      const text = new TextDecoder("latin1").decode(bytes);
      const word = [...text.matchAll(ascii)].map(([found]) => found).find((found) => text.split(found).length === 2)!;
      const call = ws.call(editFileTool, { path: file, old_string: word, new_string: word.toUpperCase() + "!" });
      if (charset !== "gb2312") {
        await assert.rejects(call, ToolError, file);
        assert.equal(await sha256(await ws.bytes(file)), hash, file);
        continue;
      }
      await call;
      const after = new TextDecoder("latin1").decode(await ws.bytes(file));
      assert.equal(after, text.replace(word, word.toUpperCase() + "!"), file);
    }
  },
});
