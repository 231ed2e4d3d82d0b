/** Starts `tests/support/session_writer.ts` as a process of its own and reads what it tells. */
export interface Fact {
  readonly id?: string;
  readonly saved?: number;
  readonly failed?: string;
  readonly message?: string;
  readonly remedy?: string;
  readonly notice?: string;
}

export interface Writer {
  readonly pid: number;
  /** The next fact; undefined when it has ended. */
  next(): Promise<Fact | undefined>;
  kill(): Promise<void>;
}

export interface WriterOptions {
  readonly stateRoot: string;
  readonly ref: string;
  readonly task: "hold" | "write" | "fill" | "spawn";
  /** Words put before the program, such as a shell that limits it. */
  readonly through?: readonly string[];
}

const PROGRAM = decodeURIComponent(new URL("../support/session_writer.ts", import.meta.url).pathname);

export function startWriter(options: WriterOptions): Writer {
  const [command, ...args] = [
    ...(options.through ?? []),
    ...[Deno.execPath(), "run", "-A", "--no-check", PROGRAM, options.stateRoot, options.ref, options.task],
  ];
  const child = new Deno.Command(command!, { args, stdin: "null", stdout: "piped", stderr: "inherit" }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    pid: child.pid,
    async next() {
      while (!text.includes("\n")) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
      const end = text.indexOf("\n");
      const fact = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      return fact;
    },
    async kill() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await reader.cancel();
      await child.status;
    },
  };
}

/** A store's folder that is gone afterwards. */
export async function withState(body: (stateRoot: string) => Promise<void>): Promise<void> {
  const stateRoot = await Deno.makeTempDir({ prefix: "reasonix-state-" });
  try {
    await body(stateRoot);
  } finally {
    await Deno.remove(stateRoot, { recursive: true });
  }
}
