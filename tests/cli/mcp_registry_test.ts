// `mcp browse`, `install` and `import`: where servers come from besides the command line.
import assert from "node:assert/strict";
import { Bed } from "../support/program.ts";

const SERVERS = [
  {
    name: "io.example/files",
    description: "Files\u001b[2J and more",
    packages: [{ registryType: "npm", identifier: "@example/files", version: "1.2.3" }],
  },
  {
    name: "io.example/mail",
    description: "Mail",
    packages: [{
      registryType: "pypi",
      identifier: "mail-mcp",
      environmentVariables: [{ name: "MAIL_KEY", isSecret: true }],
    }],
  },
  {
    name: "io.example/web",
    description: "Web",
    remotes: [{ type: "streamable-http", url: "https://mcp.example.com/v1" }],
  },
  { name: "io.example/evil", description: "x", packages: [{ registryType: "npm", identifier: "--eval=danger" }] },
];

function registry(servers = SERVERS) {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(pathname + search);
    return Response.json({ servers: servers.map((one) => ({ server: one, _meta: {} })) });
  });
  const env = { REASONIX_MCP_REGISTRY: `http://127.0.0.1:${server.addr.port}` };
  return { asked, env, close: () => server.shutdown() };
}

Deno.test("browse asks the registry, and tells its last answer when it is away", async () => {
  await using bed = await Bed.create({ config: "" });
  const { asked, env, close } = registry();
  const found = await bed.run(["mcp", "browse", "files", "--limit", "5"], { env });
  assert.deepEqual(asked, ["/v0/servers?limit=5&search=files"]);
  assert.match(found.out, /^io\.example\/files: Files.* and more$/m);
  assert.ok(!found.out.includes("\u001b"));
  await close();
  const kept = await bed.run(["mcp", "browse", "files", "--limit", "5"], { env });
  assert.deepEqual([kept.code, kept.out], [0, found.out]);
  assert.match(kept.err, /cannot be reached; this is its answer of \d{4}-/);
  assert.equal((await bed.run(["mcp", "browse", "other"], { env })).code, 1);
  assert.equal((await bed.run(["mcp", "browse", "--limit", "0"], { env })).code, 2);
});

Deno.test("install writes what can be started, and leaves to the person what needs a secret", async () => {
  await using bed = await Bed.create({ config: "" });
  const { env, close } = registry();
  const config = () => Deno.readTextFile(`${bed.home}/config.toml`);
  try {
    assert.equal((await bed.run(["mcp", "install", "io.example/files"], { env })).code, 0);
    assert.match(await config(), /name = "files"\ncommand = "npx"\nargs = \["-y", "@example\/files@1\.2\.3"\]/);
    assert.equal((await bed.run(["mcp", "install", "io.example/files"], { env })).code, 2);
    assert.equal((await bed.run(["mcp", "install", "io.example/web", "--as", "site"], { env })).code, 0);
    assert.match(await config(), /name = "site"\ntype = "http"\nurl = "https:\/\/mcp\.example\.com\/v1"/);
    const before = await config();
    const mail = await bed.run(["mcp", "install", "io.example/mail"], { env });
    assert.deepEqual(
      [mail.code, /reasonix mcp add mail --env MAIL_KEY=… -- uvx mail-mcp/.test(mail.err)],
      [1, true],
      mail.err,
    );
    for (const name of ["io.example/evil", "io.example/nobody"]) {
      assert.equal((await bed.run(["mcp", "install", name], { env })).code, 1, name);
    }
    assert.equal(await config(), before);
  } finally {
    await close();
  }
});

Deno.test("import copies servers of other programs, on a yes alone, and leaves taken names as they are", async () => {
  await using bed = await Bed.create({ config: '[[plugins]]\nname = "taken"\ncommand = "mine"\n' });
  const servers = {
    taken: { command: "theirs" },
    files: { command: "npx", args: ["-y", "files"], env: { A: "1" } },
    site: { url: "https://a.example/sse", type: "sse" },
    broken: { nothing: true },
  };
  await Deno.writeTextFile(`${bed.base}/.claude.json`, JSON.stringify({ mcpServers: servers }));
  // What a repository puts there in place of a file holds nothing up.
  for (const folder of [".cursor", ".vscode"]) await Deno.mkdir(`${bed.workspace}/${folder}`);
  await Deno.symlink("/dev/zero", `${bed.workspace}/.cursor/mcp.json`);
  await new Deno.Command("mkfifo", { args: [`${bed.workspace}/.vscode/mcp.json`] }).output();
  const asked = await bed.run(["mcp", "import"]);
  assert.match(asked.out, /^files: npx -y files .*\nsite: https:\/\/a\.example\/sse/m);
  assert.match(asked.err, /"taken" of .* is known already[\s\S]*Nothing was copied; --yes copies them/);
  assert.ok(!(await Deno.readTextFile(`${bed.home}/config.toml`)).includes("files"));
  assert.equal((await bed.run(["mcp", "import", "files", "--yes"])).code, 0);
  const config = await Deno.readTextFile(`${bed.home}/config.toml`);
  assert.match(config, /name = "files"\ncommand = "npx"\nargs = \["-y", "files"\]/);
  assert.ok(config.includes('command = "mine"') && !config.includes("theirs") && !config.includes("site"));
});
