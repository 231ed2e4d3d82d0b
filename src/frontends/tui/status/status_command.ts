/**
 * The line of the person's own command (`statusline.command`): it gets JSON on its input and prints what stands in
 * place of the second status row. One run at a time; what changes meanwhile is asked for once more afterwards. While
 * it fails, is silent or takes too long, the usual row stands.
 */
import type { Processes } from "../../../contract/workspace.ts";
import { toBytes } from "../../../lib/bytes.ts";
import { toLine } from "../../../lib/terminal_text.ts";

/** Milliseconds one run may take. */
const PATIENCE = 3_000;
/** Bytes of output that are read, and characters of it that are shown. */
const LARGEST = 16 * 1024;
const SHOWN = 400;

export interface StatusLineInput {
  readonly model: string;
  /** Tokens. */
  readonly contextUsed: number;
  readonly contextWindow: number;
  readonly cwd: string;
}

export interface StatusCommandOptions {
  /** For the shell; the person's own, so nothing confines it. */
  readonly command: string;
  readonly processes: Processes;
  /** Called when the line has changed. */
  readonly changed: () => void;
  readonly patienceMs?: number;
}

export class StatusCommand {
  readonly #options: StatusCommandOptions;
  #line: string | undefined;
  #wanted: StatusLineInput | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #stop: (() => void) | undefined;

  constructor(options: StatusCommandOptions) {
    this.#options = options;
  }

  /** Undefined while the usual row is to stand. */
  get line(): string | undefined {
    return this.#line;
  }

  /** Never rejects, and never waits: `changed` tells. */
  ask(input: StatusLineInput): void {
    if (this.#closed) return;
    this.#wanted = input;
    this.#running ??= this.#serve();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop?.();
    await this.#running;
  }

  async #serve(): Promise<void> {
    for (let input = this.#wanted; input !== undefined && !this.#closed; input = this.#wanted) {
      this.#wanted = undefined;
      const line = await this.#run(input).catch(() => undefined);
      if (this.#closed || line === this.#line) continue;
      this.#line = line;
      this.#options.changed();
    }
    this.#running = undefined;
  }

  async #run(input: StatusLineInput): Promise<string | undefined> {
    const { command, processes, patienceMs = PATIENCE } = this.#options;
    const program = await processes.open({ argv: [processes.shell.path, "-c", command] });
    let isLate = false;
    const stop = () => void program.close();
    this.#stop = stop;
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, patienceMs);
    try {
      void program.stderr.pipeTo(new WritableStream()).catch(() => {});
      const writer = program.stdin.getWriter();
      // A command that does not read its input is no failure.
      void writer.write(toBytes(`${JSON.stringify(input)}\n`)).then(() => writer.close()).catch(() => {});
      const text = await readHead(program.stdout);
      const { code } = await program.ended;
      const first = toLine(text.trimStart().split("\n", 1)[0] ?? "", SHOWN);
      return code === 0 && !isLate && first !== "" ? first : undefined;
    } finally {
      clearTimeout(timer);
      this.#stop = undefined;
      await program.close();
    }
  }
}

async function readHead(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    if (text.length < LARGEST) text += decoder.decode(bytes.subarray(0, LARGEST), { stream: true });
  }
  return text;
}
