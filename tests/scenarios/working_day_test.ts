/**
 * A stretch of a working day in a repository as people have them: two thousand files with a history, old encodings,
 * names in several scripts, links, ignored folders, a submodule and a second work tree. Headless and in a real terminal;
 * `REASONIX_EXECUTABLE` runs the same with an executable.
 */
import assert from "node:assert/strict";
import { fetchServer } from "../support/mcp/npm_server.ts";
import { ModelServer, type WireBody, type WireStep } from "../support/model_server.ts";
import { Bed, DENO_DIR, localProvider } from "../support/program.ts";
import { hasBwrap, hasGit } from "../support/programs.ts";
import { Pane, TMUX } from "../support/tmux.ts";
import { makeWorkingRepository, OLD_TEXTS, type OldText, toBytes } from "../support/working_repository.ts";

const [OLD, NEW] = ["old value", "новое 值"];

interface Day extends AsyncDisposable {
  readonly bed: Bed;
  readonly model: ModelServer;
  /** The repository, and its second work tree. */
  readonly root: string;
  readonly linked: string;
  git(cwd: string, ...args: string[]): Promise<string>;
}

async function begin(script: readonly WireStep[], options: { readonly files?: number } = {}): Promise<Day> {
  const bed = await Bed.create({ keys: "LOCAL_KEY=k\n" });
  const model = new ModelServer(script, { summarize: () => ({ text: "## Goal\nTidy the old files." }) });
  await Deno.writeTextFile(`${bed.home}/config.toml`, localProvider(model.url));
  await Deno.writeTextFile(`${bed.base}/.gitconfig`, "[user]\n\tname = A Person\n\temail = person@example.com\n");
  const { root, linked } = await makeWorkingRepository(bed.base, options);
  return {
    ...{ bed, model, root, linked },
    git: async (cwd, ...args) => {
      const command = new Deno.Command("git", { args: ["-C", cwd, ...args], env: { HOME: bed.base } });
      return new TextDecoder().decode((await command.output()).stdout);
    },
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      await bed[Symbol.asyncDispose]();
    },
  };
}

const results = (body: WireBody): string[] => {
  const from = body.messages.findLastIndex(({ role }: { role: string }) => role === "assistant");
  return body.messages.slice(from + 1).map(({ content }: { content: string }) => content);
};
const call = (name: string, args: unknown) => ({ name, args });
const bash = (command: string): WireStep => ({ calls: [call("bash", { command })] });
const expected = (old: OldText) => toBytes({ ...old, text: old.text.replace(OLD, NEW) });
/** What cannot be written back as it was is left alone. */
const isEditable = ({ encoding }: OldText) => encoding !== "latin1";

Deno.test(
  { name: "old encodings are found, read and edited, and nothing else of any file changes", ignore: !hasGit },
  async () => {
    await using day = await begin([
      { calls: [call("grep", { pattern: OLD }), call("grep", { pattern: "说明" }), call("grep", { pattern: "für" })] },
      (body) => {
        const [found, chinese, german] = results(body);
        const places = (text: string) =>
          [...text.matchAll(/^.*\/shop front\/(.+?):\d+:/gm)].map(([, path]) => path!).sort();
        assert.deepEqual(places(found!), [...OLD_TEXTS.map(({ path }) => path), "not yet added.txt"].sort());
        assert.deepEqual([places(chinese!), places(german!)], [["legacy/gb18030.txt"], ["legacy/latin1.c"]]);
        return { calls: OLD_TEXTS.map(({ path }) => call("read_file", { path })) };
      },
      (body) => {
        for (const text of results(body)) assert.match(text, /old value/);
        return { calls: OLD_TEXTS.map(({ path }) => call("edit_file", { path, old_string: OLD, new_string: NEW })) };
      },
      (body) => {
        const refused = results(body).filter((text) => text.startsWith("error:"));
        assert.equal(refused.length, 1);
        assert.match(refused[0]!, /latin1\.c is not UTF-8, UTF-16 or GB18030/);
        return { text: "done" };
      },
    ]);
    const { code, out, err } = await day.bed.run(["run", "--auto", "Modernise the old files."], { cwd: day.root });
    assert.equal(code, 0, out + err);
    for (const old of OLD_TEXTS) {
      const wanted = isEditable(old) ? expected(old) : toBytes(old);
      assert.deepEqual(await Deno.readFile(`${day.root}/${old.path}`), wanted, old.path);
    }
  },
);

