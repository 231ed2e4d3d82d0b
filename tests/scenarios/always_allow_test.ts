import assert from "node:assert/strict";
import { loadFolderTrust, saveFolderTrust } from "../../src/config/mod.ts";
import { Harness } from "../support/harness.ts";

const script = (command: string) => [{ calls: [{ name: "bash", args: { command } }] }, { text: "done" }];

async function trust(harness: Harness): Promise<void> {
  await saveFolderTrust(`${harness.home}/trusted-folders.json`, {
    folder: harness.root,
    answer: "trusted",
    demands: [],
  });
}

function answerAlways(harness: Harness): string[] {
  const asked: string[] = [];
  harness.controller.subscribe((event) =>
    queueMicrotask(() => {
      if (event.kind !== "approval_request") return;
      asked.push(event.approval.alwaysRule ?? "(not offered)");
      harness.controller.send({
        kind: "approve",
        id: event.approval.id,
        answer: event.approval.alwaysRule ? "always" : "deny",
      });
    })
  );
  return asked;
}

// proves ROAD-12
Deno.test("an answer for always is written into the project's settings and holds at the next start, comments kept", async () => {
  await using harness = await Harness.start([...script("make x"), ...script("make x"), ...script("make y")], {
    files: { "reasonix.toml": '# ours\n[ui]\ntheme = "dark" # calm\n', "Makefile": "x y:\n\t@echo made $@\n" },
    request: { interactive: true, posture: "ask" },
  });
  await harness.controller.close();
  await trust(harness);
  await harness.open({});
  const first = answerAlways(harness);
  await harness.prompt("make it");
  assert.deepEqual(first, ["Bash(make x)"]);
  assert.equal(
    await harness.text("reasonix.toml"),
    '# ours\n[ui]\ntheme = "dark" # calm\n\n[permissions]\nallow = ["Bash(make x)"]\n',
  );
  await harness.controller.close();
  await harness.open({ resume: "latest" });
  assert.deepEqual(harness.controller.notices, []);
  const second = answerAlways(harness);
  await harness.prompt("again");
  await harness.prompt("another");
  assert.deepEqual(second, ["Bash(make y)"]);
});

Deno.test("a folder that changed on its own is not agreed to by the way", async () => {
  await using harness = await Harness.start(script("make x"), {
    files: { "Makefile": "x:\n\t@echo made\n" },
    request: { interactive: true, posture: "ask" },
  });
  await harness.controller.close();
  await trust(harness);
  await harness.open({});
  await harness.put("reasonix.toml", '[permissions]\nallow = ["Bash"]\n');
  answerAlways(harness);
  await harness.prompt("make it");
  assert.deepEqual((await loadFolderTrust(`${harness.home}/trusted-folders.json`, harness.root))?.demands, []);
});

Deno.test("in a folder that is not trusted, always is not offered", async () => {
  await using harness = await Harness.start(script("make x"), { request: { interactive: true, posture: "ask" } });
  const asked = answerAlways(harness);
  await harness.prompt("make it");
  assert.deepEqual(asked, ["(not offered)"]);
});
