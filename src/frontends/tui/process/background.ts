/** Light or dark: what the settings say, else what the terminal says of its background. */
import type { TUI } from "@earendil-works/pi-tui";
import type { ThemeMode } from "../theme.ts";

type Env = (name: string) => string | undefined;

export function firstMode(wanted: "auto" | "light" | "dark", env: Env): ThemeMode {
  if ((env("NO_COLOR") ?? "") !== "" || env("TERM") === "dumb") return "none";
  const named = env("REASONIX_THEME");
  if (named === "light" || named === "dark") return named;
  if (wanted !== "auto") return wanted;
  // `foreground;background` in the 16 colours, set by some terminals.
  const background = Number(env("COLORFGBG")?.split(";").at(-1));
  return background === 7 || background === 15 ? "light" : "dark";
}

/** Asks the terminal. Undefined when it does not say. */
export async function askBackground(tui: TUI): Promise<"light" | "dark" | undefined> {
  const { background } = await tui.queryTerminalColors({ timeoutMs: 500 });
  if (background === undefined) return undefined;
  const { r, g, b } = background;
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? "light" : "dark";
}
