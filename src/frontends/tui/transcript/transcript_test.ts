import assert from "node:assert/strict";
import { PLAIN_LOOK } from "../../../../tests/support/plain_look.ts";
import type { ViewState } from "../../view/mod.ts";
import { Transcript } from "./transcript.ts";

Deno.test("an item of very many lines is drawn", () => {
  const item = { kind: "notice", key: 1, level: "info", text: "line\n".repeat(150_000) };
  const lines = new Transcript().settle({ items: [item], open: [] } as unknown as ViewState, 80, PLAIN_LOOK);
  assert.equal(lines.length, 150_000);
});
