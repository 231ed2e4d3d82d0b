/**
 * The real program against everything that can go wrong at once: endpoints, servers, disks, clocks, signals, impatient
 * people and rivals, at random; after each step the promises are held against what is there. The same seed is the same
 * plan, and an episode can be run alone.
 *
 * `deno task chaos [--minutes N] [--seed N] [--episode N]`; `REASONIX_EXECUTABLE` names an executable to try in place of
 * the source.
 */
import { TMUX } from "../../tests/support/tmux.ts";
import { works } from "../../tests/support/programs.ts";
import { runEpisode } from "./chaos/episode.ts";
import { makeEpisode } from "./chaos/plan.ts";
import { Tally } from "./chaos/tally.ts";
import type { Means } from "./chaos/world.ts";

/** Says that mounts are this process's own. */
const INSIDE = "--own-mounts";

const argument = (name: string): number | undefined => {
  const at = Deno.args.indexOf(name);
  const value = at < 0 ? undefined : Number(Deno.args[at + 1]);
  if (value !== undefined && !(value >= 0)) throw new Error(`${name} takes a number`);
  return value;
};

const minutes = argument("--minutes") ?? 40;
const seed = argument("--seed") ?? crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000;
const only = argument("--episode");

const inside = Deno.args.includes(INSIDE);
if (!inside && Deno.build.os === "linux" && works("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt")) {
  const again = ["run", "-A", "--no-check", import.meta.filename!, ...Deno.args, "--seed", String(seed), INSIDE];
  const { code } = await new Deno.Command("unshare", { args: ["-m", Deno.execPath(), ...again] }).spawn().status;
  Deno.exit(code);
}

function findClock(): string | undefined {
  for (const folder of ["x86_64-linux-gnu", "aarch64-linux-gnu"]) {
    const path = `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`;
    if (works("test", "-f", path)) return path;
  }
}

const clock = findClock();
const means: Means = { mounts: inside, terminal: TMUX, ...(clock === undefined ? {} : { clock }) };
const tally = new Tally();
const begun = performance.now();
const end = begun + minutes * 60_000;
let stopped = false;
const isOver = () => stopped || performance.now() > end;
Deno.addSignalListener("SIGINT", () => stopped = true);
Deno.addSignalListener("SIGTERM", () => stopped = true);

console.log(`seed ${seed}, ${only === undefined ? `${minutes} minutes` : `episode ${only}`}`);
for (let number = only ?? 1; !isOver(); number++) {
  const before = tally.violations.length;
  const kept = await runEpisode(makeEpisode(seed, number), { means, tally, isOver });
  for (const { step, check, text } of tally.violations.slice(before)) {
    console.log(`VIOLATION ${step}, ${check}: ${text}`);
  }
  if (kept !== undefined) console.log(`  kept in ${kept}; again: deno task chaos --seed ${seed} --episode ${number}`);
  if (only !== undefined) break;
  if (number % 10 === 0) console.log(`${number} episodes, ${tally.violations.length} violations`);
}

for (const line of tally.table((performance.now() - begun) / 1000)) console.log(line);
Deno.exit(tally.violations.length === 0 ? 0 : 1);
