/** Whatever is wrong, a run ends with one clear line and the right code; in JSON with a stable code that tells why. */
import assert from "node:assert/strict";
import { createCertificates, hasOpenssl } from "../support/certificates.ts";
import { COMMANDS } from "../../src/frontends/cli/commands.ts";
import { Bed, type Ended, localProvider } from "../support/program.ts";
import { RawServer } from "../support/raw_server.ts";

const KEYS = "LOCAL_KEY=sk-local-0123456789abcdef\n";

interface Expected {
  readonly exit: number;
  /** Code in the JSON result; absent where the command line itself is wrong. */
  readonly code?: string;
  /** Fits the one line of text on stderr. */
  readonly line: RegExp;
}

/** The same run as text and as JSON. */
async function expectFailure(bed: Bed, args: readonly string[], { exit, code, line }: Expected): Promise<void> {
  const text = await bed.run(["run", ...args, "hi"]);
  assert.equal(text.code, exit, text.err);
  assertOneLine(text, line);
  const json = await bed.run(["run", "--output-format", "json", ...args, "hi"]);
  assert.equal(json.code, exit);
  if (code === undefined) return assert.equal(json.out, "");
  const result = JSON.parse(json.out);
  assert.deepEqual([result.type, result.is_error, result.code], ["result", true, code]);
  assert.match(result.error, line);
  assert.equal(json.err, "");
}

/** An error, and at most one indented line that says what to do. */
function assertOneLine({ err, out }: Ended, line: RegExp): void {
  const [first, remedy, ...more] = err.trimEnd().split("\n");
  assert.match(first!, line);
  assert.ok(remedy === undefined || remedy.startsWith("  "), err);
  assert.deepEqual(more, []);
  assert.doesNotMatch(err + out, /\n\s+at |file:\/\/|sk-local/);
}

const flags: [string, string[], RegExp][] = [
  ["an unknown flag", ["--modle", "x"], /unknown flag --modle; did you mean --model\?/],
  ["a flag without its value", ["--max-steps", "--yolo"], /--max-steps needs a value/],
  ["a number that is none", ["--max-steps", "many"], /--max-steps takes a whole number/],
  ["an unknown output format", ["--output-format", "xml"], /--output-format takes one of text, json, stream-json/],
  ["two permission modes", ["--auto", "--yolo"], /both name a permission mode/],
  ["an unknown permission mode", ["--permission-mode", "wild"], /knows ask, auto/],
  ["plan mode", ["--permission-mode", "plan"], /--permission-mode plan requires an interactive session/],
  ["a copy of nothing", ["--copy"], /--copy requires --resume or --continue/],
  ["two forms of events", ["--events-jsonl", "--json"], /--events-jsonl cannot be combined/],
  ["an unknown ablation", ["--ablate", "all-of-it"], /--ablate knows/],
  ["one file for two records", ["--metrics", "m", "--trajectory", "m"], /name the same file/],
  [
    "metrics into a folder that is not there",
    ["--metrics", "/nowhere/m.json"],
    /--metrics cannot write \/nowhere\/m\.json: /,
  ],
  ["metrics into a folder", ["--metrics", "."], /--metrics cannot write \.: /],
  [
    "a trajectory into a folder that is not there",
    ["--trajectory", "/nowhere/t"],
    /--trajectory cannot write \/nowhere\/t: /,
  ],
  ["a folder that is none", ["--dir", "/nowhere"], /--dir \/nowhere is not a folder/],
];

for (const [what, args, line] of flags) {
  Deno.test(`${what} on the command line ends with 2`, async () => {
    await using bed = await Bed.create({ config: localProvider("http://127.0.0.1:9/v1"), keys: KEYS });
    const { code, err, out } = await bed.run(["run", ...args, "hi"]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err.trimEnd(), line);
    assert.equal(err.trimEnd().split("\n").filter((each) => !each.startsWith("  ")).length, 1);
  });
}

Deno.test("a run without a prompt shows how it is used and ends with 2", async () => {
  await using bed = await Bed.create();
  for (const stdin of [undefined, "", " \n"]) {
    assert.deepEqual(await bed.run(["run"], { stdin }), {
      code: 2,
      out: "",
      err: "usage: reasonix -p [--model NAME] <task>\n",
    });
  }
});

