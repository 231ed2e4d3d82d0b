/** A real terminal for end-to-end tests: tmux on a socket of its own, and what its panes show. */
import assert from "node:assert/strict";
import { DENO_DIR, program } from "./program.ts";

function works(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["-V"], stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

/** False: install the Debian package `tmux` to run these tests. */
export const TMUX = works("tmux");

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

export interface PaneOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One pane with a shell in it, so that what a program leaves behind can be seen. */
export class Pane implements AsyncDisposable {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  static async open({ columns, rows, cwd, env }: PaneOptions): Promise<Pane> {
    const pane = new Pane(`reasonix-test-${crypto.randomUUID().slice(0, 8)}`);
    const set = Object.entries({ DENO_DIR, ...env }).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    await pane.#tmux([
      ...["-f", "/dev/null", "new-session", "-d", "-s", "t", "-x", `${columns}`, "-y", `${rows}`, "-c", cwd],
      ...["-e", "PS1=$ ", "-e", "NO_COLOR=1", "-e", "LANG=C.UTF-8", ...set, "sh"],
    ]);
    await pane.#tmux(["set-option", "-g", "history-limit", "20000"]);
    await pane.shows(/[$#] ?$/, 20_000);
    return pane;
  }

  /** The program as a command line for the shell: as other tests start it. */
  static program(args = ""): string {
    return [...program.map(quoted), args].join(" ").trimEnd();
  }

  /** A script of the project as a command line for the shell. */
  static script(path: string): string {
    return [Deno.execPath(), "run", "-A", "--no-check", "--config", `${ROOT}deno.json`, ROOT + path].map(quoted).join(
      " ",
    );
  }

  /** Types a line and Enter as a person does: with a pause before the Enter, when the line can be seen. */
  async line(text: string): Promise<void> {
    await this.type(text);
    const end = withoutBlanks(text).slice(-12);
    for (let tries = 0; tries < 100 && !withoutBlanks(await this.screen()).includes(end); tries++) {
      await new Promise((done) => setTimeout(done, 50));
    }
    await this.key("Enter");
  }

  async type(text: string): Promise<void> {
    await this.#tmux(["send-keys", "-t", "t", "-l", "--", text]);
    // Keys of one write are a paste; the one that follows must not look like its end.
    await new Promise((done) => setTimeout(done, 120));
  }

  /** A key by tmux's name, such as `Escape` or `C-c`. */
  async key(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.#tmux(["send-keys", "-t", "t", name]);
  }

  /** Pastes as a terminal does, with its markers where the program asked for them. */
  async paste(text: string): Promise<void> {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, text);
    await this.#tmux(["load-buffer", "-b", "p", file]);
    await this.#tmux(["paste-buffer", "-p", "-b", "p", "-t", "t"]);
    await Deno.remove(file);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux(["resize-window", "-t", "t", "-x", `${columns}`, "-y", `${rows}`]);
  }

  async screen(): Promise<string> {
    return (await this.#tmux(["capture-pane", "-p", "-t", "t"])).trimEnd();
  }

  async everything(): Promise<string> {
    return (await this.#tmux(["capture-pane", "-p", "-J", "-S", "-", "-t", "t"])).trimEnd();
  }

  async format(text: string): Promise<string> {
    return (await this.#tmux(["display-message", "-p", "-t", "t", text])).trim();
  }

  async shows(what: string | RegExp, ms = 45_000): Promise<string> {
    const limit = Date.now() + ms;
    for (;;) {
      const text = await this.screen();
      if (typeof what === "string" ? text.includes(what) : what.test(text)) return text;
      if (Date.now() > limit) assert.fail(`the terminal never showed ${what}:\n${text}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  async #tmux(args: readonly string[]): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command("tmux", { args: ["-L", this.#socket, ...args] })
      .output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux(["kill-server"]).catch(() => {});
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
