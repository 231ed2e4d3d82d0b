import { killOnce } from "./_kill.ts";

Deno.test("a writer killed at a random moment loses nothing it reported as saved", async () => {
  for (let i = 0; i < 4; i++) await killOnce(Math.random() * 300);
});