const surplus: [string[], string][] = [
  [["demo", "foo"], 'unexpected "foo"; usage: reasonix demo [--keep]'],
  [["version", "foo"], 'unexpected "foo"; usage: reasonix version [--verbose | --json]'],
  [["--version", "foo"], 'unexpected "foo"; usage: reasonix version [--verbose | --json]'],
  [["help", "run", "foo"], 'unexpected "foo"; usage: reasonix help [COMMAND]'],
];

for (const [argv, line] of surplus) {
  Deno.test(`"reasonix ${argv.join(" ")}" names the word too many and ends with 2`, async () => {
    await using bed = await Bed.create();
    assert.deepEqual(await bed.run(argv), { code: 2, out: "", err: `${line}\n` });
  });
}

Deno.test("no command takes a word that it does not know without saying so", async () => {
  await using bed = await Bed.create();
  const silent: string[] = [];
  for (const { name, words, hidden } of COMMANDS) {
    // Their words are a task.
    if (hidden || name === "run") continue;
    const { code } = await bed.run([name, ...words?.slice(0, 1) ?? [], "zz", "zz", "zz"]);
    if (code !== 2) silent.push(`${name}: ${code}`);
  }
  assert.deepEqual(silent, []);
});

Deno.test("an unknown word is named, the usage follows, and the end is 2", async () => {
  await using bed = await Bed.create();
  const { code, out, err } = await bed.run(["frobnicate"]);
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /^unknown command "frobnicate"\n\nreasonix: a coding agent/);
});

Deno.test("flags of a session without a terminal end with 2 and say so; no words at all show the usage", async () => {
  await using bed = await Bed.create();
  for (const args of [["-c"], ["--resume", "x"], ["--yolo"]]) {
    const { code, out, err } = await bed.run(args);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /needs a terminal/);
  }
  assert.match((await bed.run(["--modle", "x"])).err, /^unknown flag --modle; did you mean --model\?/);
  assert.equal((await bed.run([])).code, 0);
});

Deno.test("without any settings the missing key is named with the file it belongs into", async () => {
  await using bed = await Bed.create();
  await expectFailure(bed, [], { exit: 1, code: "config.missing_key", line: /missing env DEEPSEEK_API_KEY/ });
});

Deno.test("a malformed file is told with file, line, column and the line itself", async () => {
  await using bed = await Bed.create({ config: `default_model = "x"\n[[providers]\n` });
  const line = /config\.toml:2:\d+: found .*expected .* in: \[\[providers\]/;
  await expectFailure(bed, [], { exit: 1, code: "config.syntax", line });
});

Deno.test("a malformed project file stops the run as well", async () => {
  await using bed = await Bed.create({ config: localProvider("http://127.0.0.1:9/v1"), keys: KEYS, project: "x =\n" });
  await expectFailure(bed, [], { exit: 1, code: "config.syntax", line: /reasonix\.toml:1:/ });
});

Deno.test("a value of the wrong type stops the run", async () => {
  await using bed = await Bed.create({ config: "[agent]\ncompact_ratio = true\n" });
  await expectFailure(bed, [], { exit: 1, code: "config.type", line: /config\.toml:2:.*a number/ });
});

Deno.test("an unknown model is told with those there are", async () => {
  await using bed = await Bed.create({ config: localProvider("http://127.0.0.1:9/v1"), keys: KEYS });
  const line = /--model: unknown model "m3".*Configured: local\/m1, local\/m2/;
  await expectFailure(bed, ["--model", "m3"], { exit: 1, code: "config.unknown_model", line });
});

Deno.test("a key that is not saved is named, and the shell's own variable does not count", async () => {
  const config = localProvider("https://models.example/v1");
  await using bed = await Bed.create({ config });
  const { code, err } = await bed.run(["run", "hi"], { env: { LOCAL_KEY: "sk-from-the-shell-01" } });
  assert.equal(code, 1);
  assert.match(err, /^error: provider "local": missing env LOCAL_KEY\n {2}Add the line LOCAL_KEY=/);
});

Deno.test("a folder to add that is none ends with 1, a resume that fits nothing too", async () => {
  await using bed = await Bed.create({ config: localProvider("http://127.0.0.1:9/v1"), keys: KEYS });
  await expectFailure(bed, ["--add-dir", "/nowhere"], {
    exit: 1,
    code: "workspace.missing_dir",
    line: /--add-dir \/nowhere is not a folder/,
  });
  await expectFailure(bed, ["--resume", "nothing-like-it"], {
    exit: 1,
    code: "session.not_found",
    line: /no session matches "nothing-like-it"/,
  });
});

Deno.test("a refused connection is told", async () => {
  // A port that nobody is given.
  const port = 2;
  await using bed = await Bed.create({ config: localProvider(`http://127.0.0.1:${port}/v1`), keys: KEYS });
  await expectFailure(bed, [], { exit: 1, code: "provider.unreachable", line: new RegExp(`127\\.0\\.0\\.1:${port}`) });
});

Deno.test({
  name: "a certificate nobody vouches for is told",
  ignore: !hasOpenssl,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const { cert, key } = await createCertificates(folder);
    await using server = new RawServer(() => {}, { tls: { cert, key } });
    await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
    await expectFailure(bed, [], { exit: 1, code: "provider.tls", line: /certificate/i });
    await Deno.remove(folder, { recursive: true });
  },
});

