/** The operator's commands as processes: config, doctor, session, sessions, report, upgrade. */
import assert from "node:assert/strict";
import { KeyedProgram } from "../support/keyed_program.ts";
import { ModelServer } from "../support/model_server.ts";
import { Bed, localProvider, program } from "../support/program.ts";
import { ReleaseServer } from "../support/release_server.ts";
import { TMUX } from "../support/tmux.ts";

const KEYS = "LOCAL_KEY=sk-local-0123456789abcdef\n";
const NOWHERE = localProvider("http://127.0.0.1:9/v1");

function snapshot(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (path: string) => {
    for (const entry of Deno.readDirSync(path)) {
      const at = `${path}/${entry.name}`;
      if (entry.isDirectory) walk(at);
      else files[at.slice(folder.length)] = `${Deno.statSync(at).mtime?.getTime()} ${Deno.readTextFileSync(at)}`;
    }
  };
  walk(folder);
  return files;
}

Deno.test("config names the value in force and its source, and changes the right file", async () => {
  // proves CTX-15
  await using bed = await Bed.create({ config: `# mine\n[agent]\ntemperature = 0.5 # warm\n` });
  const tell = async (...args: string[]) => {
    const { code, out, err } = await bed.run(["config", ...args]);
    assert.equal(code, 0, err);
    return out.trimEnd();
  };
  assert.equal(await tell("compact-ratio"), "compact_ratio = 90% (built-in default)");
  assert.equal(await tell("compact-ratio", "80"), "compact_ratio = 80% (user)");
  assert.equal(await tell("compact-ratio", "0.85"), "compact_ratio = 85% (user)");
  assert.equal(await tell("compact-ratio", "--local", "70%"), "compact_ratio = 70% (project: reasonix.toml)");
  assert.equal(await tell("compact-ratio"), "compact_ratio = 70% (project: reasonix.toml)");
  assert.equal(await tell("reasoning-language", "ZH"), "reasoning_language = zh (user)");
  assert.equal(await tell("currency", "cny"), "display_currency = CNY (user)");
  assert.equal(await tell("telemetry", "off"), "cli_metrics = off (user)");
  assert.equal(
    await Deno.readTextFile(`${bed.home}/config.toml`),
    `# mine
[agent]
temperature = 0.5 # warm
compact_ratio = 0.85
reasoning_language = "zh"

[billing]
display_currency = "CNY"

[telemetry]
cli_metrics = "off"
`,
  );
  const shadowed = await bed.run(["config", "compact-ratio", "60"]);
  assert.match(shadowed.err, /^! saved to .*config\.toml; here the value of project: reasonix\.toml outranks it/);
});

for (
  const args of [
    [],
    ["nonsense"],
    ["show", "more"],
    ["compact-ratio", "0"],
    ["compact-ratio", "100"],
    ["compact-ratio", "a lot"],
    ["reasoning-language", "fr"],
    ["currency", "--local", "USD"],
    ["telemetry", "--local", "off"],
    ["currency", "USD", "EUR"],
  ]
) {
  Deno.test(`"config ${args.join(" ")}" ends with 2 and writes nothing`, async () => {
    await using bed = await Bed.create({ config: "# mine\n" });
    const before = snapshot(bed.base);
    const { code, out, err } = await bed.run(["config", ...args]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /usage: reasonix config|takes|does not go/);
    assert.deepEqual(snapshot(bed.base), before);
  });
}

Deno.test("a malformed file makes every write fail with 1 and stays as it is", async () => {
  await using bed = await Bed.create({ config: "[agent\ncompact_ratio = 0.9\n" });
  const before = snapshot(bed.base);
  for (const [name, value] of [["compact-ratio", "80"], ["currency", "USD"], ["telemetry", "on"]] as const) {
    const { code, out, err } = await bed.run(["config", name, value]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^error: .*config\.toml:1:/);
  }
  assert.deepEqual(snapshot(bed.base), before);
});

