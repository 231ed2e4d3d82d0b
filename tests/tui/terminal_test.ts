// The whole program in a real terminal, with a model behind real HTTP. Needs the Debian package `tmux`.
import assert from "node:assert/strict";
import { ODD_SERVER } from "../support/mcp/test_host.ts";
import { ModelServer, type WireStep } from "../support/model_server.ts";
import { assertScreen } from "../support/screen_fixture.ts";
import { Pane, TMUX } from "../support/tmux.ts";

const ignore = !TMUX;
const SIZES = [{ columns: 80, rows: 24 }, { columns: 120, rows: 40 }, { columns: 40, rows: 15 }];

interface Stage extends AsyncDisposable {
  readonly pane: Pane;
  readonly model: ModelServer;
  readonly home: string;
  readonly root: string;
}

/** A home, a workspace, a model that follows the script, and a shell in the workspace. */
async function stage(script: readonly WireStep[], size = SIZES[0]!, config = ""): Promise<Stage> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "rx-" }));
  const [home, root] = [`${base}/home`, `${base}/ws`];
  await Promise.all([Deno.mkdir(home), Deno.mkdir(root)]);
  const model = new ModelServer(script);
  await Deno.writeTextFile(
    `${home}/config.toml`,
    `default_model = "local/scripted"\n${config}\n[[providers]]\nname = "local"\nbase_url = "${model.url}/v1"\n` +
      `model = "scripted"\napi_key_env = ""\ncontext_window = 64000\n`,
  );
  const pane = await Pane.open({ ...size, cwd: root, env: { REASONIX_HOME: home, HOME: home } });
  return {
    pane,
    model,
    home,
    root,
    [Symbol.asyncDispose]: async () => {
      await pane[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await removeInTheEnd(base);
    },
  };
}

/** The program may write its last lines while its terminal is gone already. */
async function removeInTheEnd(folder: string, tries = 20): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(async (error) => {
    if (tries === 0) throw error;
    await new Promise((done) => setTimeout(done, 100));
    await removeInTheEnd(folder, tries - 1);
  });
}

/** What differs from run to run. */
function steady(text: string): string {
  return text
    .replace(/\/\S*\/rx-\w+\/ws/g, "/work")
    .replace(/(\[\w+\] · (?:needs your answer|working|writing|thinking|waiting for the model)) [\d.]+ s/g, "$1 0.0 s")
    .replace(/^([✓✗].*?) +\d+\.\d s$/gm, "$1")
    .replace(/^ {2}in [\d.]+k? .*$/gm, "  in N · out N")
    .replace(/(context) \d+%/g, "$1 N%")
    .replace(/[▓░╎]{10}/g, "gauge")
    .replace(/Reasonix \S+/, "Reasonix VERSION");
}

/** A stream that says these things one after the other, and waits between them as it is told. */
function slowly(pieces: readonly string[], pause: number): WireStep {
  return {
    response: () => {
      const encoder = new TextEncoder();
      const line = (delta: unknown) =>
        encoder.encode(`data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
      let at = 0;
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (at < pieces.length) {
            if (at > 0) await new Promise((done) => setTimeout(done, pause));
            return controller.enqueue(line({ content: pieces[at++] }));
          }
          const end = { id: "r", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`));
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };
}

const silence: WireStep = {
  response: () => new Response(new ReadableStream({}), { headers: { "content-type": "text/event-stream" } }),
};

