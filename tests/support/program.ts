/**
 * The whole program as a process, with a home and a workspace of its own: from source, or the executable that
 * `REASONIX_EXECUTABLE` names.
 */
import { join } from "../../src/lib/path.ts";
import { SANDBOX_AS_AVAILABLE } from "./programs.ts";

const executable = Deno.env.get("REASONIX_EXECUTABLE");
const main = decodeURIComponent(new URL("../../main.ts", import.meta.url).pathname);

/** How the program is started. */
export const program: readonly string[] = executable
  ? [join(Deno.cwd(), executable)]
  : [Deno.execPath(), "run", "-A", "--quiet", "--no-check", "--no-prompt", main];

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export class Bed implements AsyncDisposable {
  readonly base: string;
  /** `REASONIX_HOME`. */
  readonly home: string;
  readonly workspace: string;

  private constructor(base: string) {
    this.base = base;
    this.home = `${base}/home`;
    this.workspace = `${base}/ws`;
  }

  static async create(
    files: { readonly config?: string; readonly keys?: string; readonly project?: string } = {},
  ): Promise<Bed> {
    const bed = new Bed(await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-cli-" })));
    await Promise.all([Deno.mkdir(bed.home), Deno.mkdir(bed.workspace)]);
    if (files.config !== undefined) await Deno.writeTextFile(`${bed.home}/config.toml`, files.config);
    if (files.keys !== undefined) await Deno.writeTextFile(`${bed.home}/.env`, files.keys, { mode: 0o600 });
    if (files.project !== undefined) await Deno.writeTextFile(`${bed.workspace}/reasonix.toml`, files.project);
    return bed;
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: this.base,
      REASONIX_HOME: this.home,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      DENO_DIR,
      ...more,
    };
  }

  start(args: readonly string[], options: RunOptions = {}): Deno.ChildProcess {
    return new Deno.Command(program[0]!, {
      args: [...program.slice(1), ...args],
      cwd: options.cwd ?? this.workspace,
      clearEnv: true,
      env: this.env(options.env),
      stdin: options.stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const child = this.start(args, options);
    if (options.stdin !== undefined) {
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(options.stdin)).catch(() => {});
      await writer.close().catch(() => {});
    }
    const { code, stdout, stderr } = await child.output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.base, { recursive: true });
  }
}

/** The cache of packages is the machine's, whatever home a test gives the program. */
export const DENO_DIR = await new Deno.Command(Deno.execPath(), {
  args: ["info", "--json"],
  stdout: "piped",
  stderr: "null",
})
  .output().then(({ stdout }) => JSON.parse(new TextDecoder().decode(stdout)).denoDir as string);

/** A provider on loopback that speaks chat completions. */
export function localProvider(url: string, more = ""): string {
  return `default_model = "local/m1"

${more.includes("[sandbox]") ? "" : SANDBOX_AS_AVAILABLE}
[[providers]]
name = "local"
kind = "openai"
base_url = "${url}"
models = ["m1", "m2"]
api_key_env = "LOCAL_KEY"
context_window = 100000
${more}`;
}
