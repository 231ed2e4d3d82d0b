/**
 * Tries a built executable as a user would: alone in an empty folder, with a home of its own, against a model endpoint
 * on loopback. `deno run -A scripts/smoke.ts EXECUTABLE [PLUGIN]`, or a bundle's folder in place of the executable; ends with a line "N passed, N failed".
 */

import { type Answer, makePlace, startEndpoint } from "./endpoint.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const [executable, plugin] = Deno.args.map((path) => Deno.realPathSync(path));
if (executable === undefined) {
  console.error("usage: smoke.ts EXECUTABLE [PLUGIN]");
  Deno.exit(2);
}

const answers: Answer[] = [
  { tool: "write_file", args: { path: "note.txt", content: "written\n" } },
  { text: "The note is written." },
];
const endpoint = startEndpoint(answers);
const place = await makePlace(endpoint);
const { workspace } = place;
const program = await placed(executable, place.folder);

/** A copy of the executable alone, or of a bundle's whole folder behind a link. */
async function placed(path: string, folder: string): Promise<string> {
  const program = `${folder}/reasonix`;
  if (!(await Deno.stat(path)).isDirectory) await Deno.copyFile(path, program);
  else {
    await Deno.mkdir(`${folder}/bundle`);
    for await (const { name } of Deno.readDir(path)) await Deno.copyFile(`${path}/${name}`, `${folder}/bundle/${name}`);
    await Deno.symlink("bundle/reasonix", program);
  }
  return program;
}

async function run(path: string, args: readonly string[], input = ""): Promise<Ran> {
  const child = new Deno.Command(path, {
    args: [...args],
    cwd: workspace,
    clearEnv: true,
    env: place.env,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

const checks: [what: string, check: () => Promise<string | undefined>][] = [
  ["it tells the version it was built from", async () => {
    const { code, stdout } = await run(program, ["version", "--json"]);
    const built = await new Deno.Command("git", { args: ["rev-parse", "HEAD"] }).output();
    const commit = new TextDecoder().decode(built.stdout).trim();
    if (code !== 0 || JSON.parse(stdout).git_commit !== commit) return `exit ${code}: ${stdout}`;
  }],
  ["it prints its usage", async () => {
    const { code, stdout } = await run(program, ["--help"]);
    if (code !== 0 || !stdout.includes("run")) return `exit ${code}: ${stdout}`;
  }],
  ["an unknown command is a usage error", async () => {
    const { code, stderr } = await run(program, ["no-such-command"]);
    if (code !== 2 || !stderr.includes(`unknown command "no-such-command"`)) return `exit ${code}: ${stderr}`;
  }],
  ["the demo runs offline and succeeds", async () => {
    const { code, stdout, stderr } = await run(program, ["demo"]);
    if (code !== 0 || stdout.trim() === "") return `exit ${code}: ${stdout}\n${stderr}`;
  }],
  ["a run without approval changes nothing and says so", async () => {
    const { code } = await run(program, ["run", "write the note"]);
    const exists = await Deno.stat(`${workspace}/note.txt`).then(() => true, () => false);
    if (code !== 4 || exists) return `exit ${code}, file ${exists ? "written" : "not written"}`;
  }],
  ["a run with --auto writes the file and prints the answer", async () => {
    endpoint.requests.length = 0;
    const { code, stdout, stderr } = await run(program, ["run", "--auto", "-p", "write the note"]);
    const note = await Deno.readTextFile(`${workspace}/note.txt`).catch(() => "");
    if (
      code !== 0 || note !== "written\n" || stdout.trim() !== "The note is written." || endpoint.requests.length !== 2
    ) {
      return `exit ${code}, note ${JSON.stringify(note)}, ${endpoint.requests.length} requests: ${stdout}\n${stderr}`;
    }
  }],
];
/** Two Chinese characters and a line to change, in GB18030: what the package for old encodings is loaded for. */
checks.push(["it edits a file in GB18030 and keeps its other bytes", async () => {
  const before = [0xd6, 0xd0, 0xce, 0xc4, 0x0a, 0x6f, 0x6c, 0x64, 0x0a];
  await Deno.writeFile(`${workspace}/gbk.txt`, Uint8Array.from(before));
  const edit = { path: "gbk.txt", old_string: "old", new_string: "new" };
  answers.splice(0, answers.length, { tool: "edit_file", args: edit }, { text: "Changed." });
  endpoint.requests.length = 0;
  const { code, stderr } = await run(program, ["run", "--auto", "-p", "change it"]);
  const after = [...await Deno.readFile(`${workspace}/gbk.txt`)];
  if (code !== 0 || after.join() !== [...before.slice(0, 5), 0x6e, 0x65, 0x77, 0x0a].join()) {
    return `exit ${code}, bytes ${after.join(" ")}: ${stderr}`;
  }
}]);
if (plugin !== undefined) {
  checks.push(["the example plugin echoes", async () => {
    const lines = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "echo", arguments: { text: "hello" } } },
    ];
    const { code, stdout } = await run(plugin, [], lines.map((line) => JSON.stringify(line) + "\n").join(""));
    const said = JSON.parse(stdout.trim().split("\n")[1] ?? "{}").result?.content?.[0]?.text;
    if (code !== 0 || said !== "hello") return `exit ${code}: ${stdout}`;
  }]);
  checks.push(["it starts the example plugin and lists its tools", () => tryServer("example", [plugin])]);
}
const deno = (spec: string) => [Deno.execPath(), "run", "-A", "--no-config", "--no-lock", "--quiet", `npm:${spec}`];
for (const name of ["everything", "filesystem", "memory"]) {
  const line = deno(`@modelcontextprotocol/server-${name}@2026.8.31`);
  const words = name === "filesystem" ? [...line, workspace] : name === "everything" ? [...line, "stdio"] : line;
  checks.push([`it starts the published server ${name}`, () => tryServer(name, words)]);
}

/** Added, started once, and asked what it offers: the whole client of the executable. */
async function tryServer(name: string, line: readonly string[]): Promise<string | undefined> {
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const added = await run(program, ["mcp", "add", name, "--env", `DENO_DIR=${cache}`, "--", ...line]);
  const { code, stdout, stderr } = await run(program, ["mcp", "retry", name]);
  if (code !== 0 || !/ ready in .*: [1-9]\d* tools/.test(stdout)) {
    return `exit ${code}: ${added.stderr}${stdout}${stderr}`;
  }
}

let failed = 0;
for (const [what, check] of checks) {
  const wrong = await check().catch((error) => String(error));
  if (wrong === undefined) console.log(`ok      ${what}`);
  else {
    failed++;
    console.log(`FAILED  ${what}\n        ${wrong.trim().replaceAll("\n", "\n        ")}`);
  }
}
await endpoint.stop();
await place.remove();
console.log(`${checks.length - failed} passed, ${failed} failed`);
Deno.exitCode = failed === 0 ? 0 : 1;
