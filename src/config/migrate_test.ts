import assert from "node:assert/strict";
import { type ConfigFiles, configFiles } from "../../tests/support/config_files.ts";
import { migrateConfig } from "./migrate.ts";

async function migrated(files: ConfigFiles, work?: (place: ReturnType<typeof configFiles>) => Promise<void> | void) {
  using place = configFiles(files);
  const run = () => migrateConfig({ paths: place.paths, os: "linux" });
  const notices = await run();
  const before = snapshot(place.base);
  assert.deepEqual(await run(), [], "the second run does nothing");
  assert.deepEqual(snapshot(place.base), before);
  await work?.(place);
  return { texts: notices.map((notice) => notice.text.replaceAll(place.base, "")), files: before };
}

function snapshot(base: string): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (folder: string) => {
    for (const entry of Deno.readDirSync(base + folder)) {
      if (entry.isDirectory) walk(`${folder}/${entry.name}`);
      else files[`${folder}/${entry.name}`] = Deno.readTextFileSync(`${base}${folder}/${entry.name}`);
    }
  };
  walk("");
  return files;
}

Deno.test("a new installation is left without any file", async () => {
  assert.deepEqual(await migrated({}), { texts: [], files: {} });
});

Deno.test("an old config file is copied when there is no new one, and stays", async () => {
  const text = '# mine\nlanguage = "zh"\n';
  const { texts, files } = await migrated({ others: { "home/.config/reasonix/config.toml": text } });
  assert.equal(files["/home/.reasonix/config.toml"], text);
  assert.equal(files["/home/.config/reasonix/config.toml"], text);
  assert.deepEqual(texts, [
    "settings were copied from /home/.config/reasonix/config.toml to /home/.reasonix/config.toml",
  ]);
});

Deno.test("a new config file wins over an old one", async () => {
  const { texts, files } = await migrated({
    user: 'language = "en"\n',
    others: { "home/.config/reasonix/config.toml": 'language = "zh"\n' },
  });
  assert.deepEqual([texts, files["/home/.reasonix/config.toml"]], [[], 'language = "en"\n']);
});

Deno.test("a malformed old file is told and not copied", async () => {
  const { texts, files } = await migrated({ others: { "home/.config/reasonix/config.toml": "a = [\n" } });
  assert.equal(files["/home/.reasonix/config.toml"], undefined);
  assert.match(texts[0]!, /was not copied, because it is malformed/);
});

Deno.test("the first JSON file brings language, address, key and servers that were on", async () => {
  const json = JSON.stringify({
    apiKey: "sk-old",
    baseUrl: "https://proxy.example.com/v1",
    lang: "zh",
    mcpServers: { on: { command: "c", args: ["1"], note: 1 }, off: { command: "c" }, mine: { command: "json" } },
    mcpDisabled: ["off"],
  });
  const { texts, files } = await migrated({ others: { "home/.reasonix/config.json": json } });
  assert.equal(texts.length, 3);
  assert.equal(files["/home/.reasonix/.env"], "DEEPSEEK_API_KEY=sk-old\n");
  assert.equal(
    files["/home/.reasonix/config.toml"],
    `language = "zh"
default_model = "deepseek"

[[providers]]
name = "deepseek"
kind = "openai"
base_url = "https://proxy.example.com/v1"
models = ["deepseek-flash", "deepseek-v4-pro"]
api_key_env = "DEEPSEEK_API_KEY"

[[plugins]]
command = "c"
args = ["1"]
name = "on"

[[plugins]]
command = "json"
name = "mine"
`,
  );
});

Deno.test("servers of the user's own win over old ones of the same name", async () => {
  const user = '[[plugins]]\nname = "a"\ncommand = "mine"\n';
  const json = '{"mcpServers":{"a":{"command":"old"},"b":{"command":"old"}}}';
  const { files } = await migrated({ user, others: { "home/.reasonix/config.json": json } });
  assert.equal(files["/home/.reasonix/config.toml"], `${user}\n[[plugins]]\ncommand = "old"\nname = "b"\n`);
});

Deno.test("keys are copied only when they are missing and were not removed on purpose", async () => {
  const { texts, files } = await migrated({
    keys: "HAVE=new\n# reasonix-cleared GONE\n",
    others: { "home/.reasonix/credentials": "HAVE=old\nGONE=old\nFRESH=old\n" },
  });
  assert.equal(files["/home/.reasonix/.env"], "HAVE=new\n# reasonix-cleared GONE\nFRESH=old\n");
  assert.deepEqual(texts, ["keys were copied from /home/.reasonix/credentials to /home/.reasonix/.env: FRESH"]);
});

// proves CFG-41
Deno.test("retired keys are removed with a word, comments stay", async () => {
  const { texts, files } = await migrated({
    user: "# c\n[agent]\nmax_steps = 3 # old\nrecent_keep = 4\nplanner_max_steps = 1\n",
  });
  assert.equal(files["/home/.reasonix/config.toml"], "# c\n[agent]\nrecent_keep = 4\n");
  assert.match(texts[0]!, /settings without effect were removed: agent\.max_steps, agent\.planner_max_steps/);
});

// proves CTX-30
Deno.test("the thresholds of earlier folding are removed, and what holds stays", async () => {
  const old = ["soft_compact_ratio = 0.5", "tool_result_snip_ratio = 0.6", "compact_force_ratio = 0.95"];
  const { files } = await migrated({
    user: `[agent]\n${old.join("\n")}\ncold_resume_prune = true\ncontext_editing = true\ncompact_ratio = 0.8\n`,
  });
  assert.equal(files["/home/.reasonix/config.toml"], "[agent]\ncompact_ratio = 0.8\n");
});

Deno.test("an old official DeepSeek entry moves to the Messages endpoint, a customised one stays", async () => {
  const entry = (more: string) =>
    `[[providers]]\nname = "deepseek"\nbase_url = "https://api.deepseek.com/v1"\nmodels = ["deepseek-chat"]\n${more}`;
  const upgraded = await migrated({ user: entry("") });
  assert.match(
    upgraded.files["/home/.reasonix/config.toml"]!,
    /base_url = "https:\/\/api\.deepseek\.com\/anthropic"\nmodels = \["deepseek-chat"\]\nkind = "anthropic"\n/,
  );
  const custom = entry('headers = { A = "b" }\n');
  assert.equal((await migrated({ user: custom })).files["/home/.reasonix/config.toml"], custom);
});

Deno.test("a malformed config is left to the load, and the step is tried again later", async () => {
  const { texts, files } = await migrated({ user: "a = [\n" });
  assert.deepEqual([texts, files["/home/.reasonix/config.toml"]], [[], "a = [\n"]);
  assert.deepEqual(JSON.parse(files["/home/.reasonix/migrations.json"]!).done, ["config_file", "keys", "servers"]);
});

Deno.test("nothing is migrated under REASONIX_HOME", async () => {
  using place = configFiles({
    others: { "home/.config/reasonix/config.toml": "x = 1\n", "r/config.toml": "[agent]\nmax_steps = 1\n" },
  });
  const paths = { ...place.paths, home: `${place.base}/r`, userConfig: `${place.base}/r/config.toml`, isolated: true };
  const before = snapshot(place.base);
  assert.deepEqual(await migrateConfig({ paths, os: "linux" }), []);
  assert.deepEqual(snapshot(place.base), before);
});
