/** One program driven by keys in a real terminal, from its start to its exit code. Needs the Debian package `tmux`. */

import { TMUX } from "./tmux.ts";

if (!TMUX) console.warn("tests in a terminal are left out: install the Debian package tmux");

export class KeyedProgram implements AsyncDisposable {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  static async start(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly columns?: number },
  ): Promise<KeyedProgram> {
    const terminal = new KeyedProgram(`reasonix-test-${crypto.randomUUID().slice(0, 8)}`);
    const env = Object.entries(options.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const size = ["-x", String(options.columns ?? 100), "-y", "40"];
    const command = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    await terminal.#tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      ...size,
      ...env,
      "-c",
      options.cwd,
      `${command}; echo "[exit $?]"; cat`,
    );
    return terminal;
  }

  /** Names of keys as tmux knows them: `Enter`, `Down`, `C-c`. */
  async key(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#tmux("send-keys", key);
  }

  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text);
  }

  async screen(): Promise<string> {
    return await this.#tmux("capture-pane", "-p", "-J", "-S", "-200");
  }

  /** Waits until the screen shows it; fails with the screen. */
  async shows(wanted: string | RegExp, seconds = 20): Promise<string> {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const screen = await this.screen();
      if (typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen)) return screen;
      if (Date.now() > end) throw new Error(`the screen does not show ${wanted}:\n${screen}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command("tmux", { args: ["-L", this.#socket, ...args] })
      .output();
    if (!success) throw new Error(`tmux ${args[0]}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux("kill-server").catch(() => {});
  }
}