for (const size of SIZES) {
  const at = `${size.columns}x${size.rows}`;
  Deno.test({ name: `a task with approvals at ${at}, from the first frame to leaving`, ignore }, async () => {
    await using scene = await stage([
      {
        text: "I will make the file.",
        calls: [{ name: "write_file", args: { path: "hello.txt", content: "你好\n" } }],
      },
      { text: "Now look at it.", calls: [{ name: "bash", args: { command: "touch made; exit 3" } }] },
      { text: "## Done\n\n- the file is there\n- 你好，世界 🎉 works\n\n```ts\nconst a: number = 1; // ok\n```\n" },
    ], size);
    const { pane } = scene;
    await pane.line(Pane.program());
    assertScreen(`start_${at}`, steady((await pane.shows("ready")).replace(/^[$#] [^]*?(?=Reasonix)/, "")));
    await pane.line("make a file 你好");
    const card = await pane.shows("Allow write_file?");
    assertScreen(`task_edit_${at}`, steady(card).split("\n").slice(-12).join("\n"));
    await new Promise((done) => setTimeout(done, 400));
    await pane.key("y");
    await pane.shows("Allow bash?");
    await new Promise((done) => setTimeout(done, 400));
    await pane.key("y");
    await pane.shows("works");
    await pane.shows(/\[Ask\] · ready/);
    assert.equal(await Deno.readTextFile(`${scene.root}/hello.txt`), "你好\n");
    const said = await pane.everything();
    assertScreen(`task_${at}`, steady(said.slice(said.indexOf("› make"))));
    await pane.key("C-d");
    await pane.shows("reasonix --resume");
    await pane.line("stty -a | grep -c ' icanon' && echo COOKED");
    await pane.shows(/^COOKED/m);
  });
}

Deno.test({ name: "a first start without a key asks for it, and goes on", ignore }, async () => {
  await using scene = await stage([{ text: "hi" }]);
  const config = (await Deno.readTextFile(`${scene.home}/config.toml`)).replace(
    'api_key_env = ""',
    'api_key_env = "TEST_KEY"',
  )
    .replace("127.0.0.1", "models.example.test");
  await Deno.writeTextFile(`${scene.home}/config.toml`, config);
  await scene.pane.line(Pane.program());
  await scene.pane.shows("without any key");
  // A busy machine's terminal may show a line without an end only together with what follows it.
  await new Promise((done) => setTimeout(done, 1000));
  await scene.pane.line("sk-secret");
  await scene.pane.shows("ready");
  const text = await scene.pane.everything();
  assert.match(text, /Paste TEST_KEY/);
  assert.doesNotMatch(text, /sk-secret/);
  assert.match(await Deno.readTextFile(`${scene.home}/.env`), /TEST_KEY=.?sk-secret/);
});

Deno.test(
  { name: "a start without any settings asks for the key it lacks, and Enter or Esc leaves", ignore },
  async () => {
    await using scene = await stage([]);
    await Deno.remove(`${scene.home}/config.toml`);
    await scene.pane.line(`${Pane.program()}; echo CODE=$?`);
    await scene.pane.shows("`reasonix demo` shows a whole task without any key.");
    await scene.pane.shows("Paste DEEPSEEK_API_KEY");
    await scene.pane.key("Enter");
    await scene.pane.shows(/CODE=[1-9]/);
    await scene.pane.line(`clear; ${Pane.program()}; echo ONCE_MORE=$?`);
    await scene.pane.shows("Paste DEEPSEEK_API_KEY");
    await scene.pane.key("Escape");
    await scene.pane.shows(/ONCE_MORE=[1-9]/);
  },
);

Deno.test({ name: "a paste of 5 000 lines reaches the model as one message, exactly", ignore }, async () => {
  await using scene = await stage([{ text: "I read it." }]);
  await scene.pane.line(Pane.program());
  await scene.pane.shows("ready");
  const text = Array.from({ length: 5_000 }, (_, at) => `line ${at} of the paste`).join("\n");
  await scene.pane.paste(text);
  await scene.pane.shows("[paste #1 +5000 lines]");
  assert.equal(scene.model.requests.length, 0);
  await scene.pane.key("Enter");
  await scene.pane.shows("I read it.");
  assert.ok(scene.model.requests[0]!.body.messages.at(-1).content.endsWith(text));
});

Deno.test(
  { name: "resizing while an answer streams keeps every line and the bottom in its place", ignore },
  async () => {
    const pieces = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of the answer.\n\n`);
    await using scene = await stage([slowly(pieces, 25)]);
    const { pane } = scene;
    await pane.line(Pane.program());
    await pane.shows("ready");
    await pane.line("go");
    await pane.shows(/Paragraph (?:[5-9]|[1-5]\d) /);
    for (const [columns, rows] of [[50, 20], [120, 40], [40, 15], [80, 24]] as const) {
      await pane.resize(columns, rows);
      await new Promise((done) => setTimeout(done, 250));
    }
    const last = await pane.shows(/Paragraph 59[^]*ready/);
    const all = await pane.everything();
    assert.deepEqual(pieces.filter((piece) => !all.includes(piece.trim())), []);
    assert.equal(last.match(/\[Ask\]/g)?.length, 1);
  },
);

Deno.test(
  { name: "a terminal that changes its size while nothing happens is drawn for its new size", ignore },
  async () => {
    await using scene = await stage([]);
    const { pane } = scene;
    await pane.line(Pane.program());
    await pane.shows("ready");
    for (const [columns, rows] of [[100, 30], [40, 15], [80, 24]] as const) {
      await pane.resize(columns, rows);
      // The composer stands between two lines of the terminal's width, and the status below them.
      await pane.shows(new RegExp(`^─{${columns}}\n.*\n─{${columns}}\n.*\\[Ask\\]`, "m"));
    }
  },
);

Deno.test({ name: "the cursor of the terminal stands at the caret behind wide characters", ignore }, async () => {
  await using scene = await stage([]);
  const { pane } = scene;
  await pane.line(Pane.program());
  await pane.shows("ready");
  await pane.type("你好，世界");
  await pane.shows("你好，世界");
  assert.equal(await pane.format("#{cursor_x} #{cursor_flag}"), "10 1");
  await pane.key("Left", "Left", "BSpace");
  await pane.shows("你好世界");
  assert.equal(await pane.format("#{cursor_x}"), "4");
});

// proves that Stop stops: before the answer, in it, in a command that ignores signals.
Deno.test({ name: "Stop gives control back at every stage, and the next turn works", ignore }, async () => {
  await using scene = await stage(
    [
      silence,
      slowly(["Once upon", ...Array.from({ length: 400 }, () => " a time")], 50),
      { calls: [{ name: "bash", args: { command: "trap '' TERM INT HUP; while :; do sleep 1; done" } }] },
      { text: "still here" },
    ],
    SIZES[0],
    '[permissions]\nmode = "allow"\n',
  );
  const { pane } = scene;
  await pane.line(Pane.program("--permission-mode auto"));
  await pane.shows("ready");
  const stops = async (says: RegExp, key: string) => {
    await pane.shows(says);
    await new Promise((done) => setTimeout(done, 300));
    const pressed = Date.now();
    await pane.key(key);
    await pane.shows(/\[Auto\] · ready/, 6_000);
    assert.ok(Date.now() - pressed < 5_500);
  };
  await pane.line("one");
  await stops(/waiting for the model/, "C-c");
  await pane.key("C-c");
  await pane.line("two");
  await stops(/Once upon a time/, "Escape");
  await pane.line("three");
  await pane.shows("Allow bash?");
  await new Promise((done) => setTimeout(done, 400));
  await pane.key("y");
  await stops(/running \d/, "Escape");
  await pane.line("four");
  await pane.shows("still here");
});

Deno.test({ name: "a session is resumed by name, by the newest, and from the list", ignore }, async () => {
  await using scene = await stage([{ text: "The first answer." }, { text: "The second answer." }]);
  const { pane } = scene;
  await pane.line(Pane.program());
  await pane.shows("ready");
  await pane.line("remember the blue door");
  await pane.shows("The first answer.");
  await pane.shows(/\[Ask\] · ready/);
  await pane.key("C-d");
  await pane.shows("reasonix --resume");
  await pane.line("clear");
  await pane.line(Pane.program("-c"));
  await pane.shows(/› remember the blue door[^]*The first answer[^]*ready/);
  await pane.line("and now?");
  await pane.shows("The second answer.");
  await pane.shows(/\[Ask\] · ready/);
  await pane.key("C-d");
  await pane.shows("reasonix --resume");
  await pane.line("clear");
  await pane.line(Pane.program("-r"));
  const list = await pane.shows("Go on with");
  assert.match(list, /remember the blue door/);
  await pane.key("Enter");
  await pane.shows(/The second answer[^]*ready/);
});

const MODES = "#{cursor_flag} #{bracket_paste_flag} #{mouse_any_flag} #{alternate_on}";

/** Starts, lets `end` end it, and asserts that the terminal is as it was. */
async function leavesTerminal(
  end: (scene: Stage, pid: number) => Promise<void>,
  script: readonly WireStep[] = [],
): Promise<Stage> {
  const scene = await stage(script);
  const { pane } = scene;
  await pane.line("stty -a > before");
  const before = await pane.format(MODES);
  await pane.line(`${Pane.program()}; echo CODE=$?`);
  await pane.shows("ready");
  const shell = Number(await pane.format("#{pane_pid}"));
  const children = new TextDecoder().decode(
    new Deno.Command("pgrep", { args: ["-P", String(shell)] }).outputSync().stdout,
  );
  assert.match(children, /^\d/);
  await end(scene, Number(children.trim().split("\n")[0]));
  await pane.shows(/CODE=\d+/);
  await pane.line("stty -a > after; echo SAME=$(cmp before after && echo yes)");
  await pane.shows("SAME=yes");
  assert.equal(await pane.format(MODES), before);
  return scene;
}

const ways: [name: string, code: number, end: (scene: Stage, pid: number) => Promise<void>][] = [
  ["Ctrl+D", 0, ({ pane }) => pane.key("C-d")],
  ["Ctrl+C twice", 0, ({ pane }) => pane.key("C-c", "C-c")],
  ["exit", 0, ({ pane }) => pane.line("exit")],
  ["SIGTERM", 143, (_, pid) => Promise.resolve(Deno.kill(pid, "SIGTERM"))],
  ["SIGHUP", 129, (_, pid) => Promise.resolve(Deno.kill(pid, "SIGHUP"))],
  ["SIGINT from outside", 130, (_, pid) => Promise.resolve(Deno.kill(pid, "SIGINT"))],
];
for (const [name, code, end] of ways) {
  Deno.test({ name: `the terminal is as before after ${name}`, ignore }, async () => {
    await using scene = await leavesTerminal(end);
    assert.match(await scene.pane.screen(), new RegExp(`CODE=${code}\\b`));
  });
}

Deno.test({
  name: "a window that is closed ends the program in order: the session is free again",
  ignore,
  async fn() {
    // It takes its time to go, so that what is said to the window that is gone fails before all is closed.
    const stubborn = [Deno.execPath(), "run", "-A", "--no-check", "--quiet", ODD_SERVER, "stubborn", "log"].map((
      word,
    ) => JSON.stringify(word));
    const plugin = `[[plugins]]\nname = "odd"\ncommand = ${stubborn[0]}\nargs = [${stubborn.slice(1)}]\n`;
    await using scene = await stage([{ text: "The answer." }], SIZES[0], plugin);
    const { pane, home, root } = scene;
    await pane.line(`${Pane.program()} 2>${root}/said`);
    await pane.shows("ready");
    await pane.line("go");
    await pane.shows(/The answer\.[^]*· ready/);
    const sessions = `${home}/projects/${root.replaceAll("/", "-")}/sessions`;
    const held = () =>
      [...Deno.readDirSync(sessions)].map(({ name }) => name).filter((name) => /lock|lease/.test(name));
    assert.equal(held().length, 2);
    await pane[Symbol.asyncDispose]();
    for (let tries = 0; tries < 100 && held().length > 0; tries++) await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(held(), []);
    assert.equal(await Deno.readTextFile(`${root}/said`), "");
  },
});

Deno.test({
  name: "a command cannot reach the terminal: it fails at once, and what is typed meanwhile is the draft",
  ignore,
}, async () => {
  const commands = [
    "sh -c 'read x </dev/tty && echo got $x'",
    "stty -a </dev/tty",
    "printf 'A\\033[2J\\033]0;t\\007B'; sleep 1",
  ];
  await using scene = await stage([
    { calls: commands.map((command) => ({ name: "bash", args: { command } })) },
    { text: "All three have ended." },
  ]);
  const { pane } = scene;
  await pane.line(Pane.program("--yolo"));
  await pane.shows("Run without asking?");
  await pane.key("y");
  await pane.line("go");
  await pane.shows("running");
  await pane.type("typed meanwhile");
  const text = await pane.shows(/All three have ended\.[^]*typed meanwhile/);
  assert.doesNotMatch(text, /^ +got/m);
  const results = scene.model.requests[1]!.body.messages.filter((message: { role: string }) => message.role === "tool");
  assert.deepEqual(results.map(({ content }: { content: string }) => /exit status [1-9]/.test(content)), [
    true,
    true,
    false,
  ]);
  assert.notEqual(await pane.format("#{pane_title}"), "t");
  await Deno.lstat(`${scene.home}/yolo-accepted`);
});

Deno.test({ name: "a command of the person's own runs here, and the model never hears of it", ignore }, async () => {
  await using scene = await stage([]);
  const { pane } = scene;
  await pane.line(Pane.program());
  await pane.shows("ready");
  await pane.line("!echo $((6 * 7)); exit 3");
  const text = await pane.shows(/exit 3 {2}exit 3[^]*ready/);
  assert.match(text, /✗ ! echo \$\(\(6 \* 7\)\); exit 3 {2}exit 3[^]*\n {4}42\n[^]*\[Ask\] · ready/);
  await pane.line("!sleep 60");
  await pane.shows("running");
  await pane.key("Escape");
  await pane.shows(/✗ ! sleep 60/);
  assert.equal(scene.model.requests.length, 0);
  await pane.key("C-d");
  const left = await pane.shows(/\n[$#] ?$/);
  assert.doesNotMatch(left, /─{10}/);
});

Deno.test({ name: "suspended and continued, the screen is drawn again and keys work", ignore }, async () => {
  await using scene = await stage([]);
  const { pane } = scene;
  await pane.line(Pane.program());
  await pane.shows("ready");
  await pane.type("kept");
  await pane.key("C-z");
  await pane.shows(/[Ss]topped|[$#] ?$/);
  await pane.line("stty -a | grep -c ' icanon'; echo COOKED; fg");
  await pane.shows(/COOKED[^]*kept[^]*ready/);
  await pane.type(" draft");
  await pane.shows("kept draft");
});

Deno.test({ name: "a plan is approved, carried out, and taken back", ignore }, async () => {
  await using scene = await stage([
    { calls: [{ name: "exit_plan_mode", args: { plan: "1. Write plan.txt" } }] },
    { calls: [{ name: "write_file", args: { path: "plan.txt", content: "new\n" } }] },
    { text: "It is written." },
  ]);
  const { pane, root } = scene;
  await Deno.writeTextFile(`${root}/plan.txt`, "old\n");
  await pane.line(Pane.program());
  await pane.shows("ready");
  await pane.key("BTab", "BTab");
  await pane.shows("Plan mode · ready");
  await pane.line("change it");
  await pane.shows("carry it out");
  await new Promise((done) => setTimeout(done, 400));
  await pane.key("s");
  await pane.shows("It is written.");
  await pane.shows(/· ready/);
  assert.equal(await Deno.readTextFile(`${root}/plan.txt`), "new\n");
  await pane.line("/rewind 1 both");
  await pane.shows("restore plan.txt");
  await pane.key("Enter");
  await pane.shows("1 file restored");
  assert.equal(await Deno.readTextFile(`${root}/plan.txt`), "old\n");
  // The words of that turn stand in the composer again.
  await pane.shows(/^change it$/m);
  await pane.key("Escape");
  // Straight before a character it would be Alt.
  await new Promise((done) => setTimeout(done, 400));
  await pane.line("/rewind undo");
  await pane.shows("Took the rewind back");
  assert.equal(await Deno.readTextFile(`${root}/plan.txt`), "new\n");
});
