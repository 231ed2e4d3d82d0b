/**
 * Everyday work, done shortly against an endpoint on loopback, for what a start and the first rounds load and call: a
 * run without a person, one at a terminal, and the start of an MCP server.
 */
import { type Answer, type Endpoint, makePlace, type Place, startEndpoint } from "../../endpoint.ts";

/** What starts a program: a file, and arguments before the program's own. */
export type Command = readonly [file: string, ...args: string[]];

const READ: Answer = { tool: "read_file", args: { path: "greeting.txt" } };
const EDIT: Answer = { tool: "edit_file", args: { path: "greeting.txt", old_string: "hello", new_string: "good day" } };
const SHELL: Answer = { tool: "bash", args: { command: "cat greeting.txt" } };
const SAID: Answer = {
  text: "## Done\n\nThe file says **good day**:\n\n```ts\nconst text = `good day`;\n```\n- one\n- two\n",
};

/** An MCP server to start: the example plugin. */
const SERVER = decodeURIComponent(new URL("../../../plugins/example", import.meta.url).pathname);
const RUN_SERVER: Command = [Deno.execPath(), "run", "--quiet", "--no-check", "--no-config", "--no-lock"];

type Env = Readonly<Record<string, string>>;

export interface WarmRunOptions {
  readonly env?: Env;
  /** Called when the first request has arrived. */
  readonly requested?: () => void;
}

/** `run -p`. Answers what the program printed; throws when it did not do its work. */
export function warmRun(program: Command, { env, requested }: WarmRunOptions = {}): Promise<string> {
  return session([READ, EDIT, SHELL, SAID], { env, requested }, ({ workspace, env }) => {
    return tryProgram(program, ["run", "--auto", "-p", "greet better"], { cwd: workspace, env });
  });
}

/** The same at a terminal. Undefined where no program can make one. */
export function warmScreen(
  program: Command,
  { env }: Pick<WarmRunOptions, "env"> = {},
): Promise<string | undefined> {
  return session([READ, EDIT, SAID], { env }, async (place) => {
    using terminal = openTerminal(program, place);
    if (!terminal) return undefined;
    await terminal.shows(/· ready ·/);
    await terminal.type("greet better");
    await terminal.shows(/greet better/);
    await terminal.type("\r");
    await terminal.shows(/Allow edit_file\?/);
    // Keys that come at once with a question are not taken for its answer.
    await new Promise((done) => setTimeout(done, 500));
    await terminal.type("y");
    await terminal.shows(/- two[^]*· ready ·/);
    await terminal.type("\x04");
    return await terminal.ended();
  });
}

/** The start of the server. */
export async function warmServer(program: Command, { env }: Pick<WarmRunOptions, "env"> = {}): Promise<string> {
  const endpoint = startEndpoint([SAID]);
  const place = await makePlace(endpoint);
  try {
    const options = { cwd: place.workspace, env: { ...place.env, ...env } };
    // Behind the walls a server sees its workspace, wherever the sources lie.
    for (const file of ["main.ts", "server.ts"]) await Deno.copyFile(`${SERVER}/${file}`, `${place.workspace}/${file}`);
    const server = [...RUN_SERVER, `${place.workspace}/main.ts`];
    const added = await tryProgram(program, ["mcp", "add", "warm", "--", ...server], options);
    return added + await tryProgram(program, ["mcp", "retry", "warm"], options);
  } finally {
    await endpoint.stop();
    await place.remove();
  }
}

async function session<T>(
  answers: readonly Answer[],
  { env, requested }: WarmRunOptions,
  work: (place: Pick<Place, "workspace" | "env">) => Promise<T>,
): Promise<T> {
  let requests = 0;
  const endpoint: Endpoint = startEndpoint(() => {
    if (requests === 0) requested?.();
    return answers[Math.min(requests++, answers.length - 1)]!;
  });
  const place = await makePlace(endpoint);
  try {
    const file = `${place.workspace}/greeting.txt`;
    await Deno.writeTextFile(file, "hello\n");
    const result = await work({ workspace: place.workspace, env: { ...place.env, ...env } });
    const text = await Deno.readTextFile(file);
    if (result !== undefined && (requests !== answers.length || text !== "good day\n")) {
      throw new Error(`error: ${requests} requests, and the file holds ${JSON.stringify(text)}\n${result}`);
    }
    return result;
  } finally {
    await endpoint.stop();
    await place.remove();
  }
}

/** Answers what the program printed. Throws when it failed. */
export async function tryProgram(
  [file, ...before]: Command,
  args: readonly string[],
  options: { readonly env: Env; readonly cwd?: string },
): Promise<string> {
  const output = await new Deno.Command(file, {
    args: [...before, ...args],
    clearEnv: true,
    stdin: "null",
    ...options,
  }).output();
  const [out, err] = [output.stdout, output.stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  if (!output.success) throw new Error(`error: "${args.join(" ")}" ended with ${output.code}\n${out}${err}`);
  return out;
}

interface Terminal extends Disposable {
  type(keys: string): Promise<void>;
  /** Waits until the terminal has shown this since the last time something was awaited. */
  shows(pattern: RegExp): Promise<void>;
  ended(): Promise<string>;
}

const PATIENCE_MS = 60_000;
const ESCAPES = /\x1b(?:\[[\d;?<>=]*[ -/]*[@-~]|\][^\x07]*\x07)/g;

/** A program in a terminal of `script`, which every Linux has. */
function openTerminal(program: Command, { workspace, env }: Pick<Place, "workspace" | "env">): Terminal | undefined {
  if (Deno.build.os !== "linux") return undefined;
  const line = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command("script", {
      args: ["--quiet", "--flush", "--return", "--command", `exec ${line}`, "/dev/null"],
      cwd: workspace,
      clearEnv: true,
      env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const keyboard = child.stdin.getWriter();
  let said = "";
  let read = 0;
  let changed = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      changed.resolve();
      changed = Promise.withResolvers();
    }
  })();
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  return {
    type: (keys) => keyboard.write(new TextEncoder().encode(keys)),
    async shows(pattern) {
      for (;;) {
        const screen = said.slice(read).replace(ESCAPES, "");
        if (pattern.test(screen)) break;
        const ended = await Promise.race([changed.promise, reading.then(() => true)]);
        if (ended) throw new Error(`error: the terminal ended before it showed ${pattern}\n${screen}`);
      }
      read = said.length;
    },
    async ended() {
      await reading;
      const { code } = await child.status;
      if (code !== 0) throw new Error(`error: at a terminal the program ended with ${code}\n${said}`);
      return said;
    },
    [Symbol.dispose]() {
      clearTimeout(late);
      keyboard.close().catch(() => {});
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    },
  };
}
