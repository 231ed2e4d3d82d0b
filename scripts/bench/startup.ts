/**
 * How long starting takes: the bare runtime, `version`, and a one-shot run against an endpoint on loopback, split into
 * process start to first request and the rest. `deno task bench [repetitions]`; the executable is measured too when
 * dist/ holds one. Minimum and median of all runs, in milliseconds; for reading, never for a test.
 */
import { makePlace, type Place, startEndpoint } from "../endpoint.ts";

const root = decodeURIComponent(new URL("../..", import.meta.url).pathname);
const repetitions = Number(Deno.args[0] ?? 15);
const endpoint = startEndpoint([{ text: "Done." }]);
const place = await makePlace(endpoint);

interface Timing {
  readonly whole: number;
  readonly toFirstRequest?: number;
}

async function time(command: readonly string[]): Promise<Timing> {
  endpoint.requests.length = 0;
  const [program = "", ...args] = command;
  // The module cache stays warm: the throwaway home does not move it.
  const env = { ...place.env, DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno` };
  const child = new Deno.Command(program, { args, cwd: place.workspace, clearEnv: true, env, stdin: "null" });
  const begun = Date.now();
  const precise = performance.now();
  const { success, stdout, stderr } = await child.output();
  const whole = performance.now() - precise;
  if (!success) throw new Error(new TextDecoder().decode(stderr) || new TextDecoder().decode(stdout));
  const first = endpoint.requests[0]?.at;
  return { whole, ...(first === undefined ? {} : { toFirstRequest: first - begun }) };
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

async function commands(place: Place): Promise<[what: string, command: string[]][]> {
  const empty = `${place.folder}/empty.ts`;
  await Deno.writeTextFile(empty, "export {};\n");
  const source = [Deno.execPath(), "run", "-A", "--no-check", `${root}main.ts`];
  const executable = [`${root}dist/reasonix-${Deno.build.os}-${Deno.build.arch === "x86_64" ? "amd64" : "arm64"}`];
  const programs: [name: string, command: string[]][] = [["source", source]];
  if (await exists(executable[0]!)) programs.push(["executable", executable]);
  return [
    ["empty program", [Deno.execPath(), "run", "-A", "--no-check", empty]],
    ...programs.flatMap(([name, program]): [string, string[]][] => [
      [`${name}: version`, [...program, "version"]],
      [`${name}: run`, [...program, "run", "--auto", "-p", "say done"]],
    ]),
  ];
}

const summary = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  return `${sorted[0]!.toFixed(0).padStart(5)} ${sorted[Math.floor(sorted.length / 2)]!.toFixed(0).padStart(5)}`;
};

console.log("".padEnd(24), "whole: min, median   to first request: min, median");
for (const [what, command] of await commands(place)) {
  const timings: Timing[] = [];
  await time(command);
  for (let n = 0; n < repetitions; n++) timings.push(await time(command));
  const first = timings.flatMap((timing) => timing.toFirstRequest ?? []);
  console.log(
    what.padEnd(24),
    summary(timings.map((timing) => timing.whole)),
    first.length > 0 ? "     " + summary(first) : "",
  );
}
await endpoint.stop();
await place.remove();
