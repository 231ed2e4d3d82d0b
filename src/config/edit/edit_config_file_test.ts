import assert from "node:assert/strict";
import { parse } from "smol-toml";
import { ReasonixError } from "../../contract/errors.ts";
import { editConfigFile } from "./edit_config_file.ts";

function tempFolder() {
  const path = Deno.makeTempDirSync();
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

async function failure(promise: Promise<unknown>): Promise<ReasonixError> {
  return await promise.then(() => assert.fail("it worked"), (error) => {
    assert.ok(error instanceof ReasonixError, String(error));
    return error;
  });
}

Deno.test("a new file and its folder come into being, private where asked", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/home/config.toml`;
  const result = await editConfigFile(file, [{ set: ["agent", "compact_ratio"], value: 0.8 }], { mode: 0o600 });
  assert.deepEqual(result, { changed: true, commentsLost: false, dropped: [] });
  assert.equal(Deno.readTextFileSync(file), "[agent]\ncompact_ratio = 0.8\n");
  assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
});

Deno.test("unknown keys, comments and the file's mode survive; retired keys go", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  Deno.writeTextFileSync(file, "# mine\n[agent]\nmax_steps = 3\n\n[future]\nx = 1 # unknown\n", { mode: 0o640 });
  const result = await editConfigFile(file, [{ set: ["language"], value: "en" }]);
  assert.deepEqual(result, { changed: true, commentsLost: false, dropped: ["agent.max_steps"] });
  assert.equal(Deno.readTextFileSync(file), 'language = "en"\n\n# mine\n[agent]\n\n[future]\nx = 1 # unknown\n');
  assert.equal(Deno.statSync(file).mode! & 0o777, 0o640);
});

// proves DIST-07
Deno.test("old channel settings and retired keys of servers vanish with the next write", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  const before = '[cli]\nupdate_channel = "beta"\n\n[[plugins]]\nname = "x"\ntrusted_read_only_tools = ["a"]\n' +
    '[plugins.tools.run]\napproval_mode = "auto"\n\n[[plugins]]\nname = "y"\napprovals_reviewer = "z"\n';
  Deno.writeTextFileSync(file, before);
  const { dropped } = await editConfigFile(file, [{ set: ["plugins", { name: "y" }, "auto_start"], value: false }]);
  assert.deepEqual(dropped, [
    "cli.update_channel",
    "plugins[0].trusted_read_only_tools",
    "plugins[0].tools",
    "plugins[1].approvals_reviewer",
  ]);
  const after = '[cli]\n\n[[plugins]]\nname = "x"\n\n[[plugins]]\nname = "y"\nauto_start = false\n';
  assert.equal(Deno.readTextFileSync(file), after);
});

Deno.test("a link stays a link; what it points to is changed", async () => {
  using folder = tempFolder();
  Deno.mkdirSync(`${folder.path}/dotfiles`);
  Deno.writeTextFileSync(`${folder.path}/dotfiles/r.toml`, "a = 1\n");
  Deno.symlinkSync("dotfiles/r.toml", `${folder.path}/config.toml`);
  await editConfigFile(`${folder.path}/config.toml`, [{ set: ["a"], value: 2 }]);
  assert.ok(Deno.lstatSync(`${folder.path}/config.toml`).isSymlink);
  assert.equal(Deno.readTextFileSync(`${folder.path}/dotfiles/r.toml`), "a = 2\n");
});

Deno.test("UTF-16 with a mark is written as it was read", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  const utf16 = (text: string) =>
    Uint8Array.from(["\ufeff", ...text].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
  Deno.writeFileSync(file, utf16('language = "zh" # 语言\r\n'));
  await editConfigFile(file, [{ set: ["language"], value: "en" }]);
  assert.deepEqual(Deno.readFileSync(file), utf16('language = "en" # 语言\r\n'));
});

Deno.test("a malformed, wrongly typed or unreadable file is never written", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  for (const [text, code] of [["a = [1,\n", "config.syntax"], ["[agent]\nkeep = 1\n", "config.type"]] as const) {
    Deno.writeTextFileSync(file, text);
    const error = await failure(editConfigFile(file, [{ set: ["language"], value: "en" }]));
    assert.equal(error.code, code);
    assert.equal(Deno.readTextFileSync(file), text);
  }
  const error = await failure(editConfigFile(folder.path, [{ set: ["language"], value: "en" }]));
  assert.equal(error.code, "config.unreadable");
});

Deno.test("an edit may mend the value that was wrong", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  Deno.writeTextFileSync(file, "[agent]\nkeep = 1\n");
  await editConfigFile(file, [{ set: ["agent", "keep"], value: ["errors"] }]);
  assert.equal(Deno.readTextFileSync(file), '[agent]\nkeep = ["errors"]\n');
});

Deno.test("a value in the way fails as config.write_failed and changes nothing", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  Deno.writeTextFileSync(file, "x = 1\n");
  const error = await failure(editConfigFile(file, [{ set: ["y"], value: 1 }, { set: ["x", "z"], value: 1 }]));
  assert.equal(error.code, "config.write_failed");
  assert.match(error.message, /x is not a table/);
  assert.equal(Deno.readTextFileSync(file), "x = 1\n");
});

Deno.test("eight processes with a hundred edits each lose nothing, also when two are killed", async () => {
  using folder = tempFolder();
  const file = `${folder.path}/config.toml`;
  const count = 100;
  const workers = await Promise.all(Array.from({ length: 8 }, (_, index) => startWorker(file, `w${index}`, count)));
  const [survivors, doomed] = [workers.slice(0, 6), workers.slice(6)];
  await Promise.all(workers.map((worker) => worker.go()));

  // A reader at any moment finds a whole file.
  let samples = 0;
  let done = false;
  const reading = (async () => {
    let killed = false;
    while (!done) {
      const workers = parse(await Deno.readTextFile(file).catch(() => ""))["workers"] ?? {};
      samples++;
      if (!killed && Object.values(workers).some((keys) => Object.keys(keys).length > count / 4)) {
        killed = true;
        for (const worker of doomed) worker.kill();
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const ends = await Promise.all(survivors.map((worker) => worker.ended));
  done = true;
  await reading;
  assert.deepEqual(await Promise.all(doomed.map((worker) => worker.ended)), [137, 137]);

  assert.deepEqual(ends, [0, 0, 0, 0, 0, 0]);
  const tables = parse(Deno.readTextFileSync(file))["workers"] as Record<string, Record<string, number>>;
  const all = Object.fromEntries(Array.from({ length: count }, (_, i) => [`key_${i}`, i]));
  for (let index = 0; index < 6; index++) assert.deepEqual({ ...tables[`w${index}`] }, all);
  assert.deepEqual([...Deno.readDirSync(folder.path)].map((entry) => entry.name), ["config.toml"]);
  assert.ok(samples > 10);
});

async function startWorker(file: string, name: string, count: number) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      decodeURIComponent(new URL("../../../tests/support/config_edit_worker.ts", import.meta.url).pathname),
      file,
      name,
      `${count}`,
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return {
    async go() {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("go\n"));
      await writer.close();
    },
    kill: () => child.kill("SIGKILL"),
    ended: child.status.then((status) => status.code),
  };
}
