// What the program says and how it ends when the work it needed was refused.
import assert from "node:assert/strict";
import { type Answer, startEndpoint } from "../../scripts/endpoint.ts";
import { Bed, type Ended, localProvider } from "../support/program.ts";
import { hasBwrap } from "../support/programs.ts";

const WRITE: Answer = { tool: "write_file", args: { path: "note.txt", content: "written\n" } };
const bash = (command: string): Answer => ({ tool: "bash", args: { command } });
const SORRY: Answer = { text: "I could not do it." };

interface RunSetup {
  readonly before?: (bed: Bed) => Promise<void>;
  readonly env?: Readonly<Record<string, string>>;
}

async function run(
  script: readonly Answer[],
  args: readonly string[],
  { before, env }: RunSetup = {},
): Promise<Ended & { readonly written: boolean; readonly workspace: string }> {
  const endpoint = startEndpoint(script);
  await using bed = await Bed.create({ config: localProvider(endpoint.url), keys: "LOCAL_KEY=local\n" });
  try {
    await before?.(bed);
    const ended = await bed.run(["run", ...args, "write the note"], env ? { env } : {});
    const written = await Deno.stat(`${bed.workspace}/note.txt`).then(() => true, () => false);
    return { ...ended, written, workspace: bed.workspace };
  } finally {
    await endpoint.stop();
  }
}

Deno.test("a run whose needed write was refused exits 4 and says on stderr what to do", async () => {
  const { code, out, err, written, workspace } = await run([WRITE, SORRY], ["-p"]);
  assert.deepEqual({ code, out, written }, { code: 4, out: "I could not do it.\n", written: false });
  assert.match(err, /the work was not done/);
  assert.ok(err.includes(`permission.untrusted_folder`) && err.includes(`reasonix trust --dir ${workspace}`));
});

Deno.test("its JSON result names each refused call, the cause and the remedy, and is the only thing on stdout", async () => {
  const { code, out, workspace } = await run([WRITE, bash("make"), SORRY], ["--output-format", "json"]);
  const result = JSON.parse(out);
  assert.equal(code, 4);
  assert.deepEqual(
    { is_error: result.is_error, code: result.code, mode: result.permission_mode },
    { is_error: true, code: "turn.needs_approval", mode: "ask" },
  );
  const remedy = (rule: string) =>
    `Allow exactly this with \`${rule}\` in permissions.allow, or run with --auto to allow ordinary changes. ` +
    `Rules of the folder count after \`reasonix trust --dir ${workspace}\`.`;
  assert.deepEqual(
    result.permission_denials.map(({ tool_use_id: _, ...denial }: Record<string, unknown>) => denial),
    [
      { tool_name: "write_file", code: "permission.untrusted_folder", remedy: remedy("Edit(note.txt)") },
      { tool_name: "bash", code: "permission.untrusted_folder", remedy: remedy("Bash(make)") },
    ],
  );
});

Deno.test("every line of the streaming form is JSON, with one result at its end", async () => {
  const { code, out } = await run([WRITE, SORRY], ["--output-format", "stream-json"], {
    before: ({ workspace }) => Deno.writeTextFile(`${workspace}/reasonix.toml`, "no_such_key = 1\n"),
  });
  const lines = out.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.equal(code, 4);
  assert.equal(lines.filter(({ type }) => type === "result").length, 1);
  assert.equal(lines.at(-1).type, "result");
});

Deno.test("with --fail-on-unverified a lack of trust exits 3", async () => {
  assert.equal((await run([WRITE, SORRY], ["-p", "--fail-on-unverified"])).code, 3);
});

Deno.test("with --preset delivery changes that nobody checked are told, and exit 3 with --fail-on-unverified", async () => {
  const script = [WRITE, { text: "Done." }, { text: "Nothing here can check it." }];
  const plain = await run(script, ["--auto", "--preset", "delivery"]);
  assert.deepEqual([plain.code, plain.written], [0, true]);
  assert.match(plain.out + plain.err, /Nothing was run after the last change of .*note\.txt/);
  const strict = await run(script, ["-p", "--auto", "--preset", "delivery", "--fail-on-unverified"]);
  assert.deepEqual([strict.code, strict.out], [3, "Nothing here can check it.\n"]);
});

Deno.test("a refused call that was worked around is reported and does not fail the run; looking is no way around", async () => {
  const around = await run(
    [{ tool: "bash", args: { command: "echo $(date)" } }, WRITE, { text: "Done." }],
    ["--auto", "--output-format", "json"],
  );
  assert.deepEqual([around.code, JSON.parse(around.out).permission_denials.length, around.written], [0, 1, true]);
  assert.equal((await run([WRITE, bash("ls"), SORRY], ["-p"])).code, 4);
});

Deno.test("a refused read alone does not fail the run", async () => {
  const { code, out } = await run([{ tool: "read_file", args: { path: "a" } }, { text: "Done." }], [
    "--output-format",
    "json",
  ], {
    before: async ({ workspace }) => {
      await Deno.writeTextFile(`${workspace}/a`, "a");
      await Deno.writeTextFile(`${workspace}/reasonix.toml`, '[permissions]\ndeny = ["read_file"]\n');
    },
  });
  assert.deepEqual([code, JSON.parse(out).permission_denials[0].code], [0, "permission.deny_rule"]);
});

Deno.test("trusting the folder changes what it may do, and takes its remedy away", async () => {
  const before = async (bed: Bed) => {
    await Deno.writeTextFile(`${bed.workspace}/reasonix.toml`, '[permissions]\nallow = ["Edit(note.txt)"]\n');
    const { code, out } = await bed.run(["trust", "--yes"]);
    assert.equal(code, 0);
    assert.match(out, /sets permissions\.allow: \["Edit\(note\.txt\)"\]\nIt is trusted\.\n$/);
  };
  const { code, written, err } = await run([WRITE, { text: "Done." }], ["-p"], { before });
  assert.deepEqual({ code, written, err }, { code: 0, written: true, err: "" });
  const other = await run([bash("make"), SORRY], ["--output-format", "json"], { before });
  assert.equal(JSON.parse(other.out).permission_denials[0].code, "permission.unattended");
});

Deno.test("without a sandbox commands are refused, files are still written, and both ways out are named", {
  ignore: !hasBwrap,
}, async () => {
  const { code, out, written } = await run([bash("touch x"), SORRY], ["--auto", "--output-format", "json"], {
    env: { PATH: "/nowhere" },
  });
  const [denial] = JSON.parse(out).permission_denials;
  assert.deepEqual([code, denial.code, written], [4, "sandbox.unavailable", false]);
  assert.match(denial.remedy, /bubblewrap.*bash = "off"/s);
  const files = await run([WRITE, { text: "Done." }], ["--auto", "-p"], { env: { PATH: "/nowhere" } });
  assert.deepEqual([files.code, files.written], [0, true]);
});

Deno.test("a hook that refuses the prompt fails the run with a code of its own", async () => {
  const { code, out } = await run([SORRY], ["--output-format", "json"], {
    before: ({ home }) =>
      Deno.writeTextFile(
        `${home}/settings.json`,
        JSON.stringify({ hooks: { UserPromptSubmit: [{ command: "echo not now >&2; exit 2" }] } }),
      ),
  });
  assert.deepEqual([code, JSON.parse(out).code], [1, "turn.refused"]);
});
