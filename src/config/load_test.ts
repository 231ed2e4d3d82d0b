import assert from "node:assert/strict";
import { type ConfigFiles, configFiles } from "../../tests/support/config_files.ts";
import { ConfigError, inspectConfig, loadConfig, type LoadedConfig } from "./load.ts";
import { originOf } from "./origin_of.ts";

async function load(files: ConfigFiles) {
  using place = configFiles(files);
  return await loadConfig(place.options);
}

/** The error and the notices of a run that does not start; paths shortened to the workspace and the home. */
async function stopped(files: ConfigFiles) {
  using place = configFiles(files);
  const error = await loadConfig(place.options).then(() => assert.fail("it loaded"), (error) => error);
  assert.ok(error instanceof ConfigError, String(error));
  const short = (text: string) => text.replaceAll(place.base, "");
  return {
    code: error.code,
    message: short(error.message),
    place: error.place,
    texts: error.notices.map((n) => short(n.text)),
  };
}

const warnings = ({ notices }: Pick<LoadedConfig, "notices">) => notices.filter(({ level }) => level === "warning");
const codes = (loaded: { notices: readonly { code: string }[] }) => loaded.notices.map((notice) => notice.code);

// proves CFG-01, together with the run that names a model
Deno.test("the project wins over the user, the user over the default", async () => {
  const user = '[agent]\nreasoning_language = "zh"\nrecent_keep = 5\n';
  const project = '[agent]\nreasoning_language = "en"\n';
  const loaded = await load({ user, project });
  const { reasoningLanguage, recentKeep, firstTurnPinTokens } = loaded.config.agent;
  assert.deepEqual([reasoningLanguage, recentKeep, firstTurnPinTokens], ["en", 5, 1500]);
  const labels = ["reasoning_language", "recent_keep", "keep"].map((key) => originOf(loaded, `agent.${key}`).label);
  assert.deepEqual(labels, ["project: reasonix.toml", "user", "built-in default"]);
});

// proves CFG-03
Deno.test("./reasonix.toml alone counts when both project files are there", async () => {
  const project = 'language = "en"\n';
  const hiddenProject = 'language = "zh"\n[agent]\nrecent_keep = 9\n';
  const both = await load({ project, hiddenProject });
  assert.deepEqual([both.config.language, both.config.agent.recentKeep], ["en", 2]);
  const one = await load({ hiddenProject });
  assert.deepEqual([one.config.language, one.config.agent.recentKeep], ["zh", 9]);
  assert.equal(one.projectConfig.shownAs, ".reasonix/reasonix.toml");
});

// proves CFG-04
Deno.test("a new project file would be ./reasonix.toml", async () => {
  const { projectConfig } = await load({});
  assert.deepEqual([projectConfig.shownAs, projectConfig.exists], ["reasonix.toml", false]);
});

// proves CFG-05
Deno.test("a root project file that is malformed, a folder or a dead link is not replaced by the other one", async () => {
  const hiddenProject = 'language = "zh"\n';
  assert.equal((await stopped({ project: "a = \n", hiddenProject })).code, "config.syntax");
  for (const spoil of [(path: string) => Deno.mkdirSync(path), (path: string) => Deno.symlinkSync("nowhere", path)]) {
    using place = configFiles({ hiddenProject });
    spoil(`${place.workspace}/reasonix.toml`);
    await assert.rejects(() => loadConfig(place.options), { code: "config.unreadable" });
  }
});

Deno.test("a malformed user file stops the run with file, line, column, what was found and what was expected", async () => {
  const user = '# 1\n# 2\n# 3\n# 4\n# 5\n# 6\n# 7\n[permissions]\ndeny = ["Bash(rm:*)" "x"]\n';
  assert.deepEqual(
    await stopped({ user, project: 'language = "en"\n' }).then(({ code, message }) => ({ code, message })),
    {
      code: "config.syntax",
      message: '/home/.reasonix/config.toml:9:22: found `"`, expected a comma or the closing bracket' +
        ' in: deny = ["Bash(rm:*)" "x"]',
    },
  );
});

