/** `reasonix mcp …`: the MCP servers of this folder and of the person. */
import { type InspectedProject, inspectProject, loadServerTasks } from "../../../assembly/mod.ts";
import { addServer, changeServer, type PluginEntry, removeServer } from "../../../config/mod.ts";
import type { ServerView } from "../../../contract/servers.ts";
import { closestName } from "../../../lib/closest_name.ts";
import { toJsonLine, toLine, toTerminal } from "../../../lib/terminal_text.ts";
import { ownValue } from "../../../lib/own_value.ts";
import { type CommandContext, DIR, JSON_FLAG } from "../commands.ts";
import { EXIT } from "../exit_codes.ts";
import { type Flag, type ParsedFlags, parseFlags, textOf, UsageError } from "../flags.ts";
import type { Streams } from "../output/output.ts";
import { parseAddLine } from "./add_line.ts";
import { listLine, liveLines, serverText, type Shown, toServerJson } from "./report.ts";

export interface Verb {
  readonly summary: string;
  /** What follows the verb in the usage line, flags aside. */
  readonly operands: string;
  readonly flags: readonly Flag[];
  /** Words behind the verb: least and most. */
  readonly words: readonly [number, number];
  run(call: McpCall): Promise<number>;
}

export interface McpCall {
  readonly streams: Streams;
  readonly parsed: ParsedFlags;
  readonly project: InspectedProject;
}

const LIVE: Flag = { name: "live", takes: "nothing", help: "start the servers and tell what becomes of it" };
const YES: Flag = { name: "yes", takes: "nothing", help: "do it without being asked" };
const AS: Flag = { name: "as", takes: "value", value: "NAME", help: "another name for it" };
const LIMIT: Flag = { name: "limit", takes: "value", value: "N", help: "how many" };

export const MCP_VERBS: Readonly<Record<string, Verb>> = {
  list: {
    summary: "the servers of this folder and of the person",
    operands: "",
    flags: [DIR, JSON_FLAG, LIVE],
    words: [0, 0],
    run: list,
  },
  get: { summary: "one server in full", operands: "NAME", flags: [DIR, JSON_FLAG], words: [1, 1], run: get },
  remove: {
    summary: "take a server out of the file that names it",
    operands: "NAME",
    flags: [DIR],
    words: [1, 1],
    run: remove,
  },
  enable: {
    summary: "switch a server on",
    operands: "NAME",
    flags: [DIR],
    words: [1, 1],
    run: (call) => switchTo(call, true),
  },
  disable: {
    summary: "switch a server off and keep its entry",
    operands: "NAME",
    flags: [DIR],
    words: [1, 1],
    run: (call) => switchTo(call, false),
  },
  retry: {
    summary: "start a server once and tell how far it came",
    operands: "NAME",
    flags: [DIR, JSON_FLAG],
    words: [1, 1],
    run: retry,
  },
  update: {
    summary: "ask servers anew what they offer",
    operands: "[NAME]",
    flags: [DIR, JSON_FLAG],
    words: [0, 1],
    run: update,
  },
  auth: {
    summary: "sign in to a server, in the browser",
    operands: "NAME",
    flags: [DIR],
    words: [1, 1],
    run: async (call) => (await import("./sign_in.ts")).auth(call),
  },
  import: {
    summary: "take over servers that other programs have set up",
    operands: "[NAME…]",
    flags: [DIR, YES],
    words: [0, 100],
    run: async (call) => (await import("./import_servers.ts")).importServers(call),
  },
  browse: {
    summary: "look for servers in the official registry",
    operands: "[WORD…]",
    flags: [JSON_FLAG, LIMIT],
    words: [0, 10],
    run: async (call) => (await import("./registry.ts")).browse(call),
  },
  install: {
    summary: "add a server of the registry",
    operands: "NAME",
    flags: [AS],
    words: [1, 1],
    run: async (call) => (await import("./registry.ts")).install(call),
  },
};

