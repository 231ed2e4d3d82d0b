/** Runs the hooks of one event, one after the other: project, plugins, user. The first that says no ends the asking. */
import type { ProgramEnd, Programs } from "../../contract/program.ts";
import { errorText } from "../../lib/error_text.ts";
import { isInside, join } from "../../lib/path.ts";
import { HOOK_EVENTS, type HookEvent } from "./events.ts";
import type { Hook } from "./hook.ts";
import { type HookOutcome, toOutcome } from "./outcome.ts";
import { type HookFacts, type Surroundings, toPayload } from "./payload.ts";
import { importedNames } from "./tool_names.ts";

/** Kept of each stream of a hook. Bytes. */
const OUTPUT_LIMIT = 256 * 1024;

export interface HookPorts {
  readonly programs: Programs;
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** The Reasonix home. */
  readonly home: string;
  tell(notice: { readonly level: "warning" | "error"; readonly code: string; readonly text: string }): void;
}

export interface HookRun {
  /** Why the event is not to go on. */
  readonly block?: string;
  /** What an imported hook answered to a permission question. */
  readonly allow?: boolean;
  /** What hooks gave, in order, without the empty ones. */
  readonly texts: readonly string[];
}

export interface RunHooksOptions {
  readonly facts: HookFacts;
  readonly around: Surroundings;
  /** Outranks the limits of the hooks. Milliseconds. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

export function hooksFor(hooks: readonly Hook[], event: HookEvent, tool: string | undefined): readonly Hook[] {
  return hooks.filter((hook) => hook.event === event && (tool === undefined || meansTool(hook, tool)));
}

function meansTool({ pattern, form }: Hook, tool: string): boolean {
  if (pattern === undefined) return true;
  return form === "native" ? pattern.test(tool) : importedNames(tool).some((name) => pattern.test(name));
}

/** Rejects only with the signal's reason. */
export async function runHooks(
  hooks: readonly Hook[],
  event: HookEvent,
  ports: HookPorts,
  options: RunHooksOptions,
): Promise<HookRun> {
  const texts: string[] = [];
  for (const hook of hooksFor(hooks, event, HOOK_EVENTS[event].ofTool ? options.facts.call?.tool : undefined)) {
    const outcome = await outcomeOf(hook, ports, options);
    switch (outcome.kind) {
      case "pass":
        if (outcome.text !== "") texts.push(outcome.text);
        break;
      case "block":
        ports.tell({ level: "warning", code: "hook.blocked", text: outcome.reason });
        return { block: outcome.reason, texts };
      case "answer":
        return { allow: outcome.allow, texts };
      default:
        ports.tell({ level: outcome.kind, code: "hook.failed", text: outcome.text });
    }
  }
  return { texts };
}

async function outcomeOf(hook: Hook, ports: HookPorts, options: RunHooksOptions): Promise<HookOutcome> {
  const { command } = hook;
  const end = command === undefined ? await readContext(hook) : await ports.programs.run({
    command,
    cwd: join(ports.workspace, hook.cwd ?? "."),
    env: environment(hook, ports),
    stdin: toPayload(hook, options.facts, options.around),
    limitMs: Math.min(hook.limitMs, options.limitMs ?? Infinity),
    maxBytes: OUTPUT_LIMIT,
  }, options.signal);
  return toOutcome(hook, end);
}

function environment({ source: { plugin }, env }: Hook, { home, workspace }: HookPorts): Record<string, string> {
  return {
    ...env,
    REASONIX_HOME: home,
    REASONIX_WORKSPACE_ROOT: workspace,
    CLAUDE_PROJECT_DIR: workspace,
    ...(plugin === undefined ? {} : {
      REASONIX_PLUGIN_ROOT: plugin.root,
      REASONIX_PLUGIN_NAME: plugin.name,
      REASONIX_PLUGIN_VERSION: plugin.version,
      CLAUDE_PLUGIN_ROOT: plugin.root,
    }),
  };
}

/** A plugin's file that stands for an output. It never leads out of the plugin. */
async function readContext({ source: { plugin }, contextFile = "" }: Hook): Promise<ProgramEnd> {
  try {
    const root = await Deno.realPath(plugin!.root);
    const path = await Deno.realPath(join(root, contextFile));
    if (!isInside(path, root) || !(await Deno.stat(path)).isFile) {
      return { how: "not_started", reason: "it is not a file of the plugin" };
    }
    using file = await Deno.open(path);
    const bytes = new Uint8Array(OUTPUT_LIMIT);
    let size = 0;
    for (let read; size < bytes.length && (read = await file.read(bytes.subarray(size))) !== null;) size += read;
    return { how: "exited", code: 0, stdout: new TextDecoder().decode(bytes.subarray(0, size)), stderr: "" };
  } catch (error) {
    return { how: "not_started", reason: errorText(error) };
  }
}
