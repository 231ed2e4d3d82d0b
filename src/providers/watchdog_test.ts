import assert from "node:assert/strict";
import { startWatchdog } from "./watchdog.ts";

Deno.test("the time this program stood still is no silence of the server", async () => {
  const ended = Promise.withResolvers<void>();
  const watchdog = startWatchdog(50, ended.resolve);
  const until = performance.now() + 1_200;
  while (performance.now() < until);
  await new Promise((done) => setTimeout(done, 10));
  assert.equal(watchdog.expired, false);
  await ended.promise;
  assert.equal(watchdog.expired, true);
});
