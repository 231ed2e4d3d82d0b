// A key is asked for in a panel of its own: what is typed is never on the screen, in the draft or in its history.
import assert from "node:assert/strict";
import { assertScreen } from "../support/screen_fixture.ts";
import { TestScreen, type TestScreenOptions } from "../support/test_screen.ts";

const SIZES = [{ columns: 40, rows: 15 }, { columns: 120, rows: 40 }];
const KEY = "sk-0123456789";

const start = (options: TestScreenOptions = {}) =>
  new TestScreen({ commands: () => ({ kind: "frontend", action: "secret", argument: "PAID_KEY" }), ...options });

async function ask(screen: TestScreen): Promise<string> {
  await screen.shows("ready");
  await screen.type("/auth PAID_KEY\r");
  return await screen.shows("The key for PAID_KEY");
}

for (const size of SIZES) {
  const at = `${size.columns}x${size.rows}`;
  // proves CMD-15 CMD-18
  Deno.test(`a key at ${at} is asked for by a panel that owns the keys: no composer, and nothing to read`, async () => {
    await using screen = start(size);
    await ask(screen);
    screen.keys(...KEY);
    const text = await screen.shows("••••••••••••• 13");
    assert.equal(text.split("\n").filter((line) => /^─+$/.test(line)).length, 1);
    assert.doesNotMatch(screen.terminal.written, /sk-0/);
    assertScreen(`secret_${at}`, text);
    screen.keys("\r");
    await screen.hides("The key for");
    assert.deepEqual(screen.sent, [{ kind: "save_key", name: "PAID_KEY", value: KEY }]);
  });
}

Deno.test("a pasted key is taken with and without the marks of a paste, and only its first line", async () => {
  await using screen = start();
  await ask(screen);
  screen.keys(`\x1b[200~${KEY}\nand more\x1b[201~`);
  await screen.shows("13");
  screen.keys("\x7f", "\x15", "a", "b");
  await screen.shows("•• 2");
  screen.keys("\r");
  assert.deepEqual(screen.sent, [{ kind: "save_key", name: "PAID_KEY", value: "ab" }]);
});

Deno.test("leaving saves nothing, and what was typed comes back nowhere", async () => {
  await using screen = start();
  await ask(screen);
  screen.keys(...KEY, "\x1b");
  await screen.hides("The key for");
  screen.keys("\x1b[A");
  await screen.shows("/auth PAID_KEY");
  assert.deepEqual(screen.sent, []);
  assert.doesNotMatch(screen.terminal.written, /sk-0/);
});

Deno.test("what came of saving a key is told", async () => {
  await using screen = start();
  await ask(screen);
  screen.receipt = { accepted: true, done: Promise.reject(new Error("the file is not writable")) };
  screen.keys("a", "\r");
  await screen.shows("PAID_KEY: the file is not writable");
  await screen.type("/auth PAID_KEY\r");
  await screen.shows("The key for PAID_KEY");
  screen.receipt = { accepted: true, done: Promise.resolve() };
  screen.keys("b", "\r");
  await screen.shows("PAID_KEY is saved and in force.");
});
