// Commands that open a list or a panel, with the data the commands themselves give: who owns the keys, and that it fits.
import assert from "node:assert/strict";
import { createCommands } from "../../src/controller/commands/dispatch.ts";
import type { CommandHost } from "../../src/controller/commands/host.ts";
import { SessionTotals } from "../../src/controller/commands/session_totals.ts";
import type { Controller } from "../../src/controller/mod.ts";
import { assertScreen } from "../support/screen_fixture.ts";
import { TestScreen } from "../support/test_screen.ts";

const SIZES = [{ columns: 40, rows: 15 }, { columns: 120, rows: 40 }];

const PAGES = {
  pages: [
    { name: "guide", title: "Guide", sections: [{ address: "guide/hooks", heading: "Hooks" }] },
    { name: "config", title: "Settings", sections: [] },
  ],
};
const FOUND = {
  address: "guide/going-back",
  path: "guide › Going back: /rewind",
  text: `Before the agent changes a file for the first time in a turn, its bytes are saved.\n\n${
    Array.from({ length: 40 }, (_, at) => `- fact ${at + 1}`).join("\n")
  }`,
};

const provider = { kind: "openai", keyName: "", key: "not_needed", ofProject: false } as const;

const host: Partial<CommandHost> = {
  documents: () => Promise.resolve({ ...PAGES, section: () => undefined, search: () => [FOUND] }),
  sources: [],
  outputStyles: {
    list: () =>
      Promise.resolve([
        { name: "concise", description: "as few words as carry the answer", origin: "built_in" },
        { name: "pirate", description: "talks like a pirate", origin: "project" },
      ]),
    wanted: "concise",
    choose: () => assert.fail(),
  },
  places: [["keys", "/home/you/.reasonix/.env"]],
  models: ["local/scripted", "paid/small", "paid/large"],
  providers: () =>
    Promise.resolve([
      { ...provider, name: "local", label: "local", host: "127.0.0.1:11434", models: ["local/scripted"] },
      {
        ...provider,
        name: "paid",
        label: "The paid one",
        kind: "anthropic",
        host: "api.example.com",
        models: ["paid/small", "paid/large"],
        keyName: "PAID_KEY",
        key: "missing",
      },
      {
        ...provider,
        name: "theirs",
        label: "theirs",
        host: "gateway.example.net",
        models: ["theirs/m"],
        keyName: "PAID_KEY",
        key: "unconfirmed",
        ofProject: true,
      },
    ]),
};

/** A screen whose commands are the real ones; `lines` are those that were run. */
function screenWith(size: (typeof SIZES)[number], lines: string[] = []): TestScreen {
  const controller = {
    model: { ref: "local/scripted", contextWindow: 64_000 },
    preset: "balanced",
  } as Controller;
  const commands = createCommands({
    controller,
    host: host as CommandHost,
    runtime: () => assert.fail(),
    totals: new SessionTotals("local/scripted"),
  });
  return new TestScreen({
    ...size,
    commands: (line) => {
      lines.push(line);
      return line.startsWith("/model ") ? { kind: "done" } : commands.run(line);
    },
  });
}

/** The rules of the composer: two full lines of `─`. A panel draws one. */
const rules = (text: string) => text.split("\n").filter((line) => /^─+$/.test(line)).length;

async function open(screen: TestScreen, line: string, shows: string | RegExp): Promise<string> {
  await screen.shows("ready");
  await screen.type(`${line} `);
  screen.keys("\r");
  return await screen.shows(shows);
}

const LISTS: readonly (readonly [name: string, line: string, shows: string | RegExp])[] = [
  ["provider", "/provider", "The paid one"],
  ["max_output", "/max-output", "131072"],
  ["auth", "/auth", "PAID_KEY"],
  ["preset", "/preset", "delivery"],
  ["output_style", "/output-style", "pirate"],
  ["docs", "/docs", "Settings"],
  ["docs_answer", "/docs going back", "Going back: /rewind"],
];

for (const size of SIZES) {
  const at = `${size.columns}x${size.rows}`;
  for (const [name, line, shows] of LISTS) {
    // proves CMD-15 CMD-18
    Deno.test(`${line} at ${at} owns the keys: list and status, no composer`, async () => {
      await using screen = screenWith(size);
      const text = await open(screen, line, shows);
      assert.equal(rules(text), 1);
      assert.match(text, /\[Ask\]/);
      assertScreen(`${name}_${at}`, text);
      screen.keys("\x1b");
      assert.equal(rules(await screen.hides("Esc closes")), 2);
    });
  }
}

Deno.test("/provider goes on to the models of the one that is chosen, and switches to one", async () => {
  const lines: string[] = [];
  await using screen = screenWith(SIZES[1]!, lines);
  await open(screen, "/provider", /❯ ● local/);
  screen.keys("j", "\r");
  await screen.shows("Models of The paid one");
  screen.keys("j", "\r");
  await screen.hides("Models of");
  assert.deepEqual(lines, ["/provider", "/provider paid", "/model paid/large"]);
});
