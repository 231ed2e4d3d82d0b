/**
 * The official conformance suite for clients, driven through our own host: every scenario that is ours to pass passes,
 * with at least so many checks (a run that checks nothing proves nothing). `deno task conformance`. Ends with one line,
 * "N passed, N failed". Fetches the suite from npm once.
 */

const SUITE = "npm:@modelcontextprotocol/conformance@0.1.16";
const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);

/** Passed checks at least. */
const SCENARIOS: Readonly<Record<string, number>> = {
  "sse-retry": 3,
  "initialize": 1,
  "tools_call": 1,
  "elicitation-sep1034-client-defaults": 5,
  "auth/2025-03-26-oauth-endpoint-fallback": 7,
  "auth/2025-03-26-oauth-metadata-backcompat": 13,
  "auth/basic-cimd": 13,
  "auth/metadata-default": 13,
  "auth/metadata-var1": 13,
  "auth/metadata-var2": 13,
  "auth/metadata-var3": 13,
  "auth/offline-access-not-supported": 14,
  "auth/offline-access-scope": 13,
  "auth/pre-registration": 13,
  "auth/resource-mismatch": 3,
  "auth/scope-from-scopes-supported": 14,
  "auth/scope-from-www-authenticate": 14,
  "auth/scope-omitted-when-undefined": 14,
  "auth/scope-retry-limit": 18,
  "auth/scope-step-up": 23,
  "auth/token-endpoint-auth-basic": 18,
  "auth/token-endpoint-auth-none": 18,
  "auth/token-endpoint-auth-post": 18,
};

/** Extensions for programs without a person in front of them: signing in here is always a person's own act. */
const NOT_OFFERED: readonly string[] = [
  "auth/client-credentials-basic",
  "auth/client-credentials-jwt",
  "auth/cross-app-access-complete-flow",
];

interface Ran {
  readonly passed: number;
  readonly total: number;
  readonly text: string;
}

async function suite(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", "--no-lock", "--no-check", "--quiet", SUITE, ...args],
    cwd: ROOT,
    stdin: "null",
    env: { NO_COLOR: "1" },
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

async function run(scenario: string): Promise<Ran> {
  const command = `${Deno.execPath()} run -A --no-check --quiet tests/conformance/client.ts`;
  const text = await suite(["client", "--command", command, "--scenario", scenario]);
  const counted = /Passed: (\d+)\/(\d+), (\d+) failed, (\d+) warnings/.exec(text);
  const clean = counted !== null && counted[3] === "0" && counted[4] === "0" && /OVERALL: PASSED/.test(text);
  return { passed: clean ? Number(counted[1]) : 0, total: Number(counted?.[2] ?? 0), text };
}

let passed = 0;
const failures: string[] = [];
const note = (scenario: string, { passed: checks, total, text }: Ran, least: number): void => {
  const ok = checks >= least && checks === total;
  console.log(`${ok ? "ok    " : "FAILED"} ${scenario}: ${checks} of ${total} checks`);
  if (ok) return void passed++;
  failures.push(scenario);
  console.log(text.trim().split("\n").slice(-25).join("\n"));
};

const listed = [...(await suite(["list", "--client"])).matchAll(/^\s*[-•]?\s*((?:auth\/)?[a-z0-9][\w/.-]*)(?=\s|$)/gm)]
  .map(([, name]) => name!).filter((name) => name.includes("/") || Object.hasOwn(SCENARIOS, name));
const unknown = listed.filter((name) => !Object.hasOwn(SCENARIOS, name) && !NOT_OFFERED.includes(name));
if (listed.length < Object.keys(SCENARIOS).length) failures.push(`the suite lists only ${listed.length} scenarios`);
for (const name of unknown) failures.push(`${name} is new and not judged here`);

// The first measures time and runs alone.
const [timed, ...others] = Object.entries(SCENARIOS);
note(timed![0], await run(timed![0]), timed![1]);
for (let at = 0; at < others.length; at += 2) {
  const pair = others.slice(at, at + 2);
  const ran = await Promise.all(pair.map(([name]) => run(name)));
  for (const [index, [name, least]] of pair.entries()) note(name, ran[index]!, least);
}
for (const name of NOT_OFFERED) console.log(`-      ${name}: not offered`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
Deno.exit(failures.length === 0 ? 0 : 1);
