import assert from "node:assert/strict";
import { BUILT_IN } from "../../src/controller/commands/table.ts";
import { COMMAND_SUMMARIES } from "../../src/frontends/view/mod.ts";

Deno.test("every language has a line of help for each built-in command", () => {
  for (const [language, summaries] of Object.entries(COMMAND_SUMMARIES)) {
    assert.deepEqual(Object.keys(summaries), BUILT_IN.map(({ name }) => name), language);
  }
});

Deno.test("the guide has one line for each built-in command, as the program explains it", () => {
  const guide = Deno.readTextFileSync(new URL("../../docs/GUIDE.md", import.meta.url));
  const section = guide.split("\n## Commands in a session\n")[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\/.*?)`\s+\| (.*?)\s+\|$/gm)].map(([, usage, summary]) => [usage, summary]);
  const expected = BUILT_IN.map(({ name, aliases = [], hint, summary }) => {
    const names = [name, ...aliases].map((one) => `/${one}`).join(", ");
    return [`${names}${hint ? ` ${hint.replaceAll("|", "\\|")}` : ""}`, summary];
  });
  assert.deepEqual(rows, expected);
});