Deno.test({
  name: "a large tree is listed, searched and read within bounds, through links and odd names",
  ignore: !hasGit,
}, async () => {
  await using day = await begin([
    {
      calls: [
        call("glob", { pattern: "packages/文档/**/*.md" }),
        call("glob", { pattern: "**/*" }),
        call("grep", { pattern: "export function", path: "packages" }),
        call("read_file", { path: "data/bundle.min.js" }),
        call("read_file", { path: "README.link.md" }),
        call("read_file", { path: "assets/logo.png" }),
        call("read_file", { path: "loop" }),
        call("ls", { path: "packages/emoji 🎉" }),
        call("read_file", { path: "vendor/library/lib.ts" }),
      ],
    },
    (body) => {
      const [docs, all, functions, bundle, link, image, loop, emoji, library] = results(body);
      assert.match(docs!, /packages\/文档\/src\/.+\.md/);
      assert.match(all!, /truncated at 2000 paths/);
      assert.doesNotMatch(all!, /node_modules|build\/|server\.log/);
      assert.match(functions!, /truncated at 200 matches/);
      for (const text of [docs, all, functions, bundle]) assert.ok(text!.length < 40_000);
      assert.match(link!, /# Shop front/);
      assert.match(image!, /PNG image/);
      assert.match(loop!, /^(?:error|blocked):/);
      assert.match(emoji!, /src\//);
      assert.match(library!, /lib = 1/);
      return { text: "seen" };
    },
  ]);
  const { code, out, err } = await day.bed.run(["run", "Look around."], { cwd: day.root });
  assert.equal(code, 0, out + err);
});

Deno.test(
  { name: "in a second work tree a file is made and committed behind the walls", ignore: !hasGit || !hasBwrap },
  async () => {
    await using day = await begin([
      { calls: [call("write_file", { path: "docs/注意 notes 🎉.md", content: "# Notes\n" })] },
      bash("git add -A docs && git commit -qm 'Add notes' && git log -1 --format=%s"),
      (body) => {
        assert.equal(results(body)[0], "Add notes\n");
        return { text: "committed" };
      },
    ], { files: 200 });
    const { code, out, err } = await day.bed.run(["run", "--auto", "Note it."], { cwd: day.linked });
    assert.equal(code, 0, out + err);
    assert.equal(await day.git(day.linked, "log", "-1", "--format=%s"), "Add notes\n");
    assert.equal(await day.git(day.root, "log", "-1", "--format=%s"), "Take the library in\n");
  },
);

const VERSION = "2026.8.31";
const servers = await Promise.all(
  ["everything", "filesystem", "memory"].map((name) => fetchServer(`@modelcontextprotocol/server-${name}@${VERSION}`)),
);
const missing = servers.flatMap((server) => "missing" in server ? [server.missing] : []);

Deno.test({
  name: `three servers that the folder brings wait for its yes, and then work${
    missing.length > 0 ? ` (${missing[0]})` : ""
  }`,
  ignore: !hasGit || !hasBwrap || !TMUX || missing.length > 0,
}, async () => {
  const [everything, filesystem, memory] = servers.map((server) => "args" in server ? server.args : []);
  await using day = await begin([
    (body) => {
      const names = body.tools.map((tool: { function: { name: string } }) => tool.function.name);
      assert.ok(!names.some((name: string) => name.startsWith("mcp__")));
      return { text: "no servers" };
    },
    {
      calls: [
        call("mcp__everything__echo", { message: "héllo 世界" }),
        call("mcp__filesystem__read_text_file", { path: "legacy/utf8.txt" }),
        call("mcp__memory__create_entities", {
          entities: [{ name: "shop", entityType: "x", observations: ["front"] }],
        }),
      ],
    },
    (body) => {
      const [echo, file, graph] = results(body);
      assert.match(echo!, /^Echo: héllo 世界/);
      assert.match(file!, /key = old value/);
      assert.match(graph!, /"shop"/);
      return { text: "used" };
    },
  ], { files: 200 });
  const entry = (args: readonly string[], env = {}) => ({ command: Deno.execPath(), args, env: { DENO_DIR, ...env } });
  await Deno.writeTextFile(
    `${day.root}/.mcp.json`,
    JSON.stringify({
      mcpServers: {
        everything: entry(everything!),
        filesystem: entry([...filesystem!, "."]),
        memory: entry(memory!, { MEMORY_FILE_PATH: `${day.root}/memory.json` }),
      },
    }),
  );
  const at = { cwd: day.root };
  await using pane = await Pane.open({ ...{ columns: 100, rows: 30 }, ...at, env: day.bed.env() });
  await pane.line(Pane.program());
  await pane.shows(/starts server memory: [^]*Trust this folder\? \[y\/N\]/);
  await pane.line("n");
  await pane.shows(/not trusted[^]*MCP\s+server memory[^]*ready/);
  await pane.line("Are they there?");
  await pane.shows(/no servers[^]*ready/);
  await pane.key("C-d");
  await pane.shows("reasonix --resume");
  assert.equal((await day.bed.run(["trust", "--yes"], at)).code, 0);
  // Known from here on, so that the first request has their tools however long they take to start.
  for (const name of ["everything", "filesystem", "memory"]) {
    assert.equal((await day.bed.run(["mcp", "retry", name], at)).code, 0, name);
  }
  day.model.allowNextReset = true;
  const { code, out, err } = await day.bed.run(["run", "Use them."], at);
  assert.equal(code, 0, out + err);
  assert.match(await Deno.readTextFile(`${day.root}/memory.json`), /"shop"/);
});

/** Allows what is asked, once the card no longer takes keys for words that were on their way. */
async function allow(pane: Pane, what: RegExp): Promise<void> {
  await pane.shows(what);
  await new Promise((done) => setTimeout(done, 400));
  await pane.key("y");
}

/** Escape by itself: with a character close behind it the two would be one key. */
async function escape(pane: Pane): Promise<void> {
  await pane.key("Escape");
  await new Promise((done) => setTimeout(done, 200));
}

/** The program that runs in the pane, below its shell. */
async function programIn(pane: Pane): Promise<number> {
  const shell = await pane.format("#{pane_pid}");
  const [pid] = Deno.readTextFileSync(`/proc/${shell}/task/${shell}/children`).trim().split(" ").map(Number);
  assert.ok(pid);
  return pid;
}

Deno.test({
  name: "a morning in the terminal: approvals, a stop, a death in the middle, going back, a branch, a fold",
  ignore: !hasGit || !hasBwrap || !TMUX,
}, async () => {
  const file = OLD_TEXTS.find(({ encoding }) => encoding === "gb18030")!;
  const edit = { path: file.path, old_string: OLD, new_string: NEW };
  await using day = await begin([
    { calls: [call("read_file", { path: file.path }), call("edit_file", { ...edit, old_string: "not there" })] },
    (body) => {
      assert.match(results(body)[1]!, /^error: old_string was not found/);
      return { calls: [call("edit_file", edit)] };
    },
    { text: "Edited it." },
    bash("echo begun; sleep 300"),
    { text: "It was cut off." },
    { text: "An answer on the branch." },
    { text: "A long log." },
    { text: "Go on." },
    { text: "An answer after the fold." },
  ], { files: 200 });
  const { pane, bytes } = {
    pane: await Pane.open({
      ...{ columns: 90, rows: 30, cwd: day.root },
      env: day.bed.env({ HOME: day.bed.base }),
    }),
    bytes: () => Deno.readFile(`${day.root}/${file.path}`),
  };
  await using _ = pane;

  await pane.line(Pane.program());
  await pane.shows("[Ask] · ready");
  await pane.line("Modernise it");
  // The call that could only fail asked nobody.
  await allow(pane, /\? Allow edit_file\?\n {2}legacy\/gb18030\.txt\n[^]*-key = old value/);
  await pane.shows(/Edited it\.[^]*ready/);
  assert.deepEqual(await bytes(), expected(file));

  await pane.line("Serve it");
  await allow(pane, /\? Allow bash\?/);
  await pane.shows(/begun[^]*working/);
  Deno.kill(await programIn(pane), "SIGKILL");
  await pane.key("C-j");
  await pane.type("stty sane");
  await pane.key("C-j");
  await pane.line(`clear; ${Pane.program("-c")}`);
  const resumed = await pane.shows(/ready/);
  assert.match(resumed, /⊘ bash echo begun; sleep 300 {2}cut off: what it did is not known/);
  assert.doesNotMatch(resumed, /context 0%/);
  await pane.line("What happened?");
  await pane.shows(/It was cut off\.[^]*ready/);
  assert.match(JSON.stringify(day.model.requests.at(-1)!.body.messages.at(-1)), /program died.*unknown effect/);

  await pane.line("/rewind 1 code");
  await pane.shows(/Do it\n +restore legacy\/gb18030\.txt/);
  await pane.key("Enter");
  await pane.shows("Back to before turn 1: 1 file restored.");
  assert.deepEqual(await bytes(), toBytes(file));
  await pane.line("/rewind undo");
  await pane.shows("Took the rewind back: 1 file restored.");
  assert.deepEqual(await bytes(), expected(file));

  day.model.allowNextReset = true;
  await pane.line("/branch 3 side");
  await pane.shows(/─\nWhat happened\?/);
  await escape(pane);
  await pane.line("Go on here");
  await pane.shows(/An answer on the branch\.[^]*ready/);
  await pane.line("/tree");
  await pane.shows(/^ {4}Modernise it .*\n❯ ● {3}└ side /m);
  await escape(pane);

  await pane.paste(Array.from({ length: 1500 }, (_, at) => `GET /orders/${at} 200`).join("\n"));
  await pane.shows("[paste #1 +1500 lines]");
  await pane.key("Enter");
  await pane.shows(/A long log\.[^]*ready/);
  await pane.line("And now?");
  await pane.shows(/Go on\.[^]*ready/);
  day.model.allowNextReset = true;
  await pane.line("/compact");
  await pane.shows(/folded \d+ messages/);
  await pane.line("And on");
  await pane.shows(/An answer after the fold\.[^]*ready/);
  assert.match(JSON.stringify(day.model.requests.at(-1)!.body.messages), /compaction-summary/);
  await pane.key("C-d");
  await pane.shows(/Go on with it: reasonix --resume/);
});
