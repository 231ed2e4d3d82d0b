import assert from "node:assert/strict";
import { WALLS } from "../../../tests/support/walls.ts";
import { wallHints } from "./hints.ts";

const hints = (output: string, more: Partial<Parameters<typeof wallHints>[0]> = {}) =>
  wallHints({ output, status: { code: 1 }, walls: WALLS, refusedHosts: [], ...more }).map(({ code, text }) =>
    `${code}: ${text.slice(0, 30)}`
  );

Deno.test("a refused write to git's own files is told, even on exit 0", () => {
  const expected = ["sandbox.git_metadata_protected: /ws/.git/hooks decides what gi"];
  const status = { code: 0 };
  assert.deepEqual(hints("cp: cannot create '/ws/.git/hooks/x': Read-only file system\n", { status }), expected);
  assert.deepEqual(hints("error: .git/hooks: Device or resource busy\n", { status }), expected);
  assert.deepEqual(hints("/ws/.git/hooks\n.git/hooks\n"), []);
});

Deno.test("a refused write elsewhere names the setting, on failure only", () => {
  const output = "touch: cannot touch '/etc/x': Read-only file system\n";
  assert.deepEqual(hints(output), ["workspace.write_outside_scope: the sandbox lets commands writ"]);
  assert.deepEqual(hints(output, { status: { code: 0 } }), []);
});

Deno.test("an ordinary failure is ordinary", () => {
  assert.deepEqual(hints("Operation not permitted\n"), []);
  assert.deepEqual(hints("Connection refused\n", { walls: { ...WALLS, network: "open" } }), []);
});

Deno.test("a missing network and a refused host name the setting", () => {
  assert.deepEqual(hints("curl: (6) Could not resolve host: a.b\n"), ["undefined: commands have no network here:"]);
  assert.deepEqual(hints("", { refusedHosts: ["a.b:443"], status: { code: 0 } }), [
    "undefined: the sandbox did not let the co",
  ]);
});

Deno.test("a place of the host that cannot be seen is named, with the way to show it", () => {
  const output = "cat: /tmp/other/x: No such file or directory\n";
  assert.deepEqual(hints(output, { hidden: ["/tmp/other/x"] }), ["undefined: /tmp inside the sandbox is the"]);
  assert.deepEqual(hints(output, { hidden: ["/tmp/other/x"], status: { code: 0 } }), []);
});