Deno.test("a value of the wrong type stops the run in the same way", async () => {
  const { code, message, place } = await stopped({ user: 'language = "en"\n\n[agent]\n  keep = "errors"\n' });
  assert.equal(code, "config.type");
  assert.equal(
    message,
    '/home/.reasonix/config.toml:4:3: agent.keep: found text, expected a list of texts in: keep = "errors"',
  );
  assert.deepEqual([place?.line, place?.column], [4, 3]);
});

Deno.test(
  "a file without read permission stops the run",
  { ignore: Deno.uid() === 0 || Deno.build.os === "windows" },
  async () => {
    using place = configFiles({ user: 'language = "en"\n' });
    Deno.chmodSync(place.paths.userConfig, 0);
    await assert.rejects(() => loadConfig(place.options), { code: "config.unreadable" });
  },
);

Deno.test(
  "a pipe in the place of a file is refused without being opened",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    using place = configFiles();
    new Deno.Command("mkfifo", { args: [`${place.workspace}/reasonix.toml`] }).outputSync();
    await assert.rejects(() => loadConfig(place.options), { code: "config.unreadable" });
  },
);

Deno.test("an unknown key warns with its line and the nearest key, and costs nothing else", async () => {
  using place = configFiles({ user: 'modle = "x"\n[permissions]\ndeny = ["Bash(rm:*)"]\n[ui]\ntheem = "dark"\n' });
  const { config, notices } = await loadConfig(place.options);
  assert.deepEqual(config.permissions.deny, ["Bash(rm:*)"]);
  assert.deepEqual(notices.map(({ code, text }) => [code, text.replace(place.paths.home, "")]), [
    ["config.unknown_key", "/config.toml:1:1: unknown key modle is ignored; did you mean default_model?"],
    ["config.unknown_key", "/config.toml:5:1: unknown key ui.theem is ignored; did you mean theme in [ui]?"],
  ]);
});

Deno.test("a misspelt safety section or a stray address stops the run and names key, line and the real key", async () => {
  const rows: [string, RegExp][] = [
    ['base_url = "http://127.0.0.1:1"\n', /:1:1: unknown key base_url .*did you mean base_url in \[\[providers\]\]\?/],
    ['\n[permisions]\ndeny = ["Bash(rm:*)"]\n', /:2:2: unknown key permisions .*did you mean \[permissions\]\?/],
    [
      '[[provider]]\nname = "x"\nbase_url = "http://127.0.0.1:1"\n',
      /:1:3: unknown key provider .*did you mean \[\[providers\]\]\?/,
    ],
    [
      '[permissions]\ndenny = ["Bash"]\n',
      /:2:1: unknown key permissions\.denny .*did you mean deny in \[permissions\]\?/,
    ],
    ['deny = ["Bash"]\n', /:1:1: unknown key deny .*did you mean deny in \[permissions\]\?/],
    ['[agent.permissions]\ndeny = ["Bash"]\n', /unknown key agent\.permissions .*did you mean \[permissions\]\?/],
    ['[sandbox]\nforbid_reads = ["/x"]\n', /did you mean forbid_read in \[sandbox\]\?/],
    ['[agent]\nBASE-URL = "http://x"\n', /unknown key agent\.BASE-URL .*did you mean base_url in \[\[providers\]\]\?/],
    [
      '[[providers]]\nname = "x"\nbase_url = "http://x"\nendpoint = "http://y"\n',
      /:4:1: unknown key providers\[0\]\.endpoint/,
    ],
  ];
  for (const [user, pattern] of rows) {
    const { code, message } = await stopped({ user });
    assert.equal(code, "config.unsafe_key", user);
    assert.match(message, pattern);
  }
});