Deno.test("config show is TOML with the source of each setting; with --json it is one object", async () => {
  const headers = `headers = { Authorization = "Bearer sk-header-0123456789" }
model_overrides = { m2 = { context_window = 8000 } }

[[plugins]]
name = "files"
command = "npx"
args = ["-y", "server"]
env = { TOKEN = "sk-env-0123456789" }
`;
  await using bed = await Bed.create({
    config: NOWHERE.replace(/^context_window.*\n/m, "context_window = 64000\n") + headers +
      `\n[serve]\ntoken = "serve-token-0123456789"\n`,
    keys: KEYS,
    project: "[agent]\ncompact_ratio = 0.7\n",
  });
  const text = await bed.run(["config", "show"]);
  assert.equal(text.code, 0);
  assert.match(text.out, /\[agent\]\ncompact_ratio = 0\.7 {2}# project: reasonix\.toml/);
  assert.match(text.out, /\[\[providers\]\] {2}# user, key present\nname = "local"/);
  const json = JSON.parse((await bed.run(["config", "show", "--json"])).out);
  const setting = json.settings.find(({ key }: { key: string }) => key === "agent.compact_ratio");
  assert.deepEqual([setting.value, setting.source, json.providers[0].header_names], [0.7, "project", [
    "Authorization",
  ]]);
  assert.doesNotMatch(text.out + JSON.stringify(json), /sk-|serve-token/);
  assert.match(text.out, /^headers = \{ Authorization = "\(set, not shown\)" \}\ncontext_window = 64000$/m);
  assert.match(text.out, /^model_overrides = \{ m2 = \{ context_window = 8000 \} \}$/m);
  assert.match(text.out, /^name = "files"\ntype = "stdio"\ncommand = "npx"\nargs = \["-y", "server"\]$/m);
  assert.match(text.out, /^env = \{ TOKEN = "\(set, not shown\)" \}$/m);
  assert.deepEqual(json.mcp_servers[0].set.args, ["-y", "server"]);
  assert.equal((await bed.run(["config", "path"])).out, `${bed.home}/config.toml\n`);
  assert.equal((await bed.run(["config", "path", "--local"])).out, `${bed.workspace}/reasonix.toml\n`);
});

Deno.test("doctor finds everything in order, writes nothing and never starts the repository's git", async () => {
  const onListen = () => {};
  const list = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, () => Response.json({ data: [{ id: "m1" }] }));
  await using bed = await Bed.create({ config: localProvider(`http://127.0.0.1:${list.addr.port}/v1`), keys: KEYS });
  await Deno.mkdir(`${bed.workspace}/.git/hooks`, { recursive: true });
  const trap = `${bed.base}/trapped`;
  await Deno.writeTextFile(
    `${bed.workspace}/.git/config`,
    `[core]\n\tfsmonitor = "touch ${trap}"\n\tpager = touch ${trap}\n`,
  );
  await Deno.writeTextFile(`${bed.workspace}/git`, `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  await Deno.mkdir(`${bed.home}/projects`);
  const before = snapshot(bed.base);
  const { code, out, err } = await bed.run(["doctor", "--json"], { env: { PATH: `.:${Deno.env.get("PATH")}` } });
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(snapshot(bed.base), before);
  const report = JSON.parse(out);
  const status = Object.fromEntries(
    report.checks.map((check: { name: string; status: string }) => [check.name, check.status]),
  );
  assert.deepEqual([status.key, status.endpoint, status.model, status["config.user"]], ["ok", "ok", "ok", "ok"]);
  assert.deepEqual(report.providers[0], {
    name: "local",
    kind: "openai",
    base_url_host: `127.0.0.1:${list.addr.port}`,
    model: "m1",
    models: ["m1", "m2"],
    api_key_env: "LOCAL_KEY",
    key_present: true,
    is_default: true,
    context_window: 100000,
  });
  for (
    const field of ["version", "os", "arch", "cwd", "config", "lsp", "sessions", "sandbox", "network", "permission"]
  ) {
    assert.ok(report[field] !== undefined, field);
  }
  assert.ok(!out.includes("sk-local"));
  await list.shutdown();
});

Deno.test("doctor says that long conversations are not folded where nobody told how much the model takes", async () => {
  const models = { data: [{ id: "m1", context_length: 64_000 }] };
  await using list = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => Response.json(models));
  const config = localProvider(`http://127.0.0.1:${list.addr.port}/v1`).replace(/^context_window.*\n/m, "");
  await using bed = await Bed.create({ config, keys: KEYS });
  const { checks } = JSON.parse((await bed.run(["doctor", "--json"])).out);
  const { message, remedy, status } = checks.find(({ name }: { name: string }) => name === "context_window");
  assert.equal(status, "warning");
  assert.match(message, /how many tokens local\/m1 takes is not known/);
  assert.match(remedy, /context_window = 64000 for provider local/);
});

const troubles: [what: string, setup: (bed: Bed) => Promise<unknown>, check: string, message: RegExp][] = [
  [
    "a malformed file",
    (bed) => Deno.writeTextFile(`${bed.home}/config.toml`, "x = = 1\n"),
    "config.user",
    /config\.toml:1:5/,
  ],
  [
    "a missing key",
    (bed) =>
      Deno.writeTextFile(`${bed.home}/config.toml`, localProvider("https://models.example/v1").replace("LOCAL", "HER")),
    "key",
    /missing env HER_KEY/,
  ],
  ["an endpoint that is away", () => Promise.resolve(), "endpoint", /127\.0\.0\.1:9/],
  [
    "a rule that is none",
    (bed) => Deno.writeTextFile(`${bed.home}/config.toml`, `${NOWHERE}\n[permissions]\ndeny = ["Bash("]\n`),
    "permissions",
    /not a permission rule/,
  ],
  [
    "hooks that cannot be read",
    (bed) => Deno.writeTextFile(`${bed.home}/settings.json`, "{ nonsense"),
    "hooks",
    /hook\.malformed_settings/,
  ],
  [
    "a proxy that is none",
    (bed) => Deno.writeTextFile(`${bed.home}/config.toml`, `${NOWHERE}\n[network]\nproxy_mode = "custom"\n`),
    "proxy",
    /no usable proxy_url/,
  ],
  [
    "a project that overrides the sandbox",
    (bed) => Deno.writeTextFile(`${bed.workspace}/reasonix.toml`, `[sandbox]\nbash = "off"\n`),
    "config.sandbox",
    /\[sandbox\]/,
  ],
];

for (const [what, setup, name, message] of troubles) {
  Deno.test(`doctor starts all the same and names the remedy of ${what}`, async () => {
    await using bed = await Bed.create({ config: NOWHERE, keys: KEYS });
    await setup(bed);
    const { code, out } = await bed.run(["doctor", "--json"]);
    const { checks, warnings } = JSON.parse(out);
    const check = checks.find((each: { name: string; message: string }) =>
      each.name === name && message.test(each.message)
    );
    assert.equal(code, 0);
    assert.ok(check, out);
    assert.ok(["warning", "error"].includes(check.status) && check.remedy, JSON.stringify(check));
    assert.ok(warnings.includes(check.message));
    const text = await bed.run(["doctor"]);
    assert.equal(text.code, 0);
    assert.ok(text.out.includes(`→ ${check.remedy}`), text.out);
  });
}

Deno.test({
  name: "doctor at a terminal ends with what is to be mended",
  ignore: !TMUX,
  fn: async () => {
    await using bed = await Bed.create({ config: "x = = 1\n" });
    const place = { cwd: bed.workspace, env: bed.env(), columns: 160 };
    await using terminal = await KeyedProgram.start([...program, "doctor", "--offline"], place);
    const screen = await terminal.shows("[exit 0]");
    assert.match(screen, /ERROR +config\.user/);
    assert.match(screen, /\d+ errors?, \d+ warnings?\./);
  },
});

Deno.test("session speaks JSON alone, with 2 for a wrong call and 1 for a session that is not there", async () => {
  await using bed = await Bed.create();
  const ask = async (...args: string[]) => {
    const { code, out } = await bed.run(["session", ...args]);
    return [code, out === "" ? "" : JSON.parse(out)];
  };
  assert.deepEqual(await ask("list", "--json"), [0, { schema_version: 1, command: "session.list", sessions: [] }]);
  assert.deepEqual(await ask("recovery", "--json"), [0, {
    schema_version: 1,
    command: "session.recovery",
    recoveries: [],
  }]);
  const failure = (command: string, code: string, message: string) => ({
    schema_version: 1,
    command,
    error: { code, message },
  });
  assert.deepEqual(await ask("show", "x", "--json"), [
    1,
    failure("session.show", "session_not_found", 'no session matches "x"'),
  ]);
  assert.deepEqual(await ask("status", "--json"), [
    2,
    failure("session.status", "invalid_argument", "session status needs a session id"),
  ]);
  assert.deepEqual(await ask("list", "--json", "--dir", "a", "--project-root", "b"), [
    2,
    failure("session.list", "invalid_argument", "--dir and --project-root exclude each other"),
  ]);
  assert.deepEqual(await ask("show", "--json", "--nope"), [
    2,
    failure("session.show", "invalid_argument", "unknown flag --nope"),
  ]);
  assert.equal((await ask("frob", "--json"))[0], 2);
  assert.deepEqual(await ask("list"), [2, ""]);
});

Deno.test("a stored session is listed, shown, and found by its machine id from another folder", async () => {
  await using server = new ModelServer([{ text: "hello" }]);
  await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
  await bed.run(["-p", "say hello"]);
  const { sessions: [row] } = JSON.parse((await bed.run(["session", "list", "--json"])).out);
  assert.match(row.id, /^session_[0-9a-f]{32}$/);
  assert.deepEqual([row.status, row.turns, row.preview], ["idle", 1, "say hello"]);
  const elsewhere = { cwd: bed.base };
  const shown = await bed.run(["session", "show", row.id, "--json", "--project-root", bed.workspace], elsewhere);
  const { session } = JSON.parse(shown.out);
  assert.deepEqual([session.id, session.workspace_root], [row.id, bed.workspace]);
  const folder = session.path.slice(0, session.path.lastIndexOf("/"));
  const byFolder = await bed.run(["session", "status", session.transcript_id, "--json", "--dir", folder], elsewhere);
  assert.equal(JSON.parse(byFolder.out).session.status, "idle");
});

Deno.test("sessions can be looked after: diagnose, reindex, cleanup", async () => {
  await using server = new ModelServer([{ text: "hello" }]);
  await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
  await bed.run(["-p", "say hello"]);
  const folder = `${bed.home}/projects/${bed.workspace.replaceAll("/", "-")}/sessions`;
  for (const entry of Deno.readDirSync(folder)) {
    if (entry.name.endsWith(".meta")) Deno.removeSync(`${folder}/${entry.name}`);
  }
  const ask = async (word: string) => JSON.parse((await bed.run(["sessions", word, "--json"])).out);
  assert.deepEqual([(await ask("diagnose")).sessions, (await ask("diagnose")).stale], [1, 1]);
  assert.equal((await ask("reindex")).rebuilt, 1);
  assert.deepEqual([(await ask("diagnose")).stale, (await ask("cleanup")).removed], [0, []]);
  assert.equal((await bed.run(["sessions"])).code, 2);
});

Deno.test("crash reports are listed newest first, shown without keys, and deleted one by one", async () => {
  await using bed = await Bed.create({ keys: KEYS });
  assert.deepEqual(await bed.run(["report"]), { code: 0, out: "", err: "No crash reports.\n" });
  const folder = `${bed.home}/cli-crash-reports`;
  await Deno.mkdir(folder);
  const report = (error: string) => JSON.stringify({ version: "v1.0.0", error, stack: "at x" }, null, 2);
  await Deno.writeTextFile(`${folder}/2026-01-01T00-00-00.000Z-aaaaaaaa.json`, report("old"));
  await Deno.writeTextFile(`${folder}/2026-02-01T00-00-00.000Z-bbbbbbbb.json`, report("has sk-local-0123456789abcdef"));
  const { out } = await bed.run(["report", "list"]);
  assert.match(out, /^2026-02-01\S+ {2}v1\.0\.0: has \[redacted\]\n2026-01-01\S+ {2}v1\.0\.0: old\n$/);
  assert.match((await bed.run(["report", "show"])).out, /"error": "has \[redacted\]"/);
  assert.equal((await bed.run(["report", "show", "2026"])).code, 1);
  assert.equal((await bed.run(["report", "delete", "2026-01"])).code, 0);
  assert.equal((await bed.run(["report", "delete", "2026-01"])).code, 1);
  assert.equal((await bed.run(["report", "delete"])).code, 2);
  assert.equal((await bed.run(["report", "send"])).code, 2);
});

// proves DIST-06, DIST-07
Deno.test("upgrade knows the newest strict release; old channels are ignored with a word about it", async () => {
  await using releases = new ReleaseServer([
    { tag: "v9.1.0", files: {} },
    { tag: "v9.10.0", files: {} },
    { tag: "v10.0.0-rc.1", files: {} },
  ]);
  await using bed = await Bed.create();
  const env = { REASONIX_RELEASE_INDEX: releases.index };
  const check = await bed.run(["upgrade", "--check"], { env });
  assert.deepEqual([check.code, check.err], [0, ""]);
  assert.match(check.out, /^v9\.10\.0 is out; this is /);
  const old = await bed.run(["update", "--check", "--channel", "canary"], { env });
  assert.deepEqual([old.code, old.out], [0, check.out]);
  assert.match(old.err, /^! channels are gone/);
  assert.equal((await bed.run(["upgrade", "sideways"], { env })).code, 2);
  const plain = await bed.run(["upgrade", "--check"], { env: { REASONIX_RELEASE_INDEX: "http://releases.example/i" } });
  assert.equal(plain.code, 2);
});

Deno.test({
  name: "the executable replaces itself, and only by what was published",
  ignore: Deno.env.get("REASONIX_EXECUTABLE") === undefined || Deno.build.os !== "linux",
  fn: async () => {
    await using bed = await Bed.create();
    const copy = `${bed.base}/reasonix`;
    await Deno.copyFile(program[0]!, copy);
    const asset = `reasonix-linux-${Deno.build.arch === "aarch64" ? "arm64" : "amd64"}`;
    const next = "#!/bin/sh\necho 'reasonix v9.0.0'\n";
    const upgrade = async (sums: Record<string, string>) => {
      await using releases = new ReleaseServer([{ tag: "v9.0.0", files: { [asset]: next }, sums }]);
      const env = bed.env({ REASONIX_RELEASE_INDEX: releases.index });
      const { code } = await new Deno.Command(copy, { args: ["upgrade"], clearEnv: true, env, cwd: bed.workspace })
        .output();
      return [code, (await Deno.stat(copy)).size];
    };
    assert.deepEqual(await upgrade({ [asset]: "0".repeat(64) }), [1, (await Deno.stat(program[0]!)).size]);
    assert.deepEqual(await upgrade({}), [0, next.length]);
  },
});

Deno.test({
  name: "a checkout is not upgraded",
  ignore: Deno.env.get("REASONIX_EXECUTABLE") !== undefined,
  fn: async () => {
    await using releases = new ReleaseServer([{ tag: "v9.0.0", files: {} }]);
    await using bed = await Bed.create();
    const { code, err } = await bed.run(["upgrade"], { env: { REASONIX_RELEASE_INDEX: releases.index } });
    assert.equal(code, 1);
    assert.match(err, /^error: this is reasonix run from source; v9\.0\.0 is out\n {2}Update the checkout/);
    assert.deepEqual(releases.asked, ["/index.json"]);
  },
});

Deno.test("doctor and config show name settings that nothing acts on yet; a run is not bothered with them", async () => {
  await using server = new ModelServer([{ text: "done" }]);
  await using bed = await Bed.create({
    config: localProvider(`${server.url}/v1`, '\n[agent]\nplanner_model = "m1"\nrecovery_model = "m2"\n'),
    keys: KEYS,
  });
  const told = /no effect yet: agent\.planner_model, agent\.recovery_model/;
  assert.match((await bed.run(["doctor", "--offline"])).out, told);
  assert.match((await bed.run(["config", "show"])).err, told);
  assert.deepEqual(await bed.run(["-p", "hi"]), { code: 0, out: "done\n", err: "" });
});
