/** Screens kept as text and looked at by people. `UPDATE_SCREENS=1` writes them anew. */
import assert from "node:assert/strict";

const FOLDER = new URL("../fixtures/screens/", import.meta.url);

export function assertScreen(name: string, text: string): void {
  const file = new URL(`${name}.txt`, FOLDER);
  const shown = text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd() + "\n";
  if (Deno.env.get("UPDATE_SCREENS") === "1") {
    Deno.mkdirSync(FOLDER, { recursive: true });
    Deno.writeTextFileSync(file, shown);
  }
  assert.equal(shown, Deno.readTextFileSync(file));
}
