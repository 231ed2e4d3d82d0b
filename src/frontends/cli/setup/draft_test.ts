import assert from "node:assert/strict";
import { type FileState, SetupConflict, SetupDraft, toFileState } from "./draft.ts";

const one = { name: "one", base_url: "https://one.example", models: ["a"], odd_key: 1 };
const two = { name: "two", base_url: "https://two.example" };
const state = (more: Partial<FileState> = {}): FileState => ({
  providers: [one],
  defaultModel: "one",
  access: undefined,
  ...more,
});

Deno.test("a document's foreign parts are left out of the draft", () => {
  const document = {
    providers: [one],
    default_model: "one",
    ui: { theme: "dark" },
    desktop: { provider_access: ["one"] },
  };
  assert.deepEqual(toFileState(document), state({ access: ["one"] }));
  assert.deepEqual(toFileState({ providers: "x", default_model: 1 }), {
    providers: [],
    defaultModel: undefined,
    access: undefined,
  });
});

Deno.test("each change becomes one small edit", () => {
  const draft = new SetupDraft(state({ access: ["one", "theirs"] }));
  draft.change("one", { base_url: "https://new.example", models: undefined });
  draft.add(two);
  draft.chooseDefault("two");
  assert.deepEqual(draft.edits(state({ access: ["one", "theirs"] })), [
    { set: ["providers", { name: "one" }, "base_url"], value: "https://new.example" },
    { remove: ["providers", { name: "one" }, "models"] },
    { append: ["providers"], value: two },
    { set: ["default_model"], value: "two" },
    { set: ["desktop", "provider_access"], value: ["one", "theirs", "two"] },
  ]);
});

Deno.test("removing the default provider makes another the default", () => {
  const draft = new SetupDraft(state({ providers: [one, two], defaultModel: "one/a" }));
  draft.remove("one");
  assert.deepEqual(draft.edits(state({ providers: [one, two], defaultModel: "one/a" })), [
    { remove: ["providers", { name: "one" }] },
    { set: ["default_model"], value: "two" },
  ]);
});

Deno.test("nothing changed means nothing to save", () => {
  const draft = new SetupDraft(state());
  draft.change("one", { models: ["a"] });
  assert.deepEqual([draft.isChanged, draft.edits(state())], [false, []]);
});

const conflicts: [string, (draft: SetupDraft) => void, FileState, string][] = [
  [
    "the same key of a provider",
    (draft) => draft.change("one", { base_url: "https://mine.example" }),
    state({ providers: [{ ...one, base_url: "https://theirs.example" }] }),
    "provider one: base_url",
  ],
  [
    "a provider removed there and changed here",
    (draft) => draft.change("one", { base_url: "https://mine.example" }),
    state({ providers: [] }),
    "provider one (removed there)",
  ],
  [
    "a provider changed there and removed here",
    (draft) => draft.remove("one"),
    state({ providers: [{ ...one, models: ["b"] }] }),
    "provider one (changed there, removed here)",
  ],
  [
    "a provider of one name added on both sides",
    (draft) => draft.add(two),
    state({ providers: [one, { ...two, base_url: "https://theirs.example" }] }),
    "provider two (added there as well)",
  ],
  ["the default model", (draft) => draft.chooseDefault("x"), state({ defaultModel: "y" }), "default_model"],
];

for (const [what, change, newest, place] of conflicts) {
  Deno.test(`a conflict is told: ${what}`, () => {
    const draft = new SetupDraft(state());
    change(draft);
    assert.throws(() => draft.edits(newest), (error) => error instanceof SetupConflict && error.places.includes(place));
  });
}

Deno.test("what others changed elsewhere is no conflict, nor is the same change made twice", () => {
  const draft = new SetupDraft(state());
  draft.change("one", { base_url: "https://mine.example" });
  const newest = state({
    providers: [{ ...one, models: ["b"], base_url: "https://mine.example" }, two],
    defaultModel: "two",
  });
  assert.deepEqual(draft.edits(newest), [
    { set: ["providers", { name: "one" }, "base_url"], value: "https://mine.example" },
  ]);
});

Deno.test("the summary names keys by their variable alone", () => {
  const draft = new SetupDraft(state());
  draft.setKey("ONE_API_KEY", "sk-very-secret");
  assert.deepEqual(draft.summary(), ["save the key ONE_API_KEY"]);
});