const MCP_WORDS = ["list", "get", "add", ...Object.keys(MCP_VERBS).slice(2)];

export async function run({ streams, argv }: CommandContext): Promise<number> {
  const [word = "list", ...rest] = argv;
  if (word === "add") return await add(rest, streams);
  const verb = ownValue(MCP_VERBS, word);
  if (verb === undefined) {
    const near = closestName(word, MCP_WORDS);
    throw new UsageError(`mcp knows ${MCP_WORDS.join(", ")}${near ? `; did you mean ${near}?` : ""}`);
  }
  const parsed = parseFlags(rest, verb.flags);
  const [least, most] = verb.words;
  if (parsed.words.length < least || parsed.words.length > most) {
    throw new UsageError(`usage: reasonix mcp ${word} ${verb.operands}`.trimEnd());
  }
  const project = await inspectProject({ directory: textOf(parsed, "dir") });
  return await verb.run({ streams, parsed, project });
}

async function list({ streams, parsed, project }: McpCall): Promise<number> {
  const shown = await Promise.all([
    ...project.loaded.config.plugins.map((plugin) => show(project, plugin)),
    ...project.loaded.heldServers.map((plugin): Shown => ({
      plugin,
      held: true,
      standing: { signIn: "none", notes: [] },
    })),
  ]);
  const live = parsed.values.has("live") ? await (await loadServerTasks()).checkServers(project) : undefined;
  if (parsed.values.has("json")) {
    const servers = shown.map((one) => ({ ...toServerJson(one), ...liveFields(live, one.plugin.name) }));
    streams.out.line(toJsonLine({ schema_version: 1, command: "mcp.list", servers }));
    return EXIT.success;
  }
  if (shown.length === 0) streams.err.line("No MCP servers. Add one: reasonix mcp add NAME -- CMD ARGS…");
  for (const one of shown) streams.out.line(listLine(one));
  for (const view of live ?? []) for (const line of liveLines(view)) streams.out.line(line);
  return EXIT.success;
}

async function get({ streams, parsed, project }: McpCall): Promise<number> {
  const plugin = named(project, parsed.words[0]!, streams);
  if (plugin === undefined) return EXIT.failure;
  const shown = await show(project, plugin);
  streams.out.line(parsed.values.has("json") ? toJsonLine(toServerJson(shown)) : toTerminal(serverText(shown)));
  return EXIT.success;
}

/** Always into the user's own settings: installing is the authorisation. */
async function add(argv: readonly string[], streams: Streams): Promise<number> {
  const { name, ...fields } = parseAddLine(argv);
  const project = await inspectProject();
  const { userConfig } = project.loaded;
  const known = project.loaded.config.plugins.find((plugin) => plugin.name === name);
  if (known?.source.file === userConfig) {
    throw new UsageError(`there is a server named "${name}" already; remove it first: reasonix mcp remove ${name}`);
  }
  await addServer(userConfig, { name, ...plain(fields) }, { mode: 0o600 });
  streams.out.line(toTerminal(`added "${name}" to ${userConfig}; the next session starts it`));
  if (known) streams.err.line(toTerminal(`! in this folder the one of ${known.source.file} outranks it`));
  return EXIT.success;
}

async function remove({ streams, parsed, project }: McpCall): Promise<number> {
  const plugin = named(project, parsed.words[0]!, streams);
  if (plugin === undefined) return EXIT.failure;
  const { name, source } = plugin;
  await removeServer(plugin);
  const after = await inspectProject({ directory: project.root });
  const forgotten = await (await loadServerTasks()).forgetSignIn(project, after, name);
  streams.out.line(
    toTerminal(`removed "${name}" from ${source.file}${forgotten ? "; its sign-in is forgotten here" : ""}`),
  );
  const next = after.loaded.config.plugins.find((one) => one.name === name);
  if (next) streams.err.line(toTerminal(`! the entry of ${next.source.file} is in force now`));
  return EXIT.success;
}

