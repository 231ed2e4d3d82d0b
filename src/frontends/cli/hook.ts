/** `reasonix hook list|status --json`: hooks for other programs to read. Nothing is run. */
import { type HookInventory, type HookRow, inventHooks } from "../../assembly/mod.ts";
import { ReasonixError } from "../../contract/errors.ts";
import { toJsonLine } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { textOf, UsageError } from "./flags.ts";
import type { Streams } from "./output/output.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [name = "", ...more] = parsed.words;
  if (!parsed.values.has("json")) throw new UsageError("usage: reasonix hook list | status --json");
  const answer = (body: Record<string, unknown>) => write(`hook.${name}`, body, streams);
  const wrong = (code: string, message: string) => {
    write(name === "" ? "hook" : `hook.${name}`, { error: { code, message } }, streams);
    return EXIT.usage;
  };
  if (name !== "list" && name !== "status") return wrong("unknown_command", "hook knows list and status");
  if (more.length > 0) return wrong("invalid_argument", `unexpected "${more[0]}"`);
  if (parsed.values.has("dir") && parsed.values.has("project-root")) {
    return wrong("invalid_argument", "--dir and --project-root mean the same; give one");
  }
  try {
    const inventory = await inventHooks({
      directory: textOf(parsed, "project-root") ?? textOf(parsed, "dir"),
      home: textOf(parsed, "home-dir"),
    });
    answer(name === "list" ? { hooks: inventory.hooks.map(toWire) } : toStatus(inventory));
    return EXIT.success;
  } catch (error) {
    if (!(error instanceof ReasonixError)) throw error;
    answer({ error: { code: error.code, message: error.message } });
    return error.code === "workspace.unusable" ? EXIT.usage : EXIT.failure;
  }
}

function write(command: string, body: Record<string, unknown>, { out }: Streams): void {
  out.line(toJsonLine({ schema_version: 1, command, ...body }));
}

function toWire({ timeoutMs, problem, ...hook }: HookRow): Record<string, unknown> {
  return {
    ...hook,
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    ...(problem ? { code: problem.code, message: problem.text } : {}),
  };
}

function toStatus({ root, trusted, files, hooks }: HookInventory): Record<string, unknown> {
  return {
    project_root: root,
    trusted,
    active: hooks.filter(({ status }) => status === "active").length,
    invalid: hooks.filter(({ status }) => status === "invalid").length,
    files: files.map(({ scope, path }) => ({
      scope,
      path,
      hooks: hooks.filter((hook) => hook.source === path && hook.position !== undefined).length,
    })),
  };
}
