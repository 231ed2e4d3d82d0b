/**
 * In place of `boot` while it is made: the same, and writes down in the file `TAKEN` the packs whose cache the engine has
 * taken. Never part of what is built.
 */
import { boot, type BootPlan } from "./boot.ts";

export function check(plan: BootPlan, folder: string): void {
  boot(plan, folder, (pack, _script, taken) => {
    if (taken) Deno.writeTextFileSync(Deno.env.get("TAKEN")!, `${pack}\n`, { append: true });
  });
}