Deno.test("everything that is wrong is named at once, warnings as well", async () => {
  const { message, texts } = await stopped({
    user:
      'modle = "x"\nbase_url = "http://127.0.0.1:1"\n[permisions]\ndeny = []\n[[provider]]\nbase_url = "http://127.0.0.1:1"\n',
  });
  for (const name of ["base_url", "permisions", "provider"]) assert.match(message, new RegExp(`unknown key ${name} `));
  assert.equal(texts.length, 1);
  assert.match(texts[0]!, /:1:1: unknown key modle is ignored/);
});

// proves CFG-06, CFG-36
Deno.test("a project file cannot set what is the user's alone; one line names all of it", async () => {
  const project = `auto_submit = true
[cli]
diff_fences = true
[secrets]
protect_credential_files = false
[serve]
auth_mode = "none"
[remote]
hosts = []
[storage]
x = 1
[statusline]
command = "touch marker"
[telemetry]
cli_metrics = "on"
[security]
project_servers = "always"
[billing]
display_currency = "CNY"
[sandbox]
host_authorities = ["docker"]
[tools.shell.env]
BASH_ENV = "evil"
[desktop]
language = "zh"
`;
  const plain = await load({ trusted: true });
  using place = configFiles({ project, trusted: true });
  const { config, notices } = await loadConfig(place.options);
  assert.deepEqual(config, plain.config);
  assert.deepEqual(notices.map((notice) => notice.text.replace(place.workspace, "")), [
    "/reasonix.toml: ignored, because only the user config may set it: auto_submit, cli, secrets, serve, remote, storage, " +
    "statusline, telemetry, security, billing.display_currency, sandbox.host_authorities, tools.shell.env, desktop.language",
  ]);
});

// proves CFG-35
Deno.test("the user's own variables for commands are there", async () => {
  const { config } = await load({ user: '[tools.shell.env]\nBASH_ENV = "rc"\nN = 1\n' });
  assert.deepEqual(config.tools.shell.env, { BASH_ENV: "rc", N: "1" });
});

const LOOSENING = `[permissions]
mode = "allow"
allow = ["Bash"]
allow_dynamic_bash = true
[sandbox]
bash = "off"
network = true
allow_write = ["/"]
workspace_root = "/"
[tools.shell]
path = "./evil"
[tools.search]
rg_path = "./evil"
[agent]
guardian_model = "mine/m"
[lsp.servers.go]
command = "./evil"
[network]
proxy_mode = "custom"
proxy_url = "http://127.0.0.1:1"
`;

Deno.test("what loosens safety in a folder that is not trusted is ignored with one line naming all of it", async () => {
  const user = "[sandbox]\nnetwork = false\n";
  using place = configFiles({ user, project: LOOSENING });
  const loaded = await loadConfig(place.options);
  assert.deepEqual(loaded.config, (await load({ user })).config);
  assert.deepEqual(warnings(loaded).map(({ code, text }) => [code, text.replaceAll(place.workspace, "WS")]), [[
    "config.untrusted",
    "WS/reasonix.toml: ignored until this folder is trusted (reasonix trust --dir WS): agent.guardian_model, " +
    "permissions.mode, permissions.allow, permissions.allow_dynamic_bash, sandbox.workspace_root, sandbox.allow_write, " +
    "sandbox.bash, sandbox.network, tools.search.rg_path, tools.shell.path, network.proxy_mode, network.proxy_url, lsp.servers",
  ]]);
  assert.equal(originOf(loaded, "sandbox.bash").label, "built-in default");
});

const LIMITS = (tokens: number, minutes: number, cost: number) =>
  `[agent]\ntask_token_budget = ${tokens}\ntask_time_budget_minutes = ${minutes}\ntask_cost_budget = ${cost}\n`;

