/**
 * `deno task soak [minutes]`: the tests again and again in shuffled order until the time is up, to find what depends on
 * order or luck. Names each test that failed, with the seed of its round; ends with "N passed, N failed", in rounds.
 */

const minutes = Number(Deno.args[0] ?? 30);
const end = Date.now() + minutes * 60_000;
const temp = await Deno.makeTempDir();
const report = `${temp}/report.xml`;
let passed = 0;
let failed = 0;

do {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "-A", "--parallel", "--no-check", "--quiet", `--shuffle=${seed}`, `--junit-path=${report}`],
      ...["src", "tests", "plugins", "scripts"],
    ],
    cwd: decodeURIComponent(new URL("..", import.meta.url).pathname),
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) passed++;
  else {
    failed++;
    const cases = (await Deno.readTextFile(report).catch(() => "")).split("<testcase ").slice(1);
    const names = cases.filter((one) => /<(?:failure|error) /.test(one)).map((one) => /name="([^"]*)"/.exec(one)?.[1]);
    console.log(`seed ${seed}: ${names.join("; ") || new TextDecoder().decode(stderr).slice(-500)}`);
  }
} while (Date.now() < end);

await Deno.remove(temp, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
Deno.exitCode = failed === 0 ? 0 : 1;
