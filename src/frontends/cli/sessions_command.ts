/** `sessions reindex|diagnose|cleanup`: looking after the stored sessions of a folder. */
import { inspectProject, loadSessionMaintenance, sessionsFolder } from "../../assembly/mod.ts";
import { join } from "../../lib/path.ts";
import { toJsonLine, toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { textOf, UsageError } from "./flags.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [word, ...more] = parsed.words;
  if (more.length > 0 || (word !== "reindex" && word !== "diagnose" && word !== "cleanup")) {
    throw new UsageError("usage: reasonix sessions reindex | diagnose | cleanup [--dir PATH] [--json]");
  }
  const { paths, root } = await inspectProject();
  const dir = textOf(parsed, "dir");
  const directory = dir === undefined ? sessionsFolder(paths, root) : join(Deno.cwd(), dir);
  const told = await tidy(word, directory);
  const body = { schema_version: 1, command: `sessions.${word}`, directory, ...told.json };
  streams.out.line(parsed.values.has("json") ? toJsonLine(body) : toTerminal(told.text));
  return told.failed ? EXIT.failure : EXIT.success;
}

interface Told {
  readonly json: Record<string, unknown>;
  readonly text: string;
  readonly failed?: boolean;
}

async function tidy(word: "reindex" | "diagnose" | "cleanup", directory: string): Promise<Told> {
  const maintenance = await loadSessionMaintenance();
  if (word === "cleanup") {
    const removed = await maintenance.cleanSessions(directory);
    const text = removed.length === 0 ? "Nothing to remove." : [`removed ${removed.length}:`, ...removed].join("\n  ");
    return { json: { removed }, text };
  }
  if (word === "reindex") {
    const holder = {
      pid: Deno.pid,
      host: Deno.hostname(),
      program: "reasonix sessions reindex",
      startedAt: Date.now(),
    };
    const { sessions, rebuilt, held, failed } = await maintenance.reindexSessions(directory, holder);
    const text = [
      `${rebuilt} of ${sessions} rebuilt${held > 0 ? `, ${held} in use and left alone` : ""}`,
      ...failed.map(({ reason }) => reason),
    ].join("\n");
    return { json: { sessions, rebuilt, held, failed }, text, failed: failed.length > 0 };
  }
  const { directory: _, ...found } = await maintenance.diagnoseSessions(directory);
  const text = [
    `${found.sessions} sessions, ${found.bytes} bytes in ${directory}`,
    `in use ${found.held}, interrupted ${found.interrupted}, recovered ${found.recovered}, empty ${found.empty}`,
    ...(found.stale > 0 ? [`${found.stale} with outdated facts: reasonix sessions reindex`] : []),
    ...found.damaged.map(({ id, reason }) => `damaged ${id}: ${reason}`),
    ...(found.removable.length > 0 ? [`${found.removable.length} remains: reasonix sessions cleanup`] : []),
  ].join("\n");
  return { json: found, text };
}
