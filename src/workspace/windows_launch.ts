/**
 * How a command line becomes an argument list on Windows: PowerShell by default, a Unix-like shell when chosen. Pure.
 */
import type { Launch, LaunchRequest } from "./launch.ts";

export function windowsLaunch({ command, shell }: LaunchRequest): Launch {
  if ("argv" in command) return { argv: command.argv, env: {}, control: true };
  const argv = shell.name === "pwsh" || shell.name === "powershell"
    ? [shell.path, "-NoLogo", "-NoProfile", "-NonInteractive", "-Command", UTF8 + command.shell]
    : [shell.path, "-c", rewriteNul(command.shell)];
  return { argv, env: {}, control: true };
}

/** Console programs write the system's code page otherwise. */
const UTF8 = "$OutputEncoding = [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false); ";

/**
 * Under a Unix-like shell `>nul` makes a file that Windows itself cannot delete. Turns the target of a redirect that
 * is the bare word `nul` into `/dev/null`; text inside quotes is left alone.
 */
export function rewriteNul(text: string): string {
  const piece = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|((?:\d|&)?>{1,2}\|?|<)([ \t]*)nul(?=$|[\s;&|)<>])/gi;
  return text.replace(
    piece,
    (whole, operator?: string, blank?: string) => operator === undefined ? whole : `${operator}${blank}/dev/null`,
  );
}
