import assert from "node:assert/strict";
import { failureLine, pipelineLine } from "./status_text.ts";

Deno.test("an end is told by code or signal", () => {
  assert.equal(failureLine({ code: 0 }), undefined);
  assert.equal(failureLine({ code: 7 }), "error: exit status 7");
  assert.equal(failureLine({ code: 137 }), "error: exit status 137 (SIGKILL)");
  assert.equal(failureLine({ signal: "SIGTERM" }), "error: ended by signal SIGTERM");
});

Deno.test("a stage that failed is told, one that met a closed pipe is not", () => {
  assert.equal(pipelineLine({ code: 0 }), undefined);
  assert.equal(pipelineLine({ code: 0, pipeStatus: [141, 0] }), undefined);
  assert.equal(pipelineLine({ code: 1, pipeStatus: [0, 1] }), undefined);
  assert.equal(pipelineLine({ code: 0, pipeStatus: [1, 0] }), "[exit codes of the pipeline's stages: 1 0]");
});