interface Answer {
  readonly status: string;
  readonly headers?: string;
  readonly body: string;
  readonly code: string;
  readonly line: RegExp;
  /** How often it is asked in one run; absent: not counted. */
  readonly requests?: number;
}

const error = (message: string) => JSON.stringify({ error: { message } });
const JSON_TYPE = "content-type: application/json";
/** Servers may say how long to wait; so a test need not. */
const SOON = "retry-after-ms: 1";

const answers: Record<string, Answer> = {
  "401": {
    status: "401 Unauthorized",
    body: error("bad key sk-local-0123456789abcdef"),
    code: "provider.auth",
    line: /answered 401, authentication failed/,
    requests: 1,
  },
  "402": {
    status: "402 Payment Required",
    body: error("no money"),
    code: "provider.quota",
    line: /402|credit|balance|quota/i,
    requests: 1,
  },
  "404": {
    status: "404 Not Found",
    body: error("no such model"),
    code: "provider.rejected",
    line: /404.*no such model/,
    requests: 1,
  },
  "413": {
    status: "413 Payload Too Large",
    body: error("too large"),
    code: "context.exhausted",
    line: /413|too large|context/,
  },
  "429 for longer than anybody waits": {
    status: "429 Too Many Requests",
    headers: "retry-after: 3600",
    body: error("slow down"),
    code: "provider.rate_limited",
    line: /429|rate/i,
    requests: 1,
  },
  "429 for ever": {
    status: "429 Too Many Requests",
    headers: SOON,
    body: error("slow down"),
    code: "provider.rate_limited",
    line: /429|rate/i,
  },
  "500 for ever": {
    status: "500 Internal Server Error",
    headers: SOON,
    body: error("broken"),
    code: "provider.transient",
    line: /answered 500: broken/,
  },
  "a page in place of a stream": {
    status: "200 OK",
    headers: "content-type: text/html",
    body: "<!doctype html><html><script>alert(1)</script>Sign in</html>",
    code: "provider.bad_response",
    line: /HTML page/,
  },
};

for (const [what, { status, headers = "", body, code, line, requests }] of Object.entries(answers)) {
  Deno.test(`${what} is told`, async () => {
    await using server = new RawServer(({ send }) =>
      send(
        `HTTP/1.1 ${status}\r\n${headers.includes("content-type") ? "" : JSON_TYPE + "\r\n"}${headers}${
          headers ? "\r\n" : ""
        }content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      )
    );
    await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
    await expectFailure(bed, [], { exit: 1, code, line });
    if (requests !== undefined) assert.equal(server.bodies.length, 2 * requests);
  });
}

Deno.test("a refused key is told with its name and the file it lies in", async () => {
  await using server = new RawServer(({ send }) =>
    send(`HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
  );
  await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
  assert.match((await bed.run(["run", "hi"])).err, /LOCAL_KEY/);
});

// One run only: its waits are those of a real endpoint that has nothing to say.
Deno.test("a stream that says nothing is told", async () => {
  await using server = new RawServer(async ({ stream, send }) => {
    await stream();
    await send("data: [DONE]\n\n");
  });
  await using bed = await Bed.create({ config: localProvider(`${server.url}/v1`), keys: KEYS });
  const { code, out } = await bed.run(["run", "--output-format", "json", "hi"]);
  assert.deepEqual([code, JSON.parse(out).code], [1, "provider.empty"]);
});