Deno.test("a folder that is not trusted raises none of the person's limits and ends none, and may set lower ones", async () => {
  const limits = async (user: string, project: string) => {
    const { agent } = (await load({ user, project })).config;
    return [agent.taskTokenBudget, agent.taskTimeBudgetMinutes, agent.taskCostBudget];
  };
  const user = LIMITS(1000, 10, 0.5);
  assert.deepEqual(await limits(user, LIMITS(0, 0, 0)), [1000, 10, 0.5]);
  assert.deepEqual(await limits(user, LIMITS(1001, 11, 0.6)), [1000, 10, 0.5]);
  assert.deepEqual(await limits(user, LIMITS(999, 9, 0.4)), [999, 9, 0.4]);
  assert.deepEqual(await limits("", LIMITS(5, 5, 5)), [5, 5, 5]);
  const trusted = await load({ user, project: LIMITS(0, 20, 1), trusted: true });
  assert.deepEqual(trusted.config.agent.taskTokenBudget, 0);
});

Deno.test("what the person has switched off, hidden or kept back stays so in a folder that is not trusted", async () => {
  const user = '[tools]\nenabled = ["read_file", "grep"]\n[skills]\ndisabled_skills = ["a"]\nexcluded_paths = ["x"]\n' +
    "disable_implicit_invocation = true\n";
  const project =
    '[tools]\nenabled = ["bash", "grep"]\nprotect_changed_files = false\n[skills]\ndisabled_skills = ["b"]\nexcluded_paths = []\n' +
    "disable_implicit_invocation = false\nsuppress_warnings = true\n[checkpoints]\nretain_turns = 1\nblob_quota_bytes = 1\n";
  const { config, loosenings } = await load({ user, project });
  const { tools, skills, checkpoints } = config;
  assert.deepEqual([tools.enabled, tools.protectChangedFiles], [["grep"], true]);
  assert.deepEqual([skills.disabledSkills, skills.excludedPaths], [["a", "b"], ["x"]]);
  assert.deepEqual([skills.disableImplicitInvocation, skills.suppressWarnings], [true, false]);
  assert.deepEqual(checkpoints, { retainTurns: 100, blobQuotaBytes: 1_073_741_824 });
  assert.equal(loosenings.length, 8);
  for (const other of ["[]", '["bash"]']) {
    const { config } = await load({ user, project: `[tools]\nenabled = ${other}\n` });
    assert.deepEqual(config.tools.enabled, ["read_file", "grep"]);
  }
});

Deno.test("the same takes effect in a trusted folder, and is listed for whoever asks", async () => {
  const loaded = await load({ user: "[sandbox]\nnetwork = false\n", project: LOOSENING, trusted: true });
  const { permissions, sandbox, tools } = loaded.config;
  assert.deepEqual([permissions.mode, permissions.allow, sandbox.bash, sandbox.network, tools.shell.path], [
    "allow",
    ["Bash"],
    "off",
    true,
    "./evil",
  ]);
  assert.deepEqual(warnings(loaded), []);
  assert.deepEqual(loaded.loosenings.find((item) => item.key === "sandbox.bash"), {
    key: "sandbox.bash",
    project: "off",
    otherwise: "enforce",
  });
});

Deno.test("what tightens always counts", async () => {
  const user =
    '[permissions]\nmode = "allow"\nallow = ["Bash(a)", "Bash(b)"]\ndeny = ["Bash(x)"]\n[sandbox]\nforbid_read = ["/u"]\n';
  const project =
    '[permissions]\nmode = "deny"\nallow = ["Bash(a)"]\ndeny = ["Bash(y)"]\nask = ["Edit"]\n[sandbox]\nnetwork = false\nforbid_read = ["/p"]\n';
  const { config, notices } = await load({ user, project });
  assert.deepEqual(config.permissions, {
    mode: "deny",
    allow: ["Bash(a)"],
    deny: ["Bash(x)", "Bash(y)"],
    ask: ["Edit"],
    allowDynamicBash: false,
  });
  assert.deepEqual([config.sandbox.network, config.sandbox.forbidRead], [false, ["/u", "/p"]]);
  assert.deepEqual(notices.map((notice) => notice.text.split(": ").at(-1)), ["sandbox.forbid_read"]);
});

