// A session that came with a folder, opened by its path, with everything planted beside it that the program writes or reads.
import assert from "node:assert/strict";
import { toBytes, toHex } from "../../src/lib/bytes.ts";
import { Harness } from "../support/harness.ts";

const PRECIOUS = "precious\n";
const WINDOWS = Deno.build.os === "windows";

interface Brought {
  readonly harness: Harness;
  /** Of the brought session, without an ending. */
  readonly stem: string;
  /** Opens it, says something and closes it. */
  goOn(how?: { readonly copy?: boolean }): Promise<void>;
}

async function withBrought(
  body: (brought: Brought) => Promise<void>,
  { planted = "" }: { readonly planted?: string } = {},
): Promise<void> {
  await using harness = await Harness.start([{ text: "one" }, { text: "two" }, { text: "three" }], {
    request: { interactive: true },
  });
  await harness.prompt("hello");
  const { sessionPath } = harness.controller;
  await harness.controller.close();
  const stem = `${harness.root}/s/brought`;
  await Deno.mkdir(`${harness.root}/s`);
  await Deno.copyFile(sessionPath, `${stem}.jsonl`);
  await Deno.writeTextFile(`${stem}.jsonl`, planted, { append: true });
  await Deno.writeTextFile(`${harness.home}/victim`, PRECIOUS);
  harness.model.allowNextReset = true;
  await body({
    harness,
    stem,
    goOn: async ({ copy = false } = {}) => {
      await harness.open({ resume: { ref: `${stem}.jsonl` }, copy });
      await harness.prompt("on");
      await harness.controller.close();
    },
  });
  assert.equal(await Deno.readTextFile(`${harness.home}/victim`), PRECIOUS);
}

/** Names of what the program writes beside a transcript. */
const WRITTEN = [
  ".jsonl.meta",
  ".jsonl.meta.tmp",
  ".lease.json",
  ".lease.json.tmp",
  ".context.json",
  ".requests.jsonl",
  ".run-journal.ndjson",
  ".run-journal.ndjson.tmp",
  ".cleanup-pending.json",
];

Deno.test(
  "no link beside a brought session leads a write or a removal out of it",
  { ignore: WINDOWS },
  () =>
    withBrought(async ({ harness, stem, goOn }) => {
      for (const name of WRITTEN) await Deno.symlink(`${harness.home}/victim`, stem + name);
      await goOn();
      await harness.open({ resume: { ref: `${stem}.jsonl` } });
      const receipt = harness.controller.send({ kind: "discard_session" });
      assert.ok(receipt.accepted);
      await receipt.done;
    }),
);

Deno.test("throwing a brought session away takes along nothing that only begins alike", () =>
  withBrought(async ({ harness, stem, goOn }) => {
    await goOn();
    for (const name of [".ts", ".test.js", ".other.jsonl"]) await Deno.writeTextFile(stem + name, "work");
    await harness.open({ resume: { ref: `${stem}.jsonl` } });
    const receipt = harness.controller.send({ kind: "discard_session" });
    assert.ok(receipt.accepted);
    await receipt.done;
    const left = [...Deno.readDirSync(`${harness.root}/s`)].map(({ name }) => name).sort();
    assert.deepEqual(left, ["brought.other.jsonl", "brought.test.js", "brought.ts"]);
  }));

for (const name of [".jsonl.lock", ".ckpt", ".events.jsonl"]) {
  Deno.test(
    `a brought session with a link in place of its ${name} is not opened`,
    { ignore: WINDOWS },
    () =>
      withBrought(async ({ harness, stem }) => {
        await Deno.mkdir(`${harness.home}/folder`);
        await Deno.symlink(`${harness.home}/${name === ".ckpt" ? "folder" : "victim"}`, stem + name);
        await assert.rejects(harness.open({ resume: { ref: `${stem}.jsonl` } }), { name: "ReasonixError" });
        assert.deepEqual([...Deno.readDirSync(`${harness.home}/folder`)], []);
      }),
  );
}

Deno.test(
  "a damaged line is not carried to where a link leads",
  { ignore: WINDOWS },
  () =>
    withBrought(async ({ harness, stem }) => {
      await Deno.symlink(`${harness.home}/victim`, `${stem}.jsonl.damaged`);
      await assert.rejects(harness.open({ resume: { ref: `${stem}.jsonl` } }), { code: "session.write_failed" });
    }, { planted: "run this at every login\n" }),
);

Deno.test(
  "neither are damaged lines of its queue, and a folder elsewhere is no queue",
  { ignore: WINDOWS },
  () =>
    withBrought(async ({ harness, stem, goOn }) => {
      await Deno.mkdir(`${stem}.inbox`);
      await Deno.writeTextFile(`${stem}.inbox/log.jsonl`, "run this at every login\n");
      await Deno.symlink(`${harness.home}/victim`, `${stem}.inbox/log.damaged`);
      await goOn();
      await Deno.remove(`${stem}.inbox`, { recursive: true });
      await Deno.mkdir(`${harness.home}/folder`);
      await Deno.writeTextFile(`${harness.home}/folder/log.jsonl`, PRECIOUS);
      await Deno.symlink(`${harness.home}/folder`, `${stem}.inbox`);
      await harness.open({ resume: { ref: `${stem}.jsonl` } });
      assert.ok(harness.controller.notices.some((text) => text.includes("messages that are queued now are not kept")));
      assert.equal(await Deno.readTextFile(`${harness.home}/folder/log.jsonl`), PRECIOUS);
    }),
);

Deno.test(
  "a pipe or a device in place of what is read holds nothing up",
  { ignore: WINDOWS },
  () =>
    withBrought(async ({ stem, goOn }) => {
      for (const name of [".jsonl.meta", ".context.json", ".requests.jsonl", ".run-journal.ndjson", ".lease.json"]) {
        await new Deno.Command("mkfifo", { args: [stem + name] }).output();
      }
      await goOn();
      for (const name of [".jsonl.meta", ".context.json"]) {
        await Deno.remove(stem + name);
        await Deno.symlink("/dev/zero", stem + name);
      }
      await goOn();
    }),
);

for (const copy of [false, true]) {
  Deno.test(`a going back that a brought session says was cut off writes no file${copy ? ", nor in a copy" : ""}`, () =>
    withBrought(async ({ harness, stem, goOn }) => {
      const hook = toBytes("#!/bin/sh\necho ran\n");
      const sha256 = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", hook)));
      await Deno.mkdir(`${stem}.ckpt/blobs/${sha256.slice(0, 2)}`, { recursive: true });
      await Deno.writeFile(`${stem}.ckpt/blobs/${sha256.slice(0, 2)}/${sha256}`, hook);
      const path = `${harness.root}/.git/hooks/post-checkout`;
      const from = { kind: "file", size: hook.length, mode: 0o755, sha256 };
      const lines = [
        {
          type: "transaction",
          id: "t",
          kind: "rewind",
          conversation: false,
          steps: [{ path, from, to: { kind: "absent" } }],
        },
        { type: "state", id: "t", state: "committing" },
      ].map((line) => JSON.stringify({ schema_version: 1, at: 1, ...line }) + "\n");
      await Deno.writeTextFile(`${stem}.ckpt/log.jsonl`, lines.join(""));
      await goOn({ copy });
      await assert.rejects(Deno.lstat(path), Deno.errors.NotFound);
      await goOn();
      await assert.rejects(Deno.lstat(path), Deno.errors.NotFound);
    }));
}
