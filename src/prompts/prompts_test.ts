import assert from "node:assert/strict";
import { createSessionContext, createSystemPrompt } from "./mod.ts";

const ports = {
  platform: "linux x86_64",
  shell: "bash",
  workspace: "/w",
  which: (program: string) => Promise.resolve(program === "git" ? "/usr/bin/git" : undefined),
};

Deno.test("the session context names machine, shell, workspace and programs, and no date", async () => {
  const text = await createSessionContext(ports, { enabled: true, offline: true, tools: { go: "/opt/go" } });
  assert.match(
    text,
    /^<session-context version="1">\nos: linux x86_64\nshell: bash .*\nworkspace: \/w\nprograms found: git, go at \/opt\/go\n/,
  );
  assert.match(text, /network: none/);
  assert.doesNotMatch(text, /20\d\d/);
  assert.equal(text, await createSessionContext(ports, { enabled: true, offline: true, tools: { go: "/opt/go" } }));
});

Deno.test("a disabled environment leaves the look at the machine out", async () => {
  assert.equal(
    await createSessionContext(ports, { enabled: false, offline: false, tools: {} }),
    '<session-context version="1">\nworkspace: /w\n</session-context>',
  );
});

Deno.test("a configured system prompt replaces the built-in one; a blank one does not", () => {
  assert.equal(createSystemPrompt(" mine \n"), "mine");
  assert.match(createSystemPrompt("  "), /^You are Reasonix/);
});