Deno.test("deny and ask lists add up even in a trusted folder; other lists are replaced", async () => {
  const user =
    '[permissions]\nallow = ["A"]\ndeny = ["D"]\n[sandbox]\nallowed_domains = ["u"]\ndenied_domains = ["v"]\n[skills]\npaths = ["u"]\n';
  const project =
    '[permissions]\nallow = ["B"]\ndeny = []\n[sandbox]\nallowed_domains = ["p"]\ndenied_domains = ["q"]\n[skills]\npaths = ["p"]\n';
  const { config } = await load({ user, project, trusted: true });
  assert.deepEqual([config.permissions.allow, config.permissions.deny], [["B"], ["D"]]);
  assert.deepEqual([config.sandbox.allowedDomains, config.sandbox.deniedDomains], [["u"], ["v", "q"]]);
  assert.deepEqual(config.skills.paths, ["p"]);
});

Deno.test("a misspelt mode or sandbox switch is no default but an error", async () => {
  for (
    const user of [
      '[permissions]\nmode = "denny"\n',
      '[sandbox]\nbash = "on"\n',
      '[security]\nproject_servers = "trust"\n',
    ]
  ) {
    assert.equal((await stopped({ user })).code, "config.type");
  }
});

// proves CFG-13, CTX-04
Deno.test("values out of range become a bound or the default, with a warning", async () => {
  const { config, notices } = await load({
    user: `[ui]
cursor_shape = "beam"
[agent]
compact_ratio = 1
max_subagent_concurrency = 99
max_parallel_writers = 0
[skills]
max_depth = 9
[tools]
bash_timeout_seconds = -5
[checkpoints]
retain_turns = 0
`,
  });
  const { agent } = config;
  assert.deepEqual([agent.compactRatio, agent.maxSubagentConcurrency, agent.maxParallelWriters], [0.9, 32, 1]);
  assert.deepEqual([
    config.ui.cursorShape,
    config.skills.maxDepth,
    config.tools.bashTimeoutSeconds,
    config.checkpoints.retainTurns,
  ], ["bar", 5, 120, 100]);
  assert.deepEqual(codes({ notices: warnings({ notices }) }), Array(7).fill("config.adjusted"));
});

Deno.test("what nothing acts on yet is told in one line, and with its own warning where it would guard something", async () => {
  const user = '[agent]\nplanner_model = "m"\ngoal_token_budget = 5\n[lsp]\nenabled = false\n';
  const { notices } = await load({ user });
  assert.deepEqual(notices.map(({ level, code, text }) => [level, code, text.replace(/^.*\.toml/, "")]), [
    ["warning", "config.not_yet", ":3:1: agent.goal_token_budget has no effect yet; do not rely on it"],
    ["info", "config.not_yet", ": no effect yet: agent.planner_model, lsp"],
  ]);
});

// proves CFG-41
Deno.test("retired keys parse, do nothing and are told", async () => {
  const { notices } = await load({ user: "[agent]\nmax_steps = 3\nplanner_max_steps = 1\n" });
  assert.deepEqual(codes({ notices }), ["config.retired", "config.retired"]);
});

Deno.test("a project adds providers and never redirects one of the user's", async () => {
  const user = '[[providers]]\nname = "deepseek"\nbase_url = "https://api.example.com"\nmodel = "m"\n';
  const project =
    '[[providers]]\nname = "deepseek"\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\n[[providers]]\nname = "own"\nbase_url = "http://127.0.0.1:2"\nmodel = "n"\n';
  const { config, notices } = await load({ user, project, trusted: true });
  assert.deepEqual(config.providers.map(({ name, baseUrl, source }) => [name, baseUrl, source.layer]), [
    ["deepseek", "https://api.example.com", "user"],
    ["own", "http://127.0.0.1:2", "project"],
  ]);
  assert.deepEqual(codes({ notices }), ["config.shadowed_provider"]);
});

