// A search must not depend on a sandbox that lets `rg` start.
import assert from "node:assert/strict";
import { Refusal } from "../../src/contract/errors.ts";
import type { Processes } from "../../src/contract/workspace.ts";
import { searchTools } from "../support/search_tools.ts";
import { createTempWorkspace } from "../support/temp_workspace.ts";

/** More files than are searched before `rg` is asked. */
const MANY = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`d${i % 6}/f${i}.txt`, "plain"]));

function processes(start: Processes["start"]): Processes {
  return {
    shell: { name: "sh", path: "/bin/sh" },
    which: () => Promise.resolve("/usr/bin/rg"),
    start,
    open: () => Promise.reject(new Error("nothing is opened here")),
    close: () => Promise.resolve(),
    expect: () => {},
  };
}

const unusable: readonly (readonly [string, Processes["start"]])[] = [
  ["refuses every command", () => Promise.reject(new Refusal("sandbox.unavailable", "no sandbox"))],
  ["does not let rg start", () =>
    Promise.resolve({
      pid: 1,
      ended: Promise.resolve({ code: 1, wallFailure: "bwrap: no permission", survivors: [] }),
      gone: () => Promise.resolve(),
      kill: () => Promise.resolve(),
    })],
];

for (const [what, start] of unusable) {
  for (const engine of ["auto", "rg"] as const) {
    Deno.test(`with a sandbox that ${what}, engine ${engine} finds what there is to find`, async () => {
      await using ws = await createTempWorkspace({ ...MANY, "d5/f599.txt": "needle\n" });
      let started = 0;
      const { grep } = searchTools({
        ...ws,
        engine,
        processes: processes((spec) => {
          started++;
          return start(spec);
        }),
      });
      assert.equal(await grep({ pattern: "needle" }), `${ws.root}/d5/f599.txt:1:needle`);
      assert.equal(started, 1);
    });
  }
}
