/** The terminal UI, and its form in lines for those who want no screen. */
export type { TuiEnd, TuiPorts, TuiSettings } from "./ports.ts";
export { runScreen } from "./run_tui.ts";
export { runPlain } from "./plain/run_plain.ts";