async function switchTo({ streams, parsed, project }: McpCall, enabled: boolean): Promise<number> {
  const plugin = named(project, parsed.words[0]!, streams);
  if (plugin === undefined) return EXIT.failure;
  await changeServer(plugin, { enabled: enabled ? undefined : false });
  streams.out.line(toTerminal(`"${plugin.name}" is switched ${enabled ? "on" : "off"} in ${plugin.source.file}`));
  return EXIT.success;
}

async function retry({ streams, parsed, project }: McpCall): Promise<number> {
  const plugin = named(project, parsed.words[0]!, streams);
  if (plugin === undefined) return EXIT.failure;
  const [view] = await (await loadServerTasks()).checkServers(project, { names: [plugin.name] });
  if (parsed.values.has("json")) streams.out.line(toJsonLine(view));
  else {
    for (const line of liveLines(view!)) streams.out.line(line);
    if (view!.stderr && view!.state !== "ready") streams.err.line(toTerminal(view!.stderr));
    if (view!.state === "needs_sign_in") streams.err.line(`  reasonix mcp auth ${toLine(plugin.name)}`);
  }
  return view!.state === "ready" ? EXIT.success : EXIT.failure;
}

/** Asks servers anew what they offer, so that the next session begins with it. */
async function update({ streams, parsed, project }: McpCall): Promise<number> {
  const [name] = parsed.words;
  if (name !== undefined && named(project, name, streams) === undefined) return EXIT.failure;
  const plugins = project.loaded.config.plugins.filter((one) =>
    one.enabled && (name === undefined || one.name === name)
  );
  const names = (shown: Shown) => new Set(shown.standing.tools?.map((tool) => tool.name) ?? []);
  const before = await Promise.all(plugins.map((plugin) => show(project, plugin)));
  const views = await (await loadServerTasks()).checkServers(project, { names: plugins.map((plugin) => plugin.name) });
  const after = await Promise.all(plugins.map((plugin) => show(project, plugin)));
  for (const [at, view] of views.entries()) {
    const [old, now] = [names(before[at]!), names(after[at]!)];
    const added = [...now].filter((tool) => !old.has(tool));
    const gone = [...old].filter((tool) => !now.has(tool));
    if (parsed.values.has("json")) streams.out.line(toJsonLine({ ...view, added, removed: gone }));
    else {
      for (const line of liveLines(view)) streams.out.line(line);
      if (added.length > 0) streams.out.line(`  new: ${toLine(added.join(", "), 500)}`);
      if (gone.length > 0) streams.out.line(`  gone: ${toLine(gone.join(", "), 500)}`);
    }
  }
  return views.every(({ state }) => state === "ready") ? EXIT.success : EXIT.failure;
}

async function show(project: InspectedProject, plugin: PluginEntry): Promise<Shown> {
  return { plugin, standing: (await (await loadServerTasks()).standingOf(project, plugin.name))! };
}

export function named(project: InspectedProject, name: string, { err }: Streams): PluginEntry | undefined {
  const { config, heldServers } = project.loaded;
  const found = config.plugins.find((plugin) => plugin.name === name);
  if (found) return found;
  const held = heldServers.some((plugin) => plugin.name === name);
  const near = closestName(name, config.plugins.map((plugin) => plugin.name));
  err.line(toTerminal(
    held
      ? `the MCP server "${name}" waits until this folder is trusted: reasonix trust`
      : `no MCP server named "${name}" in config${near ? `; did you mean "${near}"?` : ""}`,
  ));
  return undefined;
}

function liveFields(live: readonly ServerView[] | undefined, name: string) {
  const view = live?.find((one) => one.name === name);
  if (view === undefined) return {};
  const { state, reason, stage, startMs, tools, prompts, resources } = view;
  return { live: { state, reason, stage, start_ms: startMs, tools, prompts, resources } };
}

/** Fields as the file spells them, without empty ones. */
function plain(fields: object): Record<string, string | readonly string[] | Readonly<Record<string, string>>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== undefined && !(key === "type" && value === "stdio")),
  );
}
