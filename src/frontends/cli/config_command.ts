/** `config`: the settings in force and where each comes from, and the few that have a command. */
import { type InspectedProject, inspectProject } from "../../assembly/mod.ts";
import { editConfigFile, originOf, SMALL_SETTINGS, type SmallSetting } from "../../config/mod.ts";
import { toJsonLine, toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { textOf, UsageError } from "./flags.ts";
import { toConfigJson, toConfigText, toPathsJson } from "./output/config_report.ts";
import type { Streams } from "./output/output.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [name, value, ...more] = parsed.words;
  const setting = SMALL_SETTINGS.find((known) => known.name === name);
  const plain = name === "show" || name === "path";
  if ((!plain && setting === undefined) || more.length > 0 || (plain && value !== undefined)) throw usage();
  const flags = { local: parsed.values.has("local"), json: parsed.values.has("json") };
  if (flags.local && (name === "show" || setting?.local === false)) {
    throw new UsageError(`--local does not go with "${name}"${setting ? ": it is a setting of the user alone" : ""}`);
  }
  const wanted = setting === undefined || value === undefined ? undefined : valueOf(setting, value);

  const project = await inspectProject({ directory: textOf(parsed, "dir") });
  if (setting === undefined) {
    return name === "path" ? tellPaths(project, flags, streams) : show(project, flags, streams);
  }
  if (wanted !== undefined) {
    const { userConfig, projectConfig } = project.loaded;
    const file = flags.local ? projectConfig.file : userConfig;
    const edited = await editConfigFile(
      file,
      [{ set: setting.path, value: wanted }],
      flags.local ? {} : { mode: 0o600 },
    );
    if (edited.commentsLost) streams.err.line(`! the comments of ${toTerminal(file)} could not be kept`);
    return tell(await inspectProject({ directory: project.root }), { ...flags, setting, file }, streams);
  }
  return tell(project, { ...flags, setting }, streams);
}

function valueOf(setting: SmallSetting, text: string) {
  const value = setting.parse(text);
  if (value !== undefined) return value;
  throw new UsageError(`config ${setting.name} takes ${setting.values}; got "${text}"`);
}

/** The value in force, its source, and after a write that another file outranks: that it does. */
function tell(
  { loaded }: InspectedProject,
  how: { readonly setting: SmallSetting; readonly json: boolean; readonly file?: string },
  streams: Streams,
): number {
  const { setting, file } = how;
  const origin = originOf(loaded, setting.path.join("."));
  const [key, value] = setting.show(loaded.config).split(" = ") as [string, string];
  if (how.json) {
    const body = { schema_version: 1, command: `config.${setting.name}`, key: setting.path.join("."), value };
    streams.out.line(toJsonLine({ ...body, source: origin.layer, ...(origin.file ? { file: origin.file } : {}) }));
  } else streams.out.line(toTerminal(`${key} = ${value} (${origin.label})`));
  if (file !== undefined && origin.file !== file) {
    streams.err.line(toTerminal(`! saved to ${file}; here the value of ${origin.label} outranks it`));
  }
  return tellProblems(loaded, streams);
}

function show(project: InspectedProject, { json }: { readonly json: boolean }, streams: Streams): number {
  streams.out.line(json ? toJsonLine(toConfigJson(project)) : toTerminal(toConfigText(project)));
  for (const notice of project.loaded.notices) streams.err.line(`! ${toTerminal(notice.text)}`);
  return tellProblems(project.loaded, streams);
}

function tellPaths(
  project: InspectedProject,
  { json, local }: { readonly json: boolean; readonly local: boolean },
  { out }: Streams,
): number {
  const { userConfig, projectConfig } = project.loaded;
  out.line(json ? toJsonLine(toPathsJson(project)) : local ? projectConfig.file : userConfig);
  return EXIT.success;
}

/** A file that does not count as it stands makes the command fail: what it shows would not hold in a run. */
function tellProblems({ problems }: InspectedProject["loaded"], { err }: Streams): number {
  for (const { message, remedy } of problems) {
    err.line(`error: ${toTerminal(message)}`);
    if (remedy) err.line(`  ${toTerminal(remedy)}`);
  }
  return problems.length > 0 ? EXIT.failure : EXIT.success;
}

function usage(): UsageError {
  return new UsageError([
    "usage: reasonix config show [--json]",
    "       reasonix config path [--local | --json]",
    ...SMALL_SETTINGS.map(({ name, local, values }) =>
      `       reasonix config ${name} ${local ? "[--local] " : ""}[${values}]`
    ),
  ].join("\n"));
}
