/** `setup` driven by keys in a terminal, and without one. */
import assert from "node:assert/strict";
import { KeyedProgram } from "../support/keyed_program.ts";
import { Bed, localProvider, program } from "../support/program.ts";
import { TMUX } from "../support/tmux.ts";

function modelList(
  models: readonly (string | { readonly id: string; readonly max_model_len: number })[],
  key?: string,
) {
  const onListen = () => {};
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, (request) => {
    if (key !== undefined && request.headers.get("authorization") !== `Bearer ${key}`) {
      return Response.json({ error: { message: "no such key" } }, { status: 401 });
    }
    return Response.json({ data: models.map((model) => typeof model === "string" ? { id: model } : model) });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/v1`, [Symbol.asyncDispose]: () => server.shutdown() };
}

const start = (bed: Bed) => KeyedProgram.start([...program, "setup"], { cwd: bed.workspace, env: bed.env() });

const KEY = "sk-setup-0123456789";

Deno.test({
  name: "a custom endpoint is added, tried out, and saved with its key in the home's .env",
  ignore: !TMUX,
  fn: async () => {
    await using bed = await Bed.create();
    await using server = modelList(["alpha", "beta"], KEY);
    await using terminal = await start(bed);
    await terminal.shows("Which provider?");
    // The two last choices are the custom ones; the list goes round.
    await terminal.key("Up", "Up", "Enter");
    await terminal.shows("Address of the API");
    await terminal.type(server.url);
    await terminal.key("Enter");
    await terminal.shows("Name");
    await terminal.key("Enter");
    await terminal.shows("CUSTOM_127_0_0_1_API_KEY");
    await terminal.type(KEY);
    await terminal.key("Enter");
    await terminal.shows("Models to use");
    await terminal.key("Down", "Space", "Enter");
    await terminal.shows("Model used by default");
    await terminal.key("Down", "Enter");
    await terminal.shows("Tokens that fit into one request");
    await terminal.type("128k");
    await terminal.key("Enter");
    await terminal.shows("What next?");
    await terminal.key("Enter");
    await terminal.shows("Write these changes?");
    await terminal.key("Enter");
    const screen = await terminal.shows("[exit 0]");
    assert.ok(!screen.includes(KEY));
    assert.equal(
      await Deno.readTextFile(`${bed.home}/config.toml`),
      `default_model = "custom-127-0-0-1"

[[providers]]
name = "custom-127-0-0-1"
kind = "openai"
base_url = "${server.url}"
api_key_env = "CUSTOM_127_0_0_1_API_KEY"
models = ["alpha", "beta"]
default = "beta"
context_window = 128000
`,
    );
    assert.equal(await Deno.readTextFile(`${bed.home}/.env`), `CUSTOM_127_0_0_1_API_KEY=${KEY}\n`);
    assert.equal((await Deno.stat(`${bed.home}/.env`)).mode! & 0o777, 0o600);
  },
});

Deno.test({
  name: "how much each model takes is asked of the endpoint, not of the person, where it tells",
  ignore: !TMUX,
  fn: async () => {
    await using bed = await Bed.create();
    await using server = modelList([{ id: "alpha", max_model_len: 8192 }, { id: "beta", max_model_len: 131072 }]);
    await using terminal = await start(bed);
    await terminal.shows("Which provider?");
    await terminal.key("Up", "Up", "Enter");
    await terminal.shows("Address of the API");
    await terminal.type(server.url.replace("http://", ""));
    await terminal.key("Enter");
    await terminal.shows("Name");
    await terminal.key("Enter");
    await terminal.shows("CUSTOM_127_0_0_1_API_KEY");
    await terminal.type(KEY);
    await terminal.key("Enter");
    await terminal.shows("Models to use");
    await terminal.key("Down", "Space", "Enter");
    await terminal.shows("Model used by default");
    await terminal.key("Down", "Enter");
    await terminal.shows("What next?");
    await terminal.key("Enter");
    await terminal.shows("Write these changes?");
    await terminal.key("Enter");
    await terminal.shows("[exit 0]");
    const written = await Deno.readTextFile(`${bed.home}/config.toml`);
    assert.match(written, /^context_window = 131072$/m);
    assert.match(written, /^model_overrides = \{ alpha = \{ context_window = 8192 \} \}$/m);
    assert.match(written, new RegExp(`base_url = "${server.url}"`));
  },
});

Deno.test({
  name: "leaving drops everything, also a key that was typed",
  ignore: !TMUX,
  fn: async () => {
    await using bed = await Bed.create();
    await using terminal = await start(bed);
    await terminal.shows("Which provider?");
    await terminal.key("Enter");
    await terminal.shows("DEEPSEEK_API_KEY");
    await terminal.key("C-c");
    await terminal.shows("Nothing was written");
    await terminal.shows("[exit 0]");
    assert.deepEqual([...Deno.readDirSync(bed.home)].map((entry) => entry.name), []);
  },
});

Deno.test({
  name: "what somebody else wrote meanwhile is kept, and the same place changed twice is a conflict",
  ignore: !TMUX,
  fn: async () => {
    const config = localProvider("http://127.0.0.1:9/v1");
    await using bed = await Bed.create({ config, keys: "LOCAL_KEY=abc\n" });
    await using terminal = await start(bed);
    await terminal.shows("What next?");
    await terminal.key("Down", "Down", "Enter");
    await terminal.shows("Default model");
    await terminal.key("Down", "Enter");
    await terminal.shows("Save and leave");
    const meanwhile = `# theirs\n${config.replace('"local/m1"', '"local"')}\n[ui]\ntheme = "dark"\n`;
    await Deno.writeTextFile(`${bed.home}/config.toml`, meanwhile);
    await terminal.key("Enter");
    await terminal.shows("Write these changes?");
    await terminal.key("Enter");
    await terminal.shows("changed in the file meanwhile: default_model");
    assert.equal(await Deno.readTextFile(`${bed.home}/config.toml`), meanwhile);
  },
});

Deno.test("without a terminal the scaffold is written and the next steps are told", async () => {
  await using bed = await Bed.create();
  const first = await bed.run(["setup"]);
  assert.deepEqual([first.code, first.err], [0, ""]);
  assert.match(first.out, /^wrote .*config\.toml\nnext:\n.*DEEPSEEK_API_KEY/s);
  const text = await Deno.readTextFile(`${bed.home}/config.toml`);
  assert.match((await bed.run(["setup"])).out, /^left as it was/);
  assert.equal(await Deno.readTextFile(`${bed.home}/config.toml`), text);
});

Deno.test("--local and a path name other files, and not both at once", async () => {
  await using bed = await Bed.create();
  assert.equal((await bed.run(["setup", "--local"])).code, 0);
  assert.equal((await bed.run(["setup", "elsewhere/mine.toml"])).code, 0);
  const [local, mine] = await Promise.all(
    ["reasonix.toml", "elsewhere/mine.toml"].map((name) => Deno.readTextFile(`${bed.workspace}/${name}`)),
  );
  assert.equal(local, mine);
  assert.deepEqual([...Deno.readDirSync(bed.home)], []);
  assert.equal((await bed.run(["setup", "--local", "x.toml"])).code, 2);
});

Deno.test("a malformed file is left as it is", async () => {
  await using bed = await Bed.create({ config: "a = = 1\n" });
  const { code, err } = await bed.run(["setup"]);
  assert.equal(code, 1);
  assert.match(err, /config\.toml:1:5/);
  assert.equal(await Deno.readTextFile(`${bed.home}/config.toml`), "a = = 1\n");
});
