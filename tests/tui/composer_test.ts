// Typing: pastes of every kind, wide characters, the caret, completion.
import assert from "node:assert/strict";
import type { Processes } from "../../src/contract/workspace.ts";
import type { Servers } from "../../src/contract/servers.ts";
import { TestScreen } from "../support/test_screen.ts";

const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`;

/** What the newest prompt says. */
function lastPrompt(screen: TestScreen): string | undefined {
  const intent = screen.sent.at(-1);
  return intent?.kind === "prompt" ? intent.text : undefined;
}

Deno.test("a paste of 5 000 lines is one draft, sent exactly and only by Enter", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  const text = Array.from({ length: 5_000 }, (_, at) => `line ${at}\tand more`).join("\n");
  screen.keys(pasted(text));
  await screen.shows("[paste #1 +5000 lines]");
  assert.deepEqual(screen.sent, []);
  await screen.type("\r");
  assert.equal(lastPrompt(screen), text);
});

Deno.test("without paste markers, lines that come faster than hands are one draft", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  screen.keys(..."alpha\rbeta\rgamma");
  await screen.shows("gamma");
  assert.deepEqual(screen.sent, []);
  await screen.type("\r");
  assert.equal(lastPrompt(screen), "alpha\nbeta\ngamma");
  await screen.type("hi\r");
  assert.equal(lastPrompt(screen), "hi");
});

Deno.test("a long paste without markers is one token, whole", async () => {
  // Keys of a paste come fast, however busy the machine is that runs this.
  let time = 0;
  await using screen = new TestScreen({ ports: { now: () => time += 0.1 } });
  await screen.shows("ready");
  const text = Array.from({ length: 300 }, (_, at) => `line ${at}`).join("\n");
  screen.keys(...text.replaceAll("\n", "\r"));
  await screen.shows("[paste #1 +300 lines]");
  time += 1000;
  await screen.type("\r");
  assert.equal(lastPrompt(screen), text);
});

Deno.test("a terminal that has marked a paste has no fast pastes", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  screen.keys(pasted("one "), "t", "w", "o", "\r");
  assert.equal(lastPrompt(screen), "one two");
});

Deno.test("the terminal's own cursor stands at the caret, whatever the characters are", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  const caret = async () => {
    await new Promise((done) => setTimeout(done, 40));
    await screen.terminal.settled();
    return screen.terminal.cursor().column;
  };
  await screen.type("你好，世界");
  assert.equal(await caret(), 10);
  screen.keys("e\u0301", "👨‍👩‍👧‍👦");
  assert.equal(await caret(), 13);
  screen.keys("\x1b[D", "\x1b[D");
  assert.equal(await caret(), 10);
  screen.keys("\x7f");
  assert.equal(await caret(), 8);
  await screen.type("\r");
  assert.equal(lastPrompt(screen), "你好，世e\u0301👨‍👩‍👧‍👦");
});

Deno.test("a draft wider than the screen wraps without half characters", async () => {
  await using screen = new TestScreen({ columns: 20, rows: 15 });
  await screen.shows("ready");
  await screen.type("宽字符宽字符宽字符宽字符");
  const text = await screen.shows("宽字符宽字符宽字符");
  assert.doesNotMatch(text, /\ufffd/);
  await screen.type("\r");
  assert.equal(lastPrompt(screen), "宽字符宽字符宽字符宽字符");
});

Deno.test("new lines do not send", async () => {
  await using screen = new TestScreen();
  await screen.shows("ready");
  await screen.type("a");
  screen.keys("\x1b\r");
  await screen.type("b");
  screen.keys("\n");
  await screen.type("c\r");
  assert.equal(lastPrompt(screen), "a\nb\nc");
});

// proves REF-10
Deno.test("the file menu goes down one folder at a time; ignored files come last", async () => {
  const asked: string[] = [];
  await using screen = new TestScreen({
    ports: {
      listFolder: (folder) => {
        asked.push(folder);
        return Promise.resolve(
          folder === ""
            ? [{ name: "src", folder: true, ignored: false }, { name: "aaa.log", folder: false, ignored: true }, {
              name: "zed.md",
              folder: false,
              ignored: false,
            }]
            : [{ name: "main.ts", folder: false, ignored: false }],
        );
      },
    },
  });
  await screen.shows("ready");
  await screen.type("look at @");
  const text = await screen.shows("aaa.log");
  assert.ok(text.indexOf("zed.md") < text.indexOf("aaa.log"));
  assert.match(text, /aaa\.log +ignored by git/);
  await screen.type("\t");
  await screen.shows("main.ts");
  await screen.type("\t");
  await screen.hides("→ main.ts");
  await screen.type("\r");
  assert.equal(lastPrompt(screen), "look at @src/main.ts");
  assert.deepEqual([...new Set(asked)], ["", "src"]);
});

// proves REF-11
Deno.test("resources of servers stand in the file menu behind the entries of the root, and complete whole", async () => {
  const resource = (uri: string, name: string) => ({ server: "docs", uri, name, description: "" });
  const servers = {
    resources:
      () => [resource("guide://style", "Style guide"), resource("guide://with blank", "No reference names it")],
  } as unknown as Servers;
  const entry = (name: string, folder: boolean) => ({ name, folder, ignored: false });
  await using screen = new TestScreen({
    servers,
    ports: {
      listFolder: (folder) =>
        Promise.resolve(folder === "" ? [entry("src", true), entry("zed.md", false)] : [entry("docs.ts", false)]),
    },
  });
  await screen.shows("ready");
  await screen.type("by @");
  const text = await screen.shows("docs:guide://style");
  assert.match(text, /MCP · Style guide/);
  assert.ok(text.indexOf("zed.md") < text.indexOf("docs:guide://style") && !text.includes("with blank"));
  await screen.type("src/d");
  assert.ok(!(await screen.shows("docs.ts")).includes("guide://"));
  screen.keys("\x15");
  await screen.type("by @docs:guide://s");
  await screen.shows("→ docs:guide://style");
  await screen.type("\t");
  await screen.hides("→ docs:guide://style");
  await screen.type("please\r");
  assert.equal(lastPrompt(screen), "by @docs:guide://style please");
});

// proves REF-12
Deno.test("what streams in under an open menu changes nothing of its height", async () => {
  await using screen = new TestScreen({ commands: () => ({ kind: "done" }) });
  await screen.shows("ready");
  screen.begin("go");
  await screen.shows("go");
  await screen.type("/");
  const menuOf = (text: string) => text.split("\n").filter((line) => /^\s*(?:→ )?\/(?:help|model|resume)\b/.test(line));
  const before = menuOf(await screen.shows("/model"));
  const heights = new Set<number>();
  for (let at = 1; at <= 12; at++) {
    screen.emit({ kind: "text", text: `word ${at}\n\n` });
    heights.add(menuOf(await screen.shows(`word ${at}`)).length);
  }
  assert.deepEqual([...heights], [before.length]);
  await screen.type("mo");
  await screen.hides("/resume");
  screen.done();
});

Deno.test("Escape closes the menu and nothing else", async () => {
  await using screen = new TestScreen({ commands: () => ({ kind: "done" }) });
  await screen.shows("ready");
  await screen.type("/");
  await screen.shows("/model");
  screen.keys("\x1b");
  await screen.hides("/model");
  await screen.shows(/─\n\//);
  assert.deepEqual(screen.sent, []);
});

Deno.test({
  name: "a picture from the clipboard is a token in the draft and a reference to the kept file in the message",
  ignore: Deno.build.os !== "linux",
}, async () => {
  const home = await Deno.makeTempDir();
  const program = `${home}/wl-paste`;
  await Deno.writeTextFile(program, "#!/bin/sh\nprintf '\\211PNG picture'\n", { mode: 0o755 });
  const processes = {
    which: (name: string) => Promise.resolve(name === "wl-paste" ? program : undefined),
  } as Processes;
  await using screen = new TestScreen({ ports: { home, processes } });
  await screen.shows("ready");
  await screen.type("what is ");
  screen.keys("\x16");
  await screen.shows("[image #1]");
  await screen.type("\r");
  const path = /^what is @"(\S+\.png)"$/.exec(lastPrompt(screen) ?? "")?.[1];
  assert.ok(path !== undefined && path.startsWith(`${home}/pasted-images/`));
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  await Deno.remove(home, { recursive: true });
});
