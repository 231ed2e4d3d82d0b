import assert from "node:assert/strict";
import { isVerificationForm } from "./verification_form.ts";

Deno.test("only a single command or an && chain can verify", async () => {
  const good = ["npm test", "FOO=1 go test ./...", "cd a && make check && ./run", "# why\nnpm test"];
  const bad = [
    "a | b",
    "a; b",
    "a\nb",
    "a || true",
    "a &",
    "a && b | tail",
    "! a",
    "(a)",
    "if a; then b; fi",

    "",
  ];
  for (const command of good) assert.equal(await isVerificationForm(command), true, command);
  for (const command of bad) assert.equal(await isVerificationForm(command), false, command);
});