Deno.test("built-in providers stand while the user has none, and a project does not redirect them either", async () => {
  const { config } = await load({
    project: '[[providers]]\nname = "deepseek-flash"\nbase_url = "http://127.0.0.1:1"\nmodel = "deepseek-flash"\n',
  });
  assert.deepEqual(config.providers.map(({ name, default: model, source }) => [name, model, source.layer]), [
    ["deepseek-flash", "deepseek-flash", "built_in"],
    ["deepseek-pro", "deepseek-v4-pro", "built_in"],
  ]);
});

Deno.test("a provider without a name or with one used before is refused with its place", async () => {
  const entry = 'base_url = "http://127.0.0.1:1"\n';
  assert.match(
    (await stopped({ user: `[[providers]]\n${entry}` })).message,
    /:1:3: providers\[0\]: found no `name`, expected one/,
  );
  const twice = `[[providers]]\nname = "x"\n${entry}[[providers]]\nname = "x"\n${entry}`;
  assert.match((await stopped({ user: twice })).message, /:4:3: providers\[1\]: found the name "x" a second time/);
});

Deno.test("a project's unknown default_model gives way to the user's, else stays an error to come", async () => {
  const user = 'default_model = "p"\n[[providers]]\nname = "p"\nbase_url = "http://127.0.0.1:1"\nmodel = "m"\n';
  const settled = await load({ user, project: 'default_model = "nope"\n' });
  assert.deepEqual([settled.config.defaultModel, codes(settled)], ["p", ["config.default_model"]]);
  const open = await load({ user: user.slice(user.indexOf("[[")), project: 'default_model = "nope"\n' });
  assert.equal(open.config.defaultModel, "nope");
});

Deno.test("without any default_model the first provider of the user's is used", async () => {
  const { config } = await load({
    user: '[[providers]]\nname = "p"\nbase_url = "http://127.0.0.1:1"\nmodels = ["m", "n"]\n',
  });
  assert.equal(config.defaultModel, "p/m");
});

// proves MCP-35, MCP-48
Deno.test("MCP servers are joined by name: project file, .mcp.json, user file", async () => {
  const server = (name: string, command: string) => `[[plugins]]\nname = "${name}"\ncommand = "${command}"\n`;
  const { config } = await load({
    user: server("a", "user") + server("b", "user") + server("c", "user"),
    mcpJson: JSON.stringify({
      mcpServers: { a: { command: "json" }, b: { command: "json" }, web: { url: "https://x.example" } },
    }),
    project: `${server("a", "project")}[[mcp.servers]]\nname = "chrome-tools"\ncommand = "project"\n`,
  });
  assert.deepEqual(
    config.plugins.map((
      { name, type, command, concurrency, source },
    ) => [name, type, command, concurrency, source.layer]),
    [
      ["a", "stdio", "project", "parallel", "project"],
      ["chrome-tools", "stdio", "project", "serial", "project"],
      ["b", "stdio", "json", "parallel", "mcp_json"],
      ["web", "http", "", "parallel", "mcp_json"],
      ["c", "stdio", "user", "parallel", "user"],
    ],
  );
});

Deno.test("a mistake in .mcp.json costs its server or its file, with a warning, never the run", async () => {
  const bad = await load({ mcpJson: "{ not json" });
  assert.deepEqual([bad.config.plugins, codes(bad)], [[], ["config.mcp_json"]]);
  const partly = await load({ mcpJson: '{"mcpServers":{"ok":{"command":"x"},"bad":{"command":1},"odd":[]}}' });
  assert.deepEqual([partly.config.plugins.map((plugin) => plugin.name), codes(partly)], [["ok"], [
    "config.mcp_json",
    "config.mcp_json",
  ]]);
});

Deno.test("a folder's servers wait for trust when the user said so", async () => {
  const files = {
    user: '[security]\nproject_servers = "trusted"\n[[plugins]]\nname = "mine"\ncommand = "m"\n',
    project: '[[plugins]]\nname = "theirs"\ncommand = "t"\n',
    mcpJson: '{"mcpServers":{"json":{"command":"j"}}}',
  };
  const names = (plugins: readonly { name: string }[]) => plugins.map((plugin) => plugin.name);
  const waiting = await load(files);
  assert.deepEqual([names(waiting.config.plugins), names(waiting.heldServers), codes(waiting)], [["mine"], [
    "theirs",
    "json",
  ], ["config.untrusted"]]);
  const trusted = await load({ ...files, trusted: true });
  assert.deepEqual([names(trusted.config.plugins), trusted.heldServers], [["theirs", "json", "mine"], []]);
});

