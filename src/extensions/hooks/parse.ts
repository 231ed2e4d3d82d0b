/**
 * From the text of a `settings.json` to hooks, in both forms: one flat entry per hook, and the nested form of other
 * programs, `{ "matcher", "hooks": [{ "type": "command", … }] }`, with `timeout` in seconds. A file that is wrong in its
 * shape contributes nothing; an entry with a bad matcher or without a command falls out alone.
 */
import type { ProgramShell } from "../../contract/program.ts";
import { closestName } from "../../lib/closest_name.ts";
import { isRecord } from "../../lib/json.ts";
import { ownValue } from "../../lib/own_value.ts";
import { showPath } from "../../lib/shown_path.ts";
import { toLine } from "../../lib/terminal_text.ts";
import { HOOK_EVENTS, type HookEvent, isHookEvent } from "./events.ts";
import type { Hook, HookProblem, HookSource } from "./hook.ts";

export interface ParsedHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly HookProblem[];
}

type Table = Readonly<Record<string, unknown>>;

/** The file is wrong as a whole. */
class Malformed extends Error {}

export function parseHooks(text: string, source: HookSource): ParsedHooks {
  try {
    return readFile(text, source);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const said = `${showPath(source.file)}: no hooks are taken from it: ${error.message}`;
    return { hooks: [], problems: [{ code: "hook.malformed_settings", source, text: said }] };
  }
}

function readFile(text: string, source: HookSource): ParsedHooks {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new Malformed(`it is not JSON (${error instanceof Error ? toLine(error.message) : "unreadable"})`);
  }
  const settings = table(json, "the file");
  const hooks: Hook[] = [];
  const problems: HookProblem[] = [];
  if (settings.hooks === undefined || settings.disableAllHooks === true) return { hooks, problems };
  for (const [event, listed] of Object.entries(table(settings.hooks, "hooks"))) {
    if (!Array.isArray(listed)) throw new Malformed(`hooks.${showPath(event)} is not a list`);
    const entries = listed.flatMap((entry, at) => flatten(table(entry, `hooks.${showPath(event)}[${at}]`)));
    if (!isHookEvent(event)) {
      const near = closestName(event, Object.keys(HOOK_EVENTS));
      problems.push({
        code: "hook.unknown_event",
        source,
        event,
        text: `${showPath(source.file)}: no such event: ${showPath(event)}${near ? `; did you mean ${near}?` : ""}`,
      });
      continue;
    }
    entries.forEach((entry, at) => {
      const read = readEntry(entry, { event, source, position: at + 1 });
      if ("code" in read) problems.push(read);
      else hooks.push(read);
    });
  }
  return { hooks, problems };
}

interface Entry {
  readonly form: Hook["form"];
  readonly match: unknown;
  readonly fields: Table;
}

function flatten(entry: Table): readonly Entry[] {
  if (entry.hooks === undefined) return [{ form: "native", match: entry.match, fields: entry }];
  if (!Array.isArray(entry.hooks)) throw new Malformed("the hooks of a matcher are not a list");
  return entry.hooks.map((fields) => ({
    form: "imported",
    match: entry.matcher ?? entry.match,
    fields: table(fields, "a hook of a matcher"),
  }));
}

function readEntry(
  { form, match, fields }: Entry,
  place: { readonly event: HookEvent; readonly source: HookSource; readonly position: number },
): Hook | HookProblem {
  const { event, source } = place;
  const facts = HOOK_EVENTS[event];
  const where = `${showPath(source.file)}: ${event} hook ${place.position}`;
  const written = optionalText(match, "match") ?? "";
  let pattern: RegExp | undefined;
  if (facts.ofTool && written !== "" && written !== "*") {
    try {
      pattern = new RegExp(`^(?:${written})$`);
    } catch (error) {
      const why = error instanceof Error ? toLine(error.message) : "not a regular expression";
      return { code: "hook.invalid_matcher", ...place, text: `${where} never runs: its matcher is invalid: ${why}` };
    }
  }
  const command = toCommand(fields);
  const contextFile = source.scope === "plugin" ? optionalText(fields.contextFile, "contextFile") : undefined;
  if (command === undefined && contextFile === undefined) {
    return { code: "hook.missing_command", ...place, text: `${where} never runs: it has no command` };
  }
  const timeout = optionalNumber(fields.timeout, "timeout");
  const description = optionalText(fields.description, "description");
  const cwd = optionalText(fields.cwd, "cwd");
  return {
    ...place,
    form,
    match: written,
    ...(pattern ? { pattern } : {}),
    ...(command ? { command } : {}),
    ...(contextFile === undefined ? {} : { contextFile }),
    limitMs: timeout === undefined ? facts.limitMs : form === "imported" ? timeout * 1000 : timeout,
    ...(cwd === undefined ? {} : { cwd }),
    env: toEnvironment(fields.env),
    ...(description === undefined ? {} : { description }),
  };
}

const SHELLS: Readonly<Record<string, ProgramShell>> = {
  auto: "auto",
  bash: "bash",
  powershell: "powershell",
  pwsh: "powershell",
  cmd: "cmd",
};

function toCommand({ type, command, args, shell }: Table): Hook["command"] {
  // Other kinds, such as prompts for a model, are not programs.
  if (type !== undefined && type !== "command") return undefined;
  const text = optionalText(command, "command");
  if (text === undefined || text.trim() === "") return undefined;
  if (args !== undefined) {
    if (!Array.isArray(args) || !args.every((item) => typeof item === "string")) {
      throw new Malformed("args is not a list of texts");
    }
    return { argv: [text, ...args] };
  }
  const by = ownValue(SHELLS, optionalText(shell, "shell") ?? "auto");
  if (by === undefined) throw new Malformed(`shell is none of ${Object.keys(SHELLS).join(", ")}`);
  return { shell: text, by };
}

function toEnvironment(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const entries = Object.entries(table(value, "env"));
  if (!entries.every(([, text]) => typeof text === "string")) {
    throw new Malformed("env holds something that is no text");
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function table(value: unknown, what: string): Table {
  if (isRecord(value)) return value;
  throw new Malformed(`${what} is not an object`);
}

function optionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new Malformed(`${name} is not a text`);
}

function optionalNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || (typeof value === "number" && value > 0)) return value;
  throw new Malformed(`${name} is not a number above 0`);
}
