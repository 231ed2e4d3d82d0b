/**
 * What a command that met a wall is told beside its own words: which rule it was and which setting widens it. A
 * command's output is only evidence, so a hint is given where the words and the walls agree. Pure.
 */
import type { ExitStatus, WallHint } from "../../contract/workspace.ts";
import { basename } from "../../lib/path.ts";
import type { Walls } from "./walls.ts";

const REFUSED = /Read-only file system|EROFS|Device or resource busy|EBUSY|Operation not permitted/;

const NO_NETWORK = new RegExp(
  [
    "Could not resolve host",
    "Temporary failure in name resolution",
    "Name or service not known",
    "Network is unreachable",
    "ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED",
    "Connection refused",
    "Failed to connect to",
    "nodename nor servname",
  ].join("|"),
);

export interface HintFacts {
  /** The end of what the command wrote. */
  readonly output: string;
  readonly status: ExitStatus;
  readonly walls: Walls;
  /** Hosts the proxy turned away while the command ran. */
  readonly refusedHosts: readonly string[];
  /** Places of the host that the command asked for and could not see. */
  readonly hidden?: readonly string[];
}

export function wallHints({ output, status, walls, refusedHosts, hidden = [] }: HintFacts): WallHint[] {
  const hints: WallHint[] = [];
  const failed = status.code !== 0;
  const lines = output.split("\n").filter((line) => REFUSED.test(line));
  const own = walls.own?.find((path) => lines.some((line) => line.includes(path)));
  const git = walls.guards.filter((guard) => guard.access === "ro").map((guard) => guard.path);
  const named = git.find((path) => lines.some((line) => line.includes(path) || line.includes(gitName(path))));
  if (own !== undefined) {
    hints.push({
      code: "workspace.write_outside_scope",
      text: `${own} is where Reasonix keeps its own files, so commands cannot change it.`,
    });
  } else if (named !== undefined) {
    hints.push({
      code: "sandbox.git_metadata_protected",
      text: `${named} decides what git runs outside the sandbox, so commands cannot change it; ` +
        `the rest of the repository is writable. The person can do this step in a terminal.`,
    });
  } else if (failed && lines.some((line) => /Read-only file system|EROFS/.test(line))) {
    hints.push({
      code: "workspace.write_outside_scope",
      text: `the sandbox lets commands write only below ${walls.roots.join(", ")} and the temporary folder. ` +
        `The person can allow another folder with --add-dir DIR or with allow_write under [sandbox] in the config.`,
    });
  }
  if (failed && hidden.length > 0) {
    hints.push({
      text:
        `/tmp inside the sandbox is the session's own: ${hidden.join(", ")} of this machine cannot be seen there. ` +
        `The person can show its folder to commands with --add-dir DIR or with allow_write under [sandbox] in the config.`,
    });
  }
  if (refusedHosts.length > 0) {
    hints.push({
      text: `the sandbox did not let the command reach ${refusedHosts.join(", ")}: ` +
        `see allowed_domains and denied_domains under [sandbox] in the config.`,
    });
  } else if (failed && walls.network === "off" && NO_NETWORK.test(output)) {
    hints.push({ text: "commands have no network here: network = false under [sandbox] in the config." });
  } else if (failed && walls.network === "proxy" && NO_NETWORK.test(output)) {
    hints.push({
      text: "commands reach the network only through the HTTP proxy named in HTTP_PROXY, which filters by " +
        "allowed_domains and denied_domains under [sandbox] in the config.",
    });
  }
  return hints;
}

/** What a command made in a place that decides what git runs. */
export function plantedHints(found: readonly { readonly path: string; readonly now?: string }[]): WallHint[] {
  return found.map(({ path, now }) => ({
    code: "sandbox.git_metadata_protected",
    text: `${path} decides what git runs outside the sandbox, so commands cannot make it: ` +
      (now === undefined
        ? "it could not be moved away; do not use git here before it is removed."
        : `it is now ${now}.`),
  }));
}

/** Git names its files from the top of the work tree. */
function gitName(path: string): string {
  const at = path.lastIndexOf("/.git/");
  return at < 0 ? `/${basename(path)} ` : path.slice(at + 1);
}
