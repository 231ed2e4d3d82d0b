/**
 * In place of `boot` while a program is made: runs the packs of the folder `PACKS`, writes down in `opened` which it
 * opens, and at the end what the engine has compiled of each, as its cache, and in `runtime` whose caches those are.
 * Never part of what is built.
 */
import type { Script } from "node:vm";
import { openPacks, type Plan, thisRuntime } from "./boot.ts";

export function record(plan: Omit<Plan, "groups">): void {
  const folder = Deno.env.get("PACKS")!;
  const groups = JSON.parse(Deno.readTextFileSync(`${folder}/groups.json`));
  const scripts = new Map<string, Script>();
  const loader = openPacks({ ...plan, groups }, {
    read: (pack) => ({ source: Deno.readTextFileSync(`${folder}/${pack}.txt`) }),
    opened: (pack, script) => {
      Deno.writeTextFileSync(`${folder}/opened`, `${pack}\n`, { append: true });
      scripts.set(pack, script);
    },
  });
  const exit = Deno.exit;
  Deno.exit = (code) => {
    for (const [pack, script] of scripts) Deno.writeFileSync(`${folder}/${pack}.cache`, script.createCachedData());
    Deno.writeTextFileSync(`${folder}/runtime`, thisRuntime());
    return exit(code);
  };
  loader.require("./main.js");
}
