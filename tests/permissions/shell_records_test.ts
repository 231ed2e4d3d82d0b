/** Recorded cases of other tools' tests, injection payloads, GTFOBins and thousands of ordinary commands. */
import assert from "node:assert/strict";
import { sharedPath, sharedRows } from "../support/shared.ts";
import { analyze, quoteAll, verdict } from "../support/permissions.ts";
import {
  type Difference,
  PAYLOAD_DIFFERENCES,
  POLICY_DIFFERENCES,
  READING_PROGRAMS,
  TAKEN_THOUGH_REFUSED,
} from "./kept_differences.ts";

const ignore = sharedPath("fixtures/shell") === undefined;

interface Parse {
  readonly bashSyntaxOk: boolean;
  readonly parsed: boolean;
  readonly commands: readonly { readonly argv: readonly (string | null)[] }[];
  readonly redirects: readonly { readonly op: string; readonly target: string | null }[];
}

interface PolicyRow {
  readonly id: string;
  readonly kind: string;
  readonly command?: string;
  readonly argv?: readonly string[];
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly expect: unknown;
}

const prefixes = (names: readonly string[] = []) => names.map((name) => `Bash(${name}:*)`);
const rows = (kind: string) =>
  sharedRows<PolicyRow>("fixtures/shell/policy-cases.jsonl").filter((row) => row.kind === kind);
const reads = (command: string) => analyze(command).readOnly;
const roots = (command: string) => analyze(command).commands.map(({ layers }) => layers[0]!.words[0]!.value);
const allowedBy = (allow: readonly string[] | undefined, command: string) =>
  verdict({ allow: prefixes(allow) }, command) === "allow" ? "allow" : "ask";

/** Every row as expected, but for the reviewed differences, all of which are needed. */
function compare<T extends { readonly id: string }>(
  all: readonly T[],
  sides: { readonly expected: (row: T) => unknown; readonly ours: (row: T) => unknown },
  kept: readonly Difference[],
): void {
  const ids = new Set(all.map(({ id }) => id));
  const differ = all.filter((row) => sides.expected(row) !== sides.ours(row));
  const own = (row: T) => typeof sides.ours(row) === "boolean" ? (sides.ours(row) ? "read" : "act") : sides.ours(row);
  assert.deepEqual(
    differ.map((row) => [row.id, own(row)]).sort(),
    kept.filter(({ id }) => ids.has(id)).map(({ id, ours }) => [id, ours]).sort(),
  );
}

Deno.test({
  name: "an allow rule for a prefix covers what other tools' tests say it covers",
  ignore,
  fn: () =>
    compare(rows("allow-prefix"), {
      expected: (row) => row.expect,
      ours: (row) => allowedBy(row.allow, row.command!),
    }, POLICY_DIFFERENCES),
});

Deno.test({
  name: "a deny rule is found wherever other tools' tests hide the command",
  ignore,
  fn: () => {
    const found = rows("deny-command").map((row) =>
      verdict({ deny: prefixes(row.deny) }, row.command!, { fallback: "allow" })
    );
    assert.deepEqual(found, found.map(() => "deny"));
  },
});

Deno.test({
  name: "what only reads is what other tools' tests run unasked",
  ignore,
  fn: () =>
    compare(rows("auto-approve"), {
      expected: (row) => row.expect,
      ours: (row) => reads(quoteAll(row.argv!)),
    }, POLICY_DIFFERENCES),
});

