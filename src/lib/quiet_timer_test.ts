import assert from "node:assert/strict";
import { startQuietTimer } from "./quiet_timer.ts";

Deno.test("a quiet timer fires once", async () => {
  let fired = 0;
  await new Promise<void>((resolve) =>
    startQuietTimer(1, () => {
      fired++;
      resolve();
    })
  );
  assert.equal(fired, 1);
});

Deno.test("a stopped quiet timer does not fire", async () => {
  const stop = startQuietTimer(1, () => assert.fail("fired"));
  stop();
  await new Promise<void>((resolve) => startQuietTimer(5, resolve));
});

Deno.test("a stopped quiet timer does not keep the program alive", async () => {
  const module = JSON.stringify(new URL("./quiet_timer.ts", import.meta.url).href);
  const code = `import { startQuietTimer } from ${module}; startQuietTimer(600_000, () => {})();`;
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `data:application/typescript,${encodeURIComponent(code)}`],
    signal: AbortSignal.timeout(60_000),
    stdout: "null",
  }).output();
  assert.ok(success);
});
