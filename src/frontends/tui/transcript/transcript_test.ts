import assert from "node:assert/strict";
import { createTranslate } from "../../view/mod.ts";
import type { ViewState } from "../../view/mod.ts";
import type { Look } from "../look.ts";
import { createTheme } from "../theme.ts";
import { Transcript } from "./transcript.ts";

const LOOK: Look = {
  theme: createTheme("none"),
  t: createTranslate("en"),
  showReasoning: false,
  unfoldOutput: false,
  foldDiffs: false,
  diffOutput: false,
  showUsage: true,
};

Deno.test("an item of very many lines is drawn", () => {
  const item = { kind: "notice", key: 1, level: "info", text: "line\n".repeat(150_000) };
  const lines = new Transcript().settle({ items: [item], open: [] } as unknown as ViewState, 80, LOOK);
  assert.equal(lines.length, 150_000);
});
