// The commands `trust` and `hook` as a process.
import assert from "node:assert/strict";
import { startEndpoint } from "../../scripts/endpoint.ts";
import { Bed, type Ended, localProvider } from "../support/program.ts";

const HOOKS = JSON.stringify({
  hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./check.sh" }] }], Stop: [{}] },
});

async function withPlace(test: (program: (...args: string[]) => Promise<Ended>, bed: Bed) => Promise<void>) {
  await using bed = await Bed.create();
  await Deno.mkdir(`${bed.workspace}/.reasonix`);
  await Deno.writeTextFile(`${bed.workspace}/.reasonix/settings.json`, HOOKS);
  await test((...args) => bed.run(args), bed);
}

Deno.test("without a terminal trust shows what the folder would run and changes nothing until told --yes", () =>
  withPlace(async (program, { workspace }) => {
    const shown = await program("trust");
    assert.equal(shown.code, 2);
    assert.match(
      shown.out,
      new RegExp(`^folder: ${workspace}\nWith trust it:\n  runs hook PreToolUse 1: .*check\\.sh`),
    );
    assert.match(shown.err, /--yes/);
    const hooks = async () => JSON.parse((await program("hook", "list", "--json")).out).hooks;
    assert.deepEqual((await hooks()).map(({ status, code }: Record<string, string>) => [status, code]), [
      ["invalid", "permission.untrusted_folder"],
      ["invalid", "hook.missing_command"],
    ]);
    assert.equal((await program("trust", "--yes")).code, 0);
    assert.deepEqual((await hooks())[0], {
      event: "PreToolUse",
      scope: "project",
      source: `${workspace}/.reasonix/settings.json`,
      position: 1,
      match: "Bash",
      command: "./check.sh",
      form: "imported",
      status: "active",
      timeout_ms: 5000,
    });
    assert.match((await program("trust")).out, /Nothing has changed since you trusted it\./);
    assert.match((await program("trust", "--revoke")).out, /is no longer trusted/);
    assert.equal((await hooks())[0].status, "invalid");
  }));

Deno.test("a server that a folder brings is shown as the line that would run, with what else it sets", async () => {
  await using bed = await Bed.create();
  const servers = {
    files: { command: "npx", args: ["-y", "pkg", "a b", "$(x)"], env: { HOME: "/else" } },
    far: { type: "http", url: "https://mcp.example" },
  };
  await Deno.writeTextFile(`${bed.workspace}/.mcp.json`, JSON.stringify({ mcpServers: servers }));
  const { out } = await bed.run(["trust"]);
  assert.match(out, /^ {2}starts server files: npx -y pkg 'a b' '\$\(x\)' · env \{"HOME":"\/else"\}$/m);
  assert.match(out, /^ {2}starts server far: .*https:\/\/mcp\.example/m);
});

Deno.test("a folder that asks for nothing is trusted with --yes and no list is spoken of", async () => {
  await using bed = await Bed.create();
  const { code, out, err } = await bed.run(["trust"]);
  assert.deepEqual([code, err], [2, "nobody is there to ask: add --yes to trust it as it is\n"]);
  assert.match(out, /asks for nothing that needs trust/);
});

Deno.test("a home folder and what lies above it are never trusted", () =>
  withPlace(async (program, { home, base }) => {
    for (const dir of ["/", home, base]) {
      const { code, err } = await program("trust", "--yes", "--dir", dir);
      assert.equal(code, 2);
      assert.match(err, /cannot be trusted/);
    }
    await assert.rejects(Deno.stat(`${home}/trusted-folders.json`), Deno.errors.NotFound);
  }));

Deno.test("in a home folder nobody is sent to trust it", () =>
  withPlace(async (program, bed) => {
    await Deno.writeTextFile(`${bed.base}/reasonix.toml`, '[permissions]\nallow = ["Bash"]\n');
    const endpoint = startEndpoint([{ tool: "write_file", args: { path: "a", content: "a" } }, { text: "No." }]);
    try {
      await Deno.writeTextFile(`${bed.home}/config.toml`, localProvider(endpoint.url));
      await Deno.writeTextFile(`${bed.home}/.env`, "LOCAL_KEY=local\n");
      const { code, out, err } = await program("run", "--dir", bed.base, "--output-format", "json", "write");
      assert.deepEqual([code, JSON.parse(out).permission_denials[0].code], [4, "permission.unattended"]);
      assert.match(
        err,
        /not trusted and cannot be, because it is a home folder or lies above one; ignored: permissions/,
      );
    } finally {
      await endpoint.stop();
    }
  }));

Deno.test("what a folder asks for cannot be agreed to unseen", () =>
  withPlace(async (program, { workspace, home }) => {
    for (const [file, text] of [["reasonix.toml", "[sandbox"], [".reasonix/settings.json", "{"]] as const) {
      await Deno.writeTextFile(`${workspace}/${file}`, text);
      assert.equal((await program("trust", "--yes")).code, 1);
    }
    await assert.rejects(Deno.stat(`${home}/trusted-folders.json`), Deno.errors.NotFound);
  }));

Deno.test("a key may be confirmed for an address and taken back", () =>
  withPlace(async (program, { home }) => {
    const confirmed = async () => JSON.parse(await Deno.readTextFile(`${home}/confirmed-keys.json`)).confirmed;
    const words = ["--key", "MY_KEY", "--origin", "https://api.example.com/v1"];
    assert.equal((await program("trust", ...words)).code, 0);
    assert.deepEqual(await confirmed(), [{ key: "MY_KEY", origin: "https://api.example.com" }]);
    assert.equal((await program("trust", ...words, "--revoke")).code, 0);
    assert.deepEqual(await confirmed(), []);
    assert.equal((await program("trust", "--key", "MY_KEY")).code, 2);
    assert.equal((await program("trust", "--key", "MY_KEY", "--origin", "example.com")).code, 2);
  }));

Deno.test("hook answers in one envelope, errors too", () =>
  withPlace(async (program, { workspace, home }) => {
    const status = JSON.parse((await program("hooks", "status", "--json", "--project-root", workspace)).out);
    assert.deepEqual(status, {
      schema_version: 1,
      command: "hook.status",
      project_root: workspace,
      trusted: false,
      active: 0,
      invalid: 2,
      files: [
        { scope: "project", path: `${workspace}/.reasonix/settings.json`, hooks: 2 },
        { scope: "user", path: `${home}/settings.json`, hooks: 0 },
      ],
    });
    const wrong = await program("hook", "frob", "--json");
    assert.deepEqual([wrong.code, JSON.parse(wrong.out).error.code], [2, "unknown_command"]);
    const missing = await program("hook", "list", "--json", "--dir", `${workspace}/missing`);
    assert.deepEqual([missing.code, JSON.parse(missing.out).error.code], [2, "workspace.unusable"]);
    assert.equal((await program("hook", "list")).code, 2);
  }));
