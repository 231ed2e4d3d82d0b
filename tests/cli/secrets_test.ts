/** A saved key shows up in nothing the program writes for people or programs, wherever a model, a tool or a server puts it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ModelServer, type WireStep } from "../support/model_server.ts";
import { Bed, localProvider } from "../support/program.ts";
import { RawServer } from "../support/raw_server.ts";

/** Everything a run says, and every file it was asked to write. */
async function everything(bed: Bed, args: readonly string[]): Promise<string> {
  const files = ["m.json", "t.jsonl"];
  const { out, err } = await bed.run([
    "run",
    "--auto",
    "--metrics",
    files[0]!,
    "--trajectory",
    files[1]!,
    ...args,
    "go",
  ]);
  const written = await Promise.all(files.map((name) => Deno.readTextFile(`${bed.workspace}/${name}`).catch(() => "")));
  await Promise.all(files.map((name) => Deno.remove(`${bed.workspace}/${name}`).catch(() => {})));
  return [out, err, ...written].join("\n");
}

/** A model that repeats the key in its thoughts, its words and its calls, and a tool that prints it. */
function leaky(key: string): readonly WireStep[] {
  return [
    {
      reasoning: `the key is ${key}`,
      text: `I saw ${key}.`,
      calls: [{ name: "bash", args: { command: `echo '${key}'` } }],
    },
    { calls: [{ name: "read_file", args: { path: "note.txt" } }] },
    { calls: [{ name: "no_such_tool", args: { token: key } }] },
    { text: `It is ${key}${key}, really.` },
  ];
}

const FORMS = [[], ["-p"], ["--show-thinking"], ["--output-format", "json"], ["--output-format", "stream-json"], [
  "--events-jsonl",
], ["--json"]];

async function leaks(key: string, args: readonly string[]): Promise<string> {
  await using server = new ModelServer(leaky(key));
  await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: `LOCAL_KEY=${key}\n` });
  await Deno.writeTextFile(`${bed.workspace}/note.txt`, `password: ${key}\n`);
  const said = await everything(bed, args);
  assert.equal(server.requests.length, 4);
  return said.includes(key) ? said : "";
}

for (const form of FORMS) {
  Deno.test(`run ${form.join(" ")} never shows the key`, async () => {
    assert.equal(await leaks("sk-live-4f9a0c21d7e84b55", form), "");
  });
}

Deno.test("whatever a key is made of, no form of output shows it", async () => {
  const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ0123456789-_.:/+=".split("");
  const key = fc.array(fc.constantFrom(...letters), { minLength: 16, maxLength: 60 }).map((parts) => parts.join(""));
  const form = fc.constantFrom(...FORMS);
  await fc.assert(
    fc.asyncProperty(key, form, async (key, form) => {
      assert.equal(await leaks(key, form), "");
    }),
    { numRuns: 12 },
  );
});

Deno.test("a server that sends the key back in an error shows it to nobody", async () => {
  const key = "sk-live-4f9a0c21d7e84b55";
  for (const status of ["401 Unauthorized", "400 Bad Request", "403 Forbidden"]) {
    const body = JSON.stringify({ error: { message: `bad key ${key} at https://x/?key=${key}` } });
    await using server = new RawServer(({ send }) =>
      send(
        `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\nx-request-id: ${key}\r\nconnection: close\r\n\r\n${body}`,
      )
    );
    await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: `LOCAL_KEY=${key}\n` });
    for (const form of [[], ["--output-format", "json"], ["--output-format", "stream-json"]]) {
      assert.ok(!(await everything(bed, form)).includes(key), status);
    }
    assert.ok(!(await bed.run(["doctor"])).out.includes(key));
    assert.ok(!(await bed.run(["doctor", "--json"])).out.includes(key));
  }
});

Deno.test("keys in headers, proxies, servers and broken lines are shown by neither config nor doctor", async () => {
  const key = "sk-live-4f9a0c21d7e84b55";
  const config = localProvider("http://127.0.0.1:9/v1", `headers = { X-Key = "${key}" }\n`) + `
[network]
proxy_mode = "custom"
proxy_url = "http://me:${key}@127.0.0.1:9"

[[plugins]]
name = "tracker"
command = "tracker"
env = { TRACKER_TOKEN = "${key}" }

[tools.shell.env]
SOME_TOKEN = "${key}"

[serve]
token = "${key}"
`;
  await using bed = await Bed.create({ config, keys: `LOCAL_KEY=${key}\n` });
  const commands = [["config", "show"], ["config", "show", "--json"], ["doctor"], ["doctor", "--json"], ["run", "hi"]];
  const said = async () => {
    const ended = await Promise.all(commands.map((args) => bed.run(args)));
    return ended.map(({ out, err }) => out + err).join("\n");
  };
  assert.ok(!(await said()).includes(key));
  await Deno.writeTextFile(`${bed.home}/config.toml`, `${config}\nodd = = "${key}"\n`);
  assert.ok(!(await said()).includes(key));
});

Deno.test("with filter_subprocess_env a command sees no variable of the environment that looks like a secret", async () => {
  for (const [setting, seen] of [["true", "[][x]"], ["false", "[t-1][x]"]] as const) {
    await using server = new ModelServer([
      { calls: [{ name: "bash", args: { command: 'echo "[$DEPLOY_TOKEN][$PLAIN]"' } }] },
      { text: "done" },
    ]);
    const config = localProvider(`${server.url}/v1`, `\n[secrets]\nfilter_subprocess_env = ${setting}\n`);
    await using bed = await Bed.create({ config, keys: "LOCAL_KEY=sk-local\n" });
    const { code, err } = await bed.run(["run", "--auto", "go"], { env: { DEPLOY_TOKEN: "t-1", PLAIN: "x" } });
    assert.equal(code, 0, err);
    assert.match(server.requests[1]!.body.messages.at(-1).content, new RegExp(RegExp.escape(seen)));
  }
});
