import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import { TokenMeter } from "./tokens.ts";

const FIXED = { system: "s".repeat(400), tools: [] };
const text = (chars: number): Message => ({ role: "user", content: "x".repeat(chars - 16) });

Deno.test("before the endpoint has counted, four characters are a token", () => {
  const meter = new TokenMeter();
  assert.equal(meter.measure(FIXED, [text(100), text(101)]), Math.ceil(601 / 4));
});

Deno.test("after a count, the estimate is that count and what came since at the rate it showed", () => {
  const meter = new TokenMeter();
  const messages = [text(600)];
  meter.measure(FIXED, messages);
  meter.learn(500);
  assert.equal(meter.factor, 0.5);
  messages.push(text(100));
  assert.equal(meter.measure(FIXED, messages), 550);
});

Deno.test("the rate stays within 0.05 and 2 however odd a count is, and a count of nothing teaches nothing", () => {
  const factors = [1, 0, 50_000].map((tokens) => {
    const meter = new TokenMeter();
    meter.measure(FIXED, [text(600)]);
    meter.learn(tokens);
    return meter.factor;
  });
  assert.deepEqual(factors, [0.05, 0.25, 2]);
});

Deno.test("another view is measured anew and owes nothing to the count of the old one", () => {
  const meter = new TokenMeter();
  meter.measure(FIXED, [text(600), text(1000)]);
  meter.learn(1000);
  assert.equal(meter.measure(FIXED, [text(100)]), Math.ceil(500 * 0.5));
});

Deno.test("a view that is as long as the old one and ends alike is another one when the meter is told so", () => {
  const meter = new TokenMeter();
  const last = text(100);
  meter.measure(FIXED, [text(1000), last]);
  meter.forget();
  assert.equal(meter.measure(FIXED, [text(200), last]), Math.ceil(700 / 4));
});

Deno.test("each message is sized once, however often the view is measured", () => {
  let looks = 0;
  const watched = (): Message => ({
    role: "user",
    get content() {
      looks++;
      return "word ".repeat(20);
    },
  });
  const meter = new TokenMeter();
  const messages: Message[] = [];
  for (let round = 0; round < 200; round++) {
    messages.push(watched());
    meter.measure(FIXED, messages);
  }
  assert.equal(looks, 200);
});

Deno.test("an image counts by itself and not by the length of its address", () => {
  const meter = new TokenMeter();
  const image: Message = { role: "user", images: [{ url: `data:image/png;base64,${"A".repeat(1_000_000)}` }] };
  assert.ok(meter.tokensOf(image) < 2000);
});
