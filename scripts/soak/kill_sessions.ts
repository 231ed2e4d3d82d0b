/**
 * Kills a program that writes a session at a random moment, 200 times or as often as the argument says, and checks each
 * time that nothing it reported as saved is lost. `deno run -A scripts/soak/kill_sessions.ts [times]`.
 */
import { killOnce } from "../../tests/sessions/_kill.ts";

const times = Number(Deno.args[0] ?? 200);
let torn = 0;
for (let i = 1; i <= times; i++) {
  if (await killOnce(Math.random() * 400) > 0) torn++;
  if (i % 20 === 0) console.log(`${i} of ${times} kills; ${torn} left a torn record; nothing was lost`);
}
