/** `doctor capabilities`: what a folder and its person add, and what of it is not as it was meant. */
import assert from "node:assert/strict";
import { Bed } from "../support/program.ts";

const ODD = decodeURIComponent(new URL("../support/mcp/odd_server.ts", import.meta.url).pathname);
const odd = (mode: string) => `["run", "-A", "--no-check", "${ODD}", "${mode}"]`;

const skill = (head: string) => `---\n${head}\n---\nText.\n`;

async function put(bed: Bed, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${bed.base}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${bed.base}/${path}`, text);
  }
}

interface Report {
  readonly summary: Record<string, number>;
  readonly skills: readonly Record<string, unknown>[];
  readonly mcp: readonly Record<string, unknown>[];
  readonly issues: readonly (Record<"severity" | "code" | "subsystem" | "name" | "source" | "message", string>)[];
  readonly [key: string]: unknown;
}

async function report(bed: Bed, ...args: string[]): Promise<Report & { readonly exit: number }> {
  const { code, out } = await bed.run(["doctor", "capabilities", "--json", ...args]);
  return { ...JSON.parse(out), exit: code };
}

const issuesOf = ({ issues }: Report) =>
  issues.map(({ severity, code, name, source }) => [severity, code, name, source]);

Deno.test("a folder with nothing added is in order", async () => {
  await using bed = await Bed.create({ config: "" });
  const { code, out } = await bed.run(["doctor", "capabilities"]);
  assert.equal(code, 0);
  assert.match(out, /^reasonix .*, what is added to it in ~\/ws\n\nskills {8}2\n[^]*\n\nEverything is in order\.\n$/);
  assert.deepEqual(await report(bed), {
    exit: 0,
    schema_version: 1,
    command: "doctor.capabilities",
    root: "~/ws",
    live: false,
    summary: {
      skills: 2,
      commands: 0,
      hooks: 0,
      plugins: 0,
      mcp_servers: 0,
      instructions: 0,
      errors: 0,
      warnings: 0,
      infos: 0,
    },
    skills: ["init", "test"].map((name) => ({
      name,
      scope: "built_in",
      source: "comes with reasonix",
      enabled: true,
      run_as: "inline",
      invocation: "manual",
      description:
        (name === "init" ? "Look at this project and write AGENTS.md" : "Find out how this project is tested") +
        (name === "init"
          ? ", the standing instructions for agents that work in it"
          : ", run its tests, and mend what fails"),
    })),
    commands: [],
    hooks: [],
    plugins: [],
    mcp: [],
    instructions: [],
    issues: [],
  });
});

Deno.test("skills are told with each trouble they have, warnings that are silenced included", async () => { // proves CFG-39
  await using bed = await Bed.create({
    config: `[skills]
suppress_warnings = true
disabled_skills = ["off", "gone"]
[[plugins]]
name = "files"
command = "${Deno.execPath()}"
`,
  });
  await put(bed, {
    "ws/.reasonix/skills/broken.md": "---\nopen",
    "ws/.reasonix/skills/silent.md": "Text.",
    "ws/.reasonix/skills/twice.md": skill("description: one"),
    "home/skills/twice.md": skill("description: two"),
    "home/skills/off.md": skill("description: off"),
    "home/skills/refers.md": skill(
      "description: d\nallowed-tools: Read, bash, Bash(git *), no_such_tool, mcp__files__read, mcp__absent__x, not a(tool\n" +
        "requires: [mcp:absent]",
    ),
  });
  const found = await report(bed);
  assert.equal(found.exit, 1);
  assert.deepEqual(issuesOf(found), [
    ["error", "skill.read_failed", "", "<workspace>/.reasonix/skills/broken.md"],
    ["warning", "skill.missing_description", "silent", "<workspace>/.reasonix/skills/silent.md"],
    ["warning", "skill.shadowed", "twice", "~/home/skills/twice.md"],
    ["info", "skill.disabled", "off", "~/home/skills/off.md"],
    ["info", "skill.disabled", "gone", ""],
    ["warning", "skill.tool_reference_unknown", "refers", "~/home/skills/refers.md"],
    ["info", "skill.tool_reference_unverified", "refers", "~/home/skills/refers.md"],
    ["error", "skill.mcp_dependency_missing", "refers", "~/home/skills/refers.md"],
    ["warning", "skill.tool_reference_unknown", "refers", "~/home/skills/refers.md"],
    ["error", "skill.tool_reference_invalid", "refers", "~/home/skills/refers.md"],
    ["error", "skill.mcp_dependency_missing", "refers", "~/home/skills/refers.md"],
  ]);
  assert.ok(!JSON.stringify(found.issues).includes(bed.base), "a place on this machine is shown");
});

Deno.test("doctor itself names skills that do not load, also where a session is told to be quiet", async () => { // proves CFG-39
  await using bed = await Bed.create({ config: "[skills]\nsuppress_warnings = true\n" });
  await put(bed, { "ws/.agents/skills/a.md": skill("description: d"), "ws/.agents/skills/broken.md": "---\nopen" });
  const { code, out } = await bed.run(["doctor", "--offline", "--json"]);
  const checks: Record<string, string>[] = JSON.parse(out).checks;
  const about = checks.filter(({ name }) => /^skill/.test(name!)).map(({ name, status }) => [name, status]);
  assert.deepEqual([code, about], [0, [["skills", "ok"], ["skill.read_failed", "warning"]]]);
});

Deno.test("commands, hooks, instructions and settings are told with their troubles", async () => {
  await using bed = await Bed.create({ config: "default_model = 7\n" });
  await put(bed, {
    "ws/.reasonix/commands/open.md": "---\nx",
    "ws/.reasonix/commands/status.md": "taken",
    "ws/.reasonix/commands/mine.md": "the folder's",
    "home/commands/mine.md": "the person's",
    "home/settings.json": '{"hooks":{"PreToolUse":[{"match":"(","command":"x"},{"match":"bash"}]}}',
    "ws/AGENTS.md": "hello\n@../../outside.md\n",
  });
  const found = await report(bed);
  assert.equal(found.exit, 1);
  assert.deepEqual(issuesOf(found), [
    ["error", "config.type", "", "~/home/config.toml"],
    ["error", "command.read_failed", "", "<workspace>/.reasonix/commands/open.md"],
    ["info", "command.shadowed", "", "~/home/commands/mine.md"],
    ["warning", "command.shadowed", "status", "<workspace>/.reasonix/commands/status.md"],
    ["error", "hook.invalid_matcher", "PreToolUse", "~/home/settings.json"],
    ["error", "hook.missing_command", "PreToolUse", "~/home/settings.json"],
    ["warning", "instructions.not_read", "", ""],
  ]);
  assert.deepEqual([found.summary.commands, found.summary.instructions], [2, 1]);
});

Deno.test("without --live nothing is started, and what cannot start as declared is found all the same", async () => {
  await using bed = await Bed.create({
    config: `[[plugins]]
name = "marks"
command = "/bin/sh"
args = ["-c", "touch started"]
[[plugins]]
name = "none"
[[plugins]]
name = "gone"
command = "no-such-program-anywhere"
[[plugins]]
name = "nowhere"
type = "http"
[[plugins]]
name = "strange"
type = "http"
url = "ftp://host/x"
[[plugins]]
name = "off"
enabled = false
`,
    project: '[[plugins]]\nname = "gone"\ncommand = "also-not-there"\n',
  });
  const found = await report(bed);
  assert.deepEqual(issuesOf(found), [
    ["error", "mcp.command_not_found", "gone", "<workspace>/reasonix.toml"],
    ["error", "mcp.missing_command", "none", "~/home/config.toml"],
    ["error", "mcp.missing_url", "nowhere", "~/home/config.toml"],
    ["error", "mcp.invalid_transport", "strange", "~/home/config.toml"],
  ]);
  assert.deepEqual(
    found.mcp.map(({ name, source, source_path, effective }) => [name, source, source_path, effective]),
    [
      ["gone", "project", "<workspace>/reasonix.toml", true],
      ["marks", "user", "~/home/config.toml", true],
      ["none", "user", "~/home/config.toml", true],
      ["nowhere", "user", "~/home/config.toml", true],
      ["strange", "user", "~/home/config.toml", true],
      ["off", "user", "~/home/config.toml", false],
      ["gone", "user", "~/home/config.toml", false],
    ],
  );
  await assert.rejects(Deno.stat(`${bed.workspace}/started`), Deno.errors.NotFound);
});

Deno.test("--live starts automatic servers once and tells how far each came; skills that need them are judged by it", async () => {
  await using bed = await Bed.create({
    config: `[[plugins]]
name = "good"
command = "${Deno.execPath()}"
args = ${odd("good")}
[[plugins]]
name = "dies"
command = "/bin/sh"
args = ["-c", "echo sk-local-0123456789abcdef >&2; exit 3"]
[[plugins]]
name = "late"
command = "/bin/sh"
args = ["-c", "touch started"]
auto_start = false
`,
    keys: "A_KEY=sk-local-0123456789abcdef\n",
  });
  await put(bed, {
    "home/skills/needs.md": skill(
      "description: d\nallowed-tools: mcp__good__no_such, mcp__dies__x\nrequires: [mcp:good]",
    ),
  });
  const found = await report(bed, "--live", "--timeout", "20s");
  assert.deepEqual([found.exit, found.live], [1, true]);
  assert.deepEqual(issuesOf(found), [
    ["warning", "skill.tool_reference_unknown", "needs", "~/home/skills/needs.md"],
    ["error", "skill.mcp_dependency_failed", "needs", "~/home/skills/needs.md"],
    ["error", "mcp.start_failed", "dies", "~/home/config.toml"],
  ]);
  const dies = found.mcp.find(({ name }) => name === "dies")!;
  assert.equal(typeof dies.startup_elapsed_ms, "number");
  assert.match(String(dies.startup_stage), /^(launch|initialize)$/);
  assert.match(String(dies.stderr), /\[redacted\]/);
  assert.ok(!JSON.stringify(found).includes("sk-local-0123456789abcdef"));
  await assert.rejects(Deno.stat(`${bed.workspace}/started`), Deno.errors.NotFound);
});

Deno.test("another folder is named by --root, and wrong words end with 2", async () => {
  await using bed = await Bed.create({ config: "" });
  await put(bed, { "other/.agents/skills/a.md": skill("description: d") });
  const found = await report(bed, "--root", `${bed.base}/other`);
  assert.deepEqual([found.root, found.skills.map(({ name }) => name)], ["~/other", ["a", "init", "test"]]);
  for (
    const args of [
      ["--timeout", "5s"],
      ["--live", "--timeout", "61s"],
      ["--live", "--timeout", "soon"],
      ["--root", ".", "--dir", "."],
      ["more"],
    ]
  ) {
    const { code, out } = await bed.run(["doctor", "capabilities", ...args]);
    assert.deepEqual([code, out], [2, ""], args.join(" "));
  }
  assert.equal((await bed.run(["doctor", "--root", "."])).code, 2);
});

Deno.test("it writes nothing, and names of a hostile folder do nothing to the terminal", async () => {
  await using bed = await Bed.create({ config: "" });
  await put(bed, {
    "ws/.agents/skills/a\u001b[2J.md": skill("description: d"),
    "ws/.agents/skills/b.md": "---\n\u001b]0;x",
  });
  const before = await tree(bed.base);
  const { out } = await bed.run(["doctor", "capabilities"]);
  assert.ok(!out.includes("\u001b") && out.includes("skill.read_failed"));
  assert.ok(!(await bed.run(["doctor", "capabilities", "--json"])).out.includes("\u001b"));
  assert.deepEqual(await tree(bed.base), before);
});

async function tree(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    found.push(`${folder}/${name}`, ...isDirectory ? await tree(`${folder}/${name}`) : []);
  }
  return found.sort();
}