Deno.test({
  name: "commands, redirects and words are those of other tools' parsers",
  ignore,
  fn: () => {
    for (const { command, expect } of rows("command-roots")) {
      assert.deepEqual(roots(command!).sort(), [...expect as string[]].sort(), command);
    }
    for (const { command, expect } of rows("has-redirection")) {
      assert.equal(analyze(command!).reasons.some((reason) => /redirect|here/.test(reason)), expect, command);
    }
    for (const { command, expect } of rows("plain-parse")) {
      const words = analyze(command!).commands.map(({ layers }) => layers[0]!.words.map(({ value }) => value));
      if (expect !== null) assert.deepEqual(words, expect, command);
    }
    for (const { command, expect } of rows("strip-wrapper")) {
      assert.ok(analyze(command!).commands.some(({ carried, text }) => carried && text === expect), command);
    }
    for (const { command } of rows("must-not-trust")) assert.notEqual(allowedBy(["echo"], command!), "allow");
    for (const { argv, expect } of rows("forced-rm")) {
      assert.equal(analyze(quoteAll(argv!)).danger !== undefined, expect, quoteAll(argv!));
    }
  },
});

interface Payload {
  readonly id: string;
  readonly command: string;
  readonly allow: readonly string[];
  readonly expect: "allow" | "ask" | "policy";
}

Deno.test({
  name: "no injection payload runs under rules that should stop it",
  ignore,
  fn: () => {
    const payloads = sharedRows<Payload>("fixtures/shell/bypass-payloads.jsonl").filter(({ expect }) =>
      expect !== "policy"
    );
    assert.ok(payloads.length > 30);
    compare(
      payloads,
      { expected: (row) => row.expect, ours: (row) => allowedBy(row.allow, row.command) },
      PAYLOAD_DIFFERENCES,
    );
  },
});

interface Escape extends Parse {
  readonly id: string;
  readonly binary: string;
  readonly function: string;
  readonly code?: string;
}

Deno.test({
  name: "no program that breaks out counts as reading, and no rule for another program covers it",
  ignore,
  fn: () => {
    const escapes = sharedRows<Escape>("fixtures/shell/gtfobins.jsonl").filter(({ code }) => code !== undefined);
    assert.ok(escapes.length > 500);
    const readers = escapes.filter(({ code }) => reads(code!));
    assert.deepEqual(
      readers.map(({ binary, function: what }) => [binary, what]).sort(),
      READING_PROGRAMS.map((binary) => [binary, "file-read"]).sort(),
    );
    // Rules for everyday programs, none of them the one that breaks out.
    const everyday = ["ls", "echo", "cat", "npm", "cargo", "go test", "git status", "mkdir"];
    const covered = escapes.filter(({ code, binary }) =>
      !everyday.some((name) => name.startsWith(binary)) && !reads(code!) && allowedBy(everyday, code!) === "allow"
    );
    assert.deepEqual(covered.map(({ id }) => id), []);
  },
});

interface Ordinary extends Parse {
  readonly id: string;
  readonly command: string;
}

for (const set of ["nl2bash", "tldr"]) {
  Deno.test({
    name: `in the ${set} commands no call and no written file is missed, and nothing fails`,
    ignore,
    fn: () => {
      const records = sharedRows<Ordinary>(`fixtures/shell/${set}.jsonl`);
      assert.ok(records.length > 2_000);
      const missed: unknown[] = [];
      const unsafe: string[] = [];
      for (const { command, parsed, bashSyntaxOk, commands, redirects } of records) {
        const analysis = analyze(command);
        if (!parsed || !bashSyntaxOk) {
          if (analysis.shape !== "nested") unsafe.push(command);
          continue;
        }
        const left = roots(command);
        for (const { argv: [name] } of commands) {
          if (typeof name !== "string") continue;
          const at = left.indexOf(name);
          if (at < 0) missed.push({ command, name });
          else left.splice(at, 1);
        }
        const writes = redirects.some(({ op, target }) =>
          op.includes(">") && !/^(\/dev\/null|\d+|-)$/.test(target ?? "")
        );
        if (writes && analysis.readOnly) missed.push({ command, writes });
      }
      assert.deepEqual(missed, []);
      assert.deepEqual(
        unsafe,
        TAKEN_THOUGH_REFUSED.filter((command) => records.some((row) => row.command === command)),
      );
    },
  });
}
