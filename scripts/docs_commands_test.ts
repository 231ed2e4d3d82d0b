import assert from "node:assert/strict";
import { commandReference } from "./docs_commands.ts";

Deno.test("docs/COMMANDS.md lists the commands and flags that the program reads", () => {
  // The formatter aligns tables and wraps prose; the words are the same.
  const flat = (text: string) => text.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();
  const written = Deno.readTextFileSync(new URL("../docs/COMMANDS.md", import.meta.url));
  assert.equal(flat(written), flat(commandReference()), "run: deno run -A scripts/docs_commands.ts");
});
