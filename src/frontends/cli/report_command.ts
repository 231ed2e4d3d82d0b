/** `report list|show|delete`: reports of crashes, kept on this machine alone. Nothing is ever sent. */
import { inspectProject } from "../../assembly/mod.ts";
import { savedSecrets } from "../../config/mod.ts";
import { join } from "../../lib/path.ts";
import { SecretFilter } from "../../lib/secret_filter.ts";
import { toLine, toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { UsageError } from "./flags.ts";
import type { Streams } from "./output/output.ts";

const SUFFIX = ".json";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [word = "list", id, ...more] = parsed.words;
  const isKnown = word === "list" ? id === undefined : word === "show" || (word === "delete" && id !== undefined);
  if (!isKnown || more.length > 0) throw new UsageError("usage: reasonix report list | show [ID] | delete ID");
  const { paths, loaded } = await inspectProject();
  const secrets = new SecretFilter(savedSecrets(loaded));
  const folder = join(paths.home, "cli-crash-reports");
  const ids = await reportIds(folder);
  if (word === "list") {
    for (const each of ids) {
      streams.out.line(`${toLine(each)}  ${toLine(secrets.text(await headline(folder, each)), 120)}`);
    }
    if (ids.length === 0) streams.err.line("No crash reports.");
    return EXIT.success;
  }
  const wanted = id === undefined ? ids.slice(0, 1) : ids.filter((each) => each === id || each.startsWith(id));
  if (wanted.length !== 1) return unknown(id, wanted, streams);
  const path = join(folder, wanted[0]! + SUFFIX);
  if (word === "show") streams.out.line(secrets.text(toTerminal(await Deno.readTextFile(path))).trimEnd());
  else {
    await Deno.remove(path);
    streams.out.line(`deleted ${toLine(wanted[0]!)}`);
  }
  return EXIT.success;
}

function unknown(id: string | undefined, found: readonly string[], { err }: Streams): number {
  if (id === undefined) err.line("error: there is no crash report");
  else if (found.length === 0) err.line(`error: no crash report "${toLine(id)}"`);
  else {err.line(`error: "${toLine(id)}" means ${found.length} reports: ${
      found.map((each) => toLine(each)).join(", ")
    }`);}
  return EXIT.failure;
}

/** Newest first: names begin with the time. */
async function reportIds(folder: string): Promise<string[]> {
  const ids: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      if (entry.isFile && entry.name.endsWith(SUFFIX)) ids.push(entry.name.slice(0, -SUFFIX.length));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return ids.sort().reverse();
}

async function headline(folder: string, id: string): Promise<string> {
  try {
    const { version, error } = JSON.parse(await Deno.readTextFile(join(folder, id + SUFFIX)));
    return `${version}: ${error}`;
  } catch {
    return "(cannot be read)";
  }
}
