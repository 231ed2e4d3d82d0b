import assert from "node:assert/strict";
import type { Message } from "../contract/message.ts";
import { BUILT_IN_STYLES, type OutputStyle, SessionStyle, styleSection } from "./output_style.ts";

const [concise, , learning] = BUILT_IN_STYLES as [OutputStyle, OutputStyle, OutputStyle];

function session(messages: readonly Message[], wanted: { style: OutputStyle | undefined }) {
  const style = new SessionStyle({ wanted: () => wanted.style, messages: () => messages });
  const turn = async () => {
    const signal = new AbortController().signal;
    const given = await style.observer.turnBegins!({ id: "t", text: "go", first: false }, signal);
    return given?.before?.map((block) => /name="(.*?)"/.exec(block)?.[1]) ?? [];
  };
  return { style, turn };
}

const system = (text: string): Message => ({ role: "system", content: text });

Deno.test("a style that stands in the opening is not told again; a change is told once", async () => {
  const wanted: { style: OutputStyle | undefined } = { style: concise };
  const { style, turn } = session([system(`You are.\n\n${styleSection(concise)}`)], wanted);
  assert.deepEqual(await turn(), []);
  assert.deepEqual(style.facts, []);
  wanted.style = learning;
  assert.deepEqual([await turn(), await turn()], [["learning"], []]);
  assert.match(style.facts.join(), /^Output style of your answers: learning\n/);
  wanted.style = undefined;
  assert.deepEqual([await turn(), await turn()], [["default"], []]);
  assert.deepEqual(style.facts, []);
});

Deno.test("a conversation that is taken up again knows what it was told last, and from whom", async () => {
  const told = `<output-style name="concise">\n…\n</output-style>\n\ngo on`;
  const messages: Message[] = [
    system("You are."),
    { role: "user", content: told, raw_content: "go on" },
    // Words of the person's own are no word of the host.
    { role: "user", content: `x\n\n<output-style name="learning">`, raw_content: `<output-style name="learning">` },
  ];
  const wanted: { style: OutputStyle | undefined } = { style: concise };
  const { style, turn } = session(messages, wanted);
  assert.deepEqual(await turn(), []);
  assert.match(style.facts.join(), /concise/);
  messages.splice(1);
  style.reread();
  assert.deepEqual(await turn(), ["concise"]);
});
