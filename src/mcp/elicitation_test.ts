// A server's form as questions to the person, and their answers in the form's shape.
import assert from "node:assert/strict";
import type { AskAnswer, Question } from "../contract/decision.ts";
import { elicitFromPerson } from "./elicitation.ts";

const form = {
  message: "Who are you?",
  requestedSchema: {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", description: "As on the badge" },
      age: { type: "integer", default: 7 },
      tea: { type: "boolean" },
      team: { type: "string", enum: ["r", "b"], enumNames: ["Red", "Blue"] },
      days: { type: "array", items: { type: "string", enum: ["mon", "tue"] } },
    },
    required: ["name"],
  },
};

async function fill(answers: readonly AskAnswer[], request: Record<string, unknown> = form) {
  const cards: (readonly Question[])[] = [];
  const left = [...answers];
  const result = await elicitFromPerson("badge", request, {
    ask: (questions) => {
      for (const { options } of questions) assert.ok(options.length >= 2 && options.length <= 4);
      assert.ok(questions.length <= 4);
      cards.push(questions);
      return Promise.resolve(left.shift()!);
    },
    signal: new AbortController().signal,
  });
  return { cards, result };
}
const yes: AskAnswer = { choices: [["Answer"]] };

Deno.test("each field is a question, and answers take the form's types", async () => {
  const { cards, result } = await fill([yes, { choices: [["Ada"], ["36"], ["Yes"], ["Blue"]] }, {
    choices: [["mon", "tue"]],
  }]);
  assert.deepEqual(cards.map((card) => card.map(({ header }) => header)), [["badge"], ["Name", "age", "tea", "team"], [
    "days",
  ]]);
  assert.deepEqual(result, {
    action: "accept",
    content: { name: "Ada", age: 36, tea: true, team: "b", days: ["mon", "tue"] },
  });
});

Deno.test("what is left as it was, or cannot be read, is left to the form's default", async () => {
  const { result } = await fill([yes, { choices: [["Ada"], ["Leave as proposed"], ["perhaps"], ["Leave empty"]] }, {
    choices: [[]],
  }]);
  assert.deepEqual(result, { action: "accept", content: { name: "Ada" } });
});

Deno.test("a no is a no, a dismissal cancels, and so does a needed field without an answer", async () => {
  assert.deepEqual((await fill([{ choices: [["Decline"]] }])).result, { action: "decline" });
  assert.deepEqual((await fill(["dismissed"])).result, { action: "cancel" });
  assert.deepEqual((await fill([yes, { choices: [[], [], [], []] }])).result, { action: "cancel" });
});

Deno.test("what is no form, or too large a one, is declined without a question", async () => {
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`f${i}`, { type: "string" }]));
  for (const request of [{ mode: "url", url: "https://a.example" }, {}, { requestedSchema: { properties: many } }]) {
    assert.deepEqual(await fill([], request), { cards: [], result: { action: "decline" } });
  }
});