Deno.test("a folder's servers start where nobody was asked; once there is an answer only those agreed to do", async () => {
  const files = { mcpJson: '{"mcpServers":{"json":{"command":"j"},"more":{"command":"m"}}}' };
  const names = (plugins: readonly { name: string }[]) => plugins.map((plugin) => plugin.name);
  assert.deepEqual(names((await load(files)).config.plugins), ["json", "more"]);
  const declined = await load({ ...files, answered: true });
  assert.deepEqual([names(declined.config.plugins), names(declined.heldServers)], [[], ["json", "more"]]);
  const agreed = ({ name }: { name: string }) => name === "json";
  const partly = await load({ ...files, trusted: true, answered: true, agreed });
  assert.deepEqual([names(partly.config.plugins), names(partly.heldServers)], [["json"], ["more"]]);
});

// proves CFG-08, CFG-09
Deno.test("a folder's .env moves nothing and brings no key; a line names what was not taken", async () => {
  using place = configFiles({
    user: '[[providers]]\nname = "deepseek"\nbase_url = "https://api.example.com"\nmodel = "m"\napi_key_env = "K"\n',
    keys: "K=sk-test\nOTHER_KEY=x\n",
    projectEnv:
      "REASONIX_HOME=./h\nK=other\nOTHER_KEY=y\nHTTPS_PROXY=http://127.0.0.1:9\nXDG_CONFIG_HOME=/x\nDATABASE_URL=db\n",
  });
  const loaded = await loadConfig(place.options);
  assert.equal(loaded.keys.values.get("K"), "sk-test");
  assert.deepEqual([...loaded.projectEnv], [["HTTPS_PROXY", "http://127.0.0.1:9"], ["DATABASE_URL", "db"]]);
  assert.deepEqual(loaded.notices.map((notice) => notice.text.replace(place.workspace, "")), [
    "/.env: not taken from a project's .env: REASONIX_HOME, K, OTHER_KEY, HTTPS_PROXY, XDG_CONFIG_HOME",
  ]);
});

// proves SBX-06
Deno.test("forbid_read is expanded; a variable that is not set stops the run, a tilde warns", async () => {
  const { config } = await load({ user: '[sandbox]\nforbid_read = ["${HOME}/.ssh", "${NOPE:-/d}/x"]\n' });
  assert.match(config.sandbox.forbidRead[0]!, /\/home\/\.ssh$/);
  assert.equal(config.sandbox.forbidRead[1], "/d/x");
  assert.match((await stopped({ user: '[sandbox]\nforbid_read = ["${NOPE}/x"]\n' })).message, /NOPE is not set/);
  assert.deepEqual(codes(await load({ user: '[sandbox]\nforbid_read = ["~/.ssh"]\n' })), ["config.adjusted"]);
});

Deno.test("where commands have no walls, it is said that forbid_read does not hold for them", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const forbidding = '[sandbox]\nforbid_read = ["/etc/shadow"]\n';
  assert.deepEqual((await load({ user: forbidding })).notices, []);
  const { notices } = await load({ user: `${forbidding}bash = "off"\n` });
  assert.match(
    notices.map(({ text }) => text).join(),
    /^sandbox\.forbid_read holds for .* alone: commands run without/,
  );
});

Deno.test("theme and telemetry variables of the environment outrank the files", async () => {
  const env = { REASONIX_THEME: "Light", REASONIX_THEME_STYLE: "mint", DO_NOT_TRACK: "1" };
  const loaded = await load({ user: '[ui]\ntheme = "dark"\n[telemetry]\ncli_metrics = "on"\n', env });
  const { ui, telemetry } = loaded.config;
  assert.deepEqual([ui.theme, ui.themeStyle, telemetry.cliMetrics], ["light", "mint", "off"]);
  assert.equal(originOf(loaded, "ui.theme").layer, "environment");
});

