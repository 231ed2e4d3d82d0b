/**
 * What the terminal costs while an answer streams, beside the barest program on the same library: one Markdown
 * component that is given the whole text with every token. Ratios hold on any machine; the numbers beside them do not.
 *
 *     deno run -A --no-check scripts/bench/tui.ts [TOKENS]
 */
import process from "node:process";
import type { Terminal } from "@earendil-works/pi-tui";
import type { Event, EventBody, EventListener } from "../../src/contract/event.ts";
import { fakeController, fakeTuiPorts } from "../../tests/support/fake_screen.ts";

const TOKENS = Number(Deno.args[0] ?? 5_000);
const APART = 2;
const KEYS = 40;

/** Takes everything, shows nothing, and tells when a text comes by. */
class CountingTerminal implements Terminal {
  readonly columns = 100;
  readonly rows = 30;
  readonly kittyProtocolActive = false;
  bytes = 0;
  writes = 0;
  #input: (data: string) => void = () => {};
  #seen: { readonly text: string; readonly done: () => void } | undefined;

  start(onInput: (data: string) => void): void {
    this.#input = onInput;
  }
  write(data: string): void {
    this.bytes += data.length;
    this.writes++;
    if (this.#seen && data.includes(this.#seen.text)) {
      this.#seen.done();
      this.#seen = undefined;
    }
  }
  key(data: string): void {
    this.#input(data);
  }
  comesBy(text: string): Promise<void> {
    return new Promise((done) => this.#seen = { text, done });
  }
  drainInput = () => Promise.resolve();
  stop(): void {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
  setProgramStatus(): void {}
}

interface Subject {
  readonly terminal: CountingTerminal;
  say(token: string): void;
  finish(): Promise<void>;
}

interface Measured {
  readonly firstFrameMs: number;
  readonly cpuMsPerThousand: number;
  readonly bytesPerThousand: number;
  readonly redraws: number;
  readonly echoMs: number;
}

/** An answer as models write them: prose, lists, code. */
function* tokens(count: number): Generator<string> {
  const page =
    "The parser reads one line at a time and keeps no state between them, so that a broken line costs itself only.\n\n" +
    "- it is **fast** on long files\n- it is `safe` on hostile ones\n\n```ts\nfor (const line of lines) {\n  emit(parse(line)); // one event each\n}\n```\n\n";
  const words = page.match(/\s*\S+\s*?/g)!;
  for (let at = 0; at < count; at++) yield words[at % words.length]!;
}

async function ours(): Promise<Subject> {
  const { runScreen } = await import("../../src/frontends/tui/mod.ts");
  const terminal = new CountingTerminal();
  let tell: EventListener = () => {};
  let seq = 0;
  const emit = (body: EventBody) => tell({ sessionId: "s", turnId: "t1", seq: ++seq, ...body } as Event);
  const controller = fakeController({
    busy: true,
    subscribe: (listener) => {
      tell = listener;
      return () => {};
    },
  });
  const leave = new AbortController();
  const shown = terminal.comesBy("ready");
  const ended = runScreen(fakeTuiPorts(controller), { terminal, signal: leave.signal });
  await shown;
  emit({ kind: "turn_status", status: "queued" });
  emit({ kind: "user_message", text: "go" });
  emit({ kind: "turn_started" });
  return {
    terminal,
    say: (text) => emit({ kind: "text", text }),
    finish: async () => {
      emit({ kind: "turn_done", status: "completed", outcome: "completed", rounds: 1 });
      leave.abort();
      await ended;
    },
  };
}

async function bare(): Promise<Subject> {
  const { Editor, Markdown, TuiMainScreen } = await import("@earendil-works/pi-tui");
  const plain = (text: string) => text;
  const terminal = new CountingTerminal();
  const tui = new TuiMainScreen(terminal, true);
  const theme = Object.fromEntries(
    [
      "heading",
      "link",
      "linkUrl",
      "code",
      "codeBlock",
      "codeBlockBorder",
      "quote",
      "quoteBorder",
      "hr",
      "listBullet",
      "bold",
      "italic",
      "strikethrough",
      "underline",
    ]
      .map((name) => [name, plain]),
  ) as unknown as ConstructorParameters<typeof Markdown>[3];
  const answer = new Markdown("", 0, 0, theme);
  const select = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain };
  const editor = new Editor(tui, { borderColor: plain, selectList: select });
  tui.addChild(answer);
  tui.addChild(editor);
  tui.setFocus(editor);
  const shown = terminal.comesBy("─");
  tui.start();
  await shown;
  let text = "";
  return {
    terminal,
    say: (token) => {
      answer.setText(text += token);
      tui.requestRender();
    },
    finish: () => Promise.resolve(tui.stop()),
  };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function measure(create: () => Promise<Subject>): Promise<Measured> {
  const started = performance.now();
  const { terminal, say, finish } = await create();
  const firstFrameMs = performance.now() - started;
  const [bytes, writes, cpu] = [terminal.bytes, terminal.writes, process.cpuUsage()];
  for (const token of tokens(TOKENS)) {
    say(token);
    await pause(APART);
  }
  const { user, system } = process.cpuUsage(cpu);
  const thousand = TOKENS / 1000;
  const measured = {
    cpuMsPerThousand: (user + system) / 1000 / thousand,
    bytesPerThousand: (terminal.bytes - bytes) / thousand,
    redraws: terminal.writes - writes,
  };
  const echoes: number[] = [];
  for (let at = 0; at < KEYS; at++) {
    for (const token of tokens(5)) {
      say(token);
      await pause(APART);
    }
    const mark = String.fromCodePoint(0x4e00 + at);
    const pressed = performance.now();
    const echoed = terminal.comesBy(mark);
    terminal.key(mark);
    await echoed;
    echoes.push(performance.now() - pressed);
  }
  await finish();
  return { firstFrameMs, ...measured, echoMs: echoes.sort((a, b) => a - b)[Math.floor(KEYS / 2)]! };
}

// The library is loaded before either is timed: it costs both the same.
await import("@earendil-works/pi-tui");
const [one, other] = [await measure(ours), await measure(bare)];
const rows: [string, keyof Measured, number][] = [
  ["first frame, ms", "firstFrameMs", 1],
  ["CPU per 1000 tokens, ms", "cpuMsPerThousand", 0],
  ["bytes written per 1000 tokens", "bytesPerThousand", 0],
  ["writes", "redraws", 0],
  ["key to echo while streaming, ms (median)", "echoMs", 2],
];
console.log(`${TOKENS} tokens, ${APART} ms apart, 100x30`);
console.log(`${"".padEnd(42)}${"reasonix".padStart(12)}${"bare loop".padStart(12)}${"ratio".padStart(8)}`);
for (const [name, key, digits] of rows) {
  const ratio = (one[key] / other[key]).toFixed(2);
  console.log(
    name.padEnd(42) + one[key].toFixed(digits).padStart(12) + other[key].toFixed(digits).padStart(12) +
      ratio.padStart(8),
  );
}
Deno.exit(0);
