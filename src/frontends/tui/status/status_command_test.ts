import assert from "node:assert/strict";
import { createLocalProcesses } from "../../../workspace/mod.ts";
import { StatusCommand, type StatusLineInput } from "./status_command.ts";

const INPUT: StatusLineInput = { model: "local/m", contextUsed: 120, contextWindow: 1000, cwd: "/w" };

const ignore = Deno.build.os === "windows";

async function withCommand(
  command: string,
  use: (own: StatusCommand, changed: () => Promise<void>) => Promise<void>,
  patienceMs?: number,
): Promise<void> {
  const root = await Deno.makeTempDir();
  let next = Promise.withResolvers<void>();
  const own = new StatusCommand({
    command,
    processes: createLocalProcesses({ root }),
    changed: () => {
      next.resolve();
      next = Promise.withResolvers();
    },
    ...(patienceMs === undefined ? {} : { patienceMs }),
  });
  try {
    await use(own, () => next.promise);
  } finally {
    await own.close();
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test(
  { name: "the command gets the facts as JSON, and its first line stands without controls", ignore },
  async () => {
    await withCommand(String.raw`read l; printf '\033[31m%s\033[0m\nsecond\n' "$l"`, async (own, changed) => {
      own.ask(INPUT);
      await changed();
      assert.match(own.line ?? "", /\{"model":"local\/m","contextUsed":120,"contextWindow":1000,"cwd":"\/w"\}/);
      assert.doesNotMatch(own.line ?? "", /\x1b|second/);
    });
  },
);

Deno.test(
  { name: "what changes while it runs is asked for once more, with the newest facts alone", ignore },
  async () => {
    await withCommand(`read l; echo x >>runs; echo "$l"`, async (own, changed) => {
      own.ask(INPUT);
      own.ask({ ...INPUT, contextUsed: 130 });
      own.ask({ ...INPUT, contextUsed: 140 });
      await changed();
      if (!own.line?.includes("140")) await changed();
      assert.match(own.line ?? "", /"contextUsed":140/);
    });
  },
);

for (
  const [what, command] of [
    ["fails", "echo no; exit 3"],
    ["is silent", "true"],
    ["does not exist", "no-such-program-of-anyone"],
    ["floods and fails", "head -c 3000000 /dev/zero | tr '\\0' x; exit 1"],
  ] as const
) {
  Deno.test({ name: `the usual row comes back when the command ${what}`, ignore }, async () => {
    await withCommand(`if [ -e gone ]; then ${command}; else touch gone; echo mine; fi`, async (own, changed) => {
      own.ask(INPUT);
      await changed();
      assert.equal(own.line, "mine");
      own.ask(INPUT);
      await changed();
      assert.equal(own.line, undefined);
    });
  });
}

Deno.test(
  { name: "a command that hangs is ended, with what it started, and closing waits for nothing", ignore },
  async () => {
    await withCommand(
      "if [ -e gone ]; then sleep 300 & sleep 300; else touch gone; echo mine; fi",
      async (own, changed) => {
        own.ask(INPUT);
        await changed();
        own.ask(INPUT);
        await changed();
        assert.equal(own.line, undefined);
        own.ask(INPUT);
      },
      1_500,
    );
  },
);
