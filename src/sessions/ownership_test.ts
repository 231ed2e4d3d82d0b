import assert from "node:assert/strict";
import { claimSession } from "./ownership.ts";

const HOLDER = { pid: 1, host: "here", program: "reasonix run", startedAt: 0 };

Deno.test("a claim whose lease cannot be written leaves no lock behind, and the session can be claimed later", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const path = `${folder}/a.jsonl`;
    // A file cannot take the place of a folder.
    Deno.mkdirSync(`${folder}/a.lease.json/full`, { recursive: true });
    assert.throws(() => claimSession(path, HOLDER));
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["a.lease.json"]);
    Deno.removeSync(`${folder}/a.lease.json`, { recursive: true });
    const claim = claimSession(path, HOLDER);
    assert.equal(claim.kind, "owned");
    if (claim.kind === "owned") claim.ownership.release();
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
