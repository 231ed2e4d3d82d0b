/**
 * The process's own terminal, with promises on top: nothing erases the scrollback, it can be given back twice, and each
 * change of its size is heard.
 */
import { ProcessTerminal } from "@earendil-works/pi-tui";

const RESET =
  "\x1b[?2004l\x1b[?1004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[>4;0m\x1b[0 q\x1b[?25h\x1b[0m";

export class OwnTerminal extends ProcessTerminal {
  #heard: (() => void) | undefined;

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start(onInput, onResize);
    // The event `resize` of standard output, which the package listens to, is silent in older runtimes.
    if (Deno.build.os === "windows") return;
    this.#heard = onResize;
    Deno.addSignalListener("SIGWINCH", onResize);
  }

  override stop(): void {
    super.stop();
    if (this.#heard !== undefined) Deno.removeSignalListener("SIGWINCH", this.#heard);
    this.#heard = undefined;
  }

  override write(data: string): void {
    super.write(data.includes("\x1b[3J") ? data.replaceAll("\x1b[3J", "") : data);
  }
}

/** After an error nobody knows what state the terminal is in: everything that may be on is switched off. */
export function forceRestore(): void {
  try {
    Deno.stdin.setRaw(false);
  } catch {
    // Not a terminal any more.
  }
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(RESET));
  } catch {
    // Gone with its window.
  }
}

/** Terminals that leave lines as they are when they become narrower. */
export function reflows(env: (name: string) => string | undefined): boolean {
  const term = env("TERM") ?? "";
  if (env("TMUX") !== undefined) return true;
  return env("XTERM_VERSION") === undefined && env("STY") === undefined && term !== "linux" &&
    !term.startsWith("screen");
}

export const CURSOR_SHAPES = { block: "\x1b[2 q", underline: "\x1b[4 q", bar: "\x1b[6 q" } as const;
export const CURSOR_DEFAULT = "\x1b[0 q";
