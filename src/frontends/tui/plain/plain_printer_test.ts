import assert from "node:assert/strict";
import type { Event, EventBody } from "../../../contract/event.ts";
import { createTranslate } from "../../view/mod.ts";
import { PlainPrinter } from "./plain_printer.ts";

function printed(...bodies: readonly EventBody[]): string {
  let text = "";
  const printer = new PlainPrinter((more) => void (text += more), createTranslate("en"), { showReasoning: false });
  bodies.forEach((body, at) => printer.print({ sessionId: "s", turnId: "t1", seq: at + 1, ...body } as Event));
  return text;
}

Deno.test("what others say in the middle of a line of the answer is told at the end of the line", () => {
  const text = printed(
    { kind: "text", text: "one wo" },
    { kind: "notice", level: "info", text: "by the way" },
    { kind: "text", text: "rd\ntwo" },
    { kind: "notice", level: "info", text: "and this" },
    { kind: "message", text: "one word\ntwo", reasoning: "" },
  );
  assert.equal(text, "one word\nby the way\ntwo\nand this\n");
});