Deno.test("looking at a config that is wrong answers with what could be read and every problem", async () => {
  using place = configFiles({ user: "[agent]\nkeep = 1\nrecent_keep = 7\n", project: "x = [\n" });
  const { config, problems } = await inspectConfig(place.options);
  assert.deepEqual([config.agent.recentKeep, config.agent.keep], [7, ["errors", "user_marked"]]);
  assert.deepEqual(problems.map((problem) => problem.code), ["config.type", "config.syntax"]);
});

Deno.test("loading writes nothing", async () => {
  using place = configFiles();
  await loadConfig(place.options);
  assert.deepEqual([...Deno.readDirSync(`${place.base}/home`)], []);
  assert.deepEqual([...Deno.readDirSync(place.workspace)], []);
});

Deno.test("the config is frozen through and through, and plain data", async () => {
  const { config } = await load({ user: '[agent.subagent_models]\nsecurity_review = "a/b"\n[desktop]\nx = 1\n' });
  assert.deepEqual(JSON.parse(JSON.stringify(config)), JSON.parse(JSON.stringify(structuredClone(config))));
  assert.deepEqual(config.agent.subagentModels, { "security-review": "a/b", security_review: "a/b" });
  const frozen = (value: unknown): boolean =>
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
  assert.ok(frozen(config));
});

Deno.test("files of Windows editors load with the same values", async () => {
  using place = configFiles({ user: "" });
  const text = 'language = "zh"\r\n[agent]\r\nsystem_prompt = "你好"\r\n';
  const utf16 = Uint8Array.from(["\ufeff", ...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
  const gbk = Uint8Array.from(
    [...'language = "zh"\r\n[agent]\r\nsystem_prompt = "'].map((c) => c.charCodeAt(0)).concat(
      [0xc4, 0xe3, 0xba, 0xc3],
      [0x22, 0x0d, 0x0a],
    ),
  );
  for (const bytes of [new TextEncoder().encode("\ufeff" + text), utf16, gbk]) {
    Deno.writeFileSync(place.paths.userConfig, bytes);
    const { config } = await loadConfig(place.options);
    assert.deepEqual([config.language, config.agent.systemPrompt], ["zh", "你好"]);
  }
});

Deno.test("names that are hostile to a terminal are shown escaped", async () => {
  using place = configFiles({
    project:
      '"\\u001b[2J\\u009b\\u202e" = 1\n[[providers]]\nname = "deepseek-flash"\nbase_url = "http://127.0.0.1:1"\n',
  });
  const { notices } = await loadConfig(place.options);
  assert.equal(notices.length, 2);
  // deno-lint-ignore no-control-regex
  for (const { text } of notices) assert.doesNotMatch(text, /[\x00-\x1f\x7f-\x9f\u202e]/);
});

Deno.test("a key named __proto__ is a key like any other", async () => {
  const { config } = await load({ user: '[tools.shell.env]\n__proto__ = "x"\n' });
  assert.deepEqual(Object.keys(config.tools.shell.env), ["__proto__"]);
});

Deno.test("a file full of unknown keys is said in a few lines, and quickly enough to be said at all", async () => {
  const user = Array.from({ length: 3000 }, (_, i) => `unknown_key_${i} = 1\n`).join("");
  const { notices } = await load({ user });
  assert.equal(notices.length, 21);
  assert.match(notices[20]!.text, /and 2980 more like these/);
});

Deno.test("many problems are one line of bearable length", async () => {
  const { message } = await stopped({
    user: Array.from({ length: 500 }, (_, i) => `[[providers]]\nname = "p${i}"\nkind = 1\n`).join(""),
  });
  assert.match(message, /; and 495 more$/);
  assert.ok(message.length < 2000);
});
