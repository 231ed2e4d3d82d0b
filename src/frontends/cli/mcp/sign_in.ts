/** `mcp auth NAME`: the sign-in in a browser, or on another device with the address told. */
import { loadServerTasks } from "../../../assembly/mod.ts";
import { errorText } from "../../../lib/error_text.ts";
import { toLine, toTerminal } from "../../../lib/terminal_text.ts";
import { settledWithin } from "../../../lib/waiting.ts";
import { EXIT } from "../exit_codes.ts";
import { typedLine } from "../terminal_input.ts";
import { type McpCall, named } from "./mcp_command.ts";

/** Longest wait for the person. Milliseconds. */
const PATIENCE = 10 * 60_000;

export async function auth({ streams, parsed, project }: McpCall): Promise<number> {
  const plugin = named(project, parsed.words[0]!, streams);
  if (plugin === undefined) return EXIT.failure;
  const { signInTo } = await loadServerTasks();
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error("stopped"));
  Deno.addSignalListener("SIGINT", interrupt);
  const timer = setTimeout(() => stop.abort(new Error("nobody signed in within ten minutes")), PATIENCE);
  try {
    await signInTo(project, {
      name: plugin.name,
      open: async (address) => {
        streams.err.line("Sign in at this address:");
        streams.err.line(`  ${toTerminal(address)}`);
        if (await openBrowser(address)) streams.err.line("A browser should show it now.");
        if (Deno.stdin.isTerminal()) {
          streams.err.line("Where the browser cannot reach this machine, paste the address it ends at:");
        }
      },
      ...(Deno.stdin.isTerminal() ? { pasted: readAddress(stop.signal) } : {}),
      signal: stop.signal,
    });
    streams.out.line(`signed in to "${toLine(plugin.name)}"`);
    return EXIT.success;
  } catch (error) {
    const text = errorText(error);
    streams.err.line(`error: the sign-in to "${toLine(plugin.name)}" failed: ${toLine(text, 500)}`);
    return EXIT.failure;
  } finally {
    clearTimeout(timer);
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}

/** True when something took the address. An address is an argument of a program, never part of a command line. */
async function openBrowser(address: string): Promise<boolean> {
  const [program, ...args] = Deno.build.os === "darwin"
    ? ["open", address]
    : Deno.build.os === "windows"
    ? ["rundll32", "url.dll,FileProtocolHandler", address]
    : ["xdg-open", address];
  if (Deno.build.os === "linux" && !Deno.env.get("DISPLAY") && !Deno.env.get("WAYLAND_DISPLAY")) return false;
  try {
    const done = new Deno.Command(program!, { args, stdin: "null", stdout: "null", stderr: "null" }).spawn();
    done.unref();
    return !await settledWithin(done.status, 1_500) || (await done.status).success;
  } catch {
    return false;
  }
}

/** A line typed at the terminal; never settles without one. */
async function readAddress(signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    const line = await typedLine();
    if (line === undefined) break;
    if (line.trim() !== "") return line.trim();
  }
  return await new Promise<never>(() => {});
}
