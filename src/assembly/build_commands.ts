/** What slash commands need of the world: sessions, settings, the sandbox, hooks, files of the person's. */
import { editConfigFile, type EditPath, migrateConfig, modelRefs, originOf } from "../config/mod.ts";
import { FileError } from "../contract/workspace.ts";
import { type CommandContext, createCommands } from "../controller/commands/mod.ts";
import type { CommandHost, Commands, EventLog, Setting, SettingName } from "../controller/mod.ts";
import { BUILD } from "../lib/build_info.ts";
import { isAbsolute, join, normalize } from "../lib/path.ts";
import { createFile } from "../lib/whole_writes.ts";
import type { SkillShelf } from "../extensions/mod.ts";
import type { SandboxState } from "../safety/mod.ts";
import type { BalanceWatch } from "./account_balance.ts";
import { listProviders } from "./provider_rows.ts";
import { createCustomCommands } from "./custom_commands.ts";
import { inventHooks } from "./lazy_doors.ts";
import { inspectProject } from "./inspect_project.ts";
import { createSkillCommands, createSkillHost } from "./skill_host.ts";
import type { OutputStyles } from "./output_styles.ts";
import type { Project } from "./project.ts";
import { sessionsFolder } from "./session_store.ts";

export interface CommandOptions {
  /** With its settings as they are in force now. */
  project(): Project;
  readonly log: EventLog;
  readonly skills: SkillShelf;
  readonly styles: OutputStyles;
  sandbox(): Promise<SandboxState>;
}

export interface BuiltCommands {
  /** For `ControllerPorts.commands`. */
  create(engine: Omit<CommandContext, "host">): Commands;
  /** Ends what commands have left running. */
  close(): Promise<void>;
}

export function buildCommands(options: CommandOptions): BuiltCommands {
  const balance = lateBalance(options);
  return {
    create: (engine) => {
      const model = () => engine.controller.model.ref;
      if (options.project().loaded.config.billing.showBalance) void balance.show(true, model);
      return createCommands({ ...engine, host: createHost(options, (on) => balance.show(on, model)) });
    },
    close: balance.close,
  };
}

/** Nothing of it is loaded before it is wanted. */
function lateBalance({ project, log }: CommandOptions) {
  let watch: Promise<BalanceWatch> | undefined;
  return {
    async show(on: boolean, model: () => string): Promise<void> {
      if (watch === undefined && !on) return;
      watch ??= import("./account_balance.ts").then(({ BalanceWatch }) =>
        new BalanceWatch({ log, project, model, now: () => performance.now() })
      );
      (await watch).turn(on);
    },
    close: async () => await (await watch)?.close(),
  };
}

function createHost(
  { project, log, skills, styles, sandbox }: CommandOptions,
  showBalance: (on: boolean) => Promise<void>,
): CommandHost {
  const { root, paths, env, sessions, loaded: { userConfig } } = project();
  const notice = (text: string) => log.emit({ kind: "notice", level: "warning", text });
  const inspect = async () => (await inspectProject({ directory: root, environment: env })).loaded;
  const setting = async (name: SettingName): Promise<Setting> => {
    const { paths: places, read, choices } = SETTINGS[name];
    const now = await inspect();
    return { inForce: read(now.config), source: originOf(now, places[0]!.join(".")).label, choices };
  };
  return {
    version: BUILD.version,
    root,
    providers: () => listProviders(project()),
    get models() {
      return modelRefs(project().loaded.config).filter((ref) => !ref.endsWith("/…"));
    },
    get places() {
      return [
        ["your settings", userConfig],
        ["settings of this folder", project().loaded.projectConfig.file],
        ["keys", paths.envFile],
        ["home", paths.home],
        ["sessions of this folder", sessionsFolder(paths, root)],
      ] as const;
    },
    sessions: () => sessions.list(),
    setting,
    saveSetting: async (name, value) => {
      const { paths: places, isSecond } = SETTINGS[name];
      const path = isSecond?.(value) ? places[1]! : places[0]!;
      await editConfigFile(userConfig, [{
        set: path,
        value: name === "language" && value === "auto" ? "" : value,
      }], {
        mode: 0o600,
      });
      return await setting(name);
    },
    balance: async (model) => await (await import("./account_balance.ts")).askBalance(project(), model),
    showBalance: async (on) => {
      await editConfigFile(userConfig, [{ set: ["billing", "show_balance"], value: on }], { mode: 0o600 });
      await showBalance(on);
    },
    migrate: async () => {
      if (paths.isolated) return undefined;
      return (await migrateConfig({ paths, os: Deno.build.os, again: true })).map(({ text }) => text);
    },
    documents: async () => await (await import("./embedded_docs.ts")).loadDocuments(),
    sandbox: async () => sandboxText(await sandbox(), project()),
    hooks: async () => {
      const { hooks, trusted } = await inventHooks({ directory: root, home: paths.home, environment: env });
      if (hooks.length === 0) return "There are no hooks.";
      const rows = hooks.map(({ event, match, command, scope, status, problem }) =>
        `| ${event} | ${cell(match || "*")} | \`${cell(command)}\` | ${scope} | ${status}${
          problem ? `: ${cell(problem.text)}` : ""
        } |`
      );
      const trust = trusted ? "" : "\n\nThis folder is not trusted: hooks of its own never run.";
      return ["| Event | Match | Command | Of | |", "| --- | --- | --- | --- | --- |", ...rows].join("\n") + trust;
    },
    saveFile: async (path, text) => {
      const target = isAbsolute(path) ? normalize(path) : join(root, path);
      try {
        await createFile(target, text, { mode: 0o600 });
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const exists = error instanceof Deno.errors.AlreadyExists;
        const why = exists
          ? `${target} is there already; name another file`
          : `${target} could not be written: ${error.message}`;
        throw new FileError(exists ? "exists" : "failed", target, why, { cause: error });
      }
      return target;
    },
    outputStyles: {
      list: () => styles.list(),
      get wanted() {
        return styles.wanted?.name ?? "";
      },
      choose: (name) => styles.choose(name),
    },
    skills: createSkillHost(project(), { skills, inspect }),
    tell: (level, text) => log.emit({ kind: "notice", level, text }),
    sources: [createCustomCommands(project(), notice), createSkillCommands(skills)],
    now: Date.now,
  };
}

type ReadConfig = Project["loaded"]["config"];

interface Place {
  /** As written in the file; the second one for values that `isSecond` names. */
  readonly paths: readonly (EditPath & readonly string[])[];
  readonly choices: readonly string[];
  isSecond?(value: string): boolean;
  read(config: ReadConfig): readonly string[];
}

const MODES = ["auto", "light", "dark"];
const ACCENTS = ["graphite", "ember", "aurora", "midnight", "slate", "carbon", "nocturne", "amber"];
const LIGHT_ACCENTS = ["sandstone", "porcelain", "linen", "glacier"];

const SETTINGS: Readonly<Record<SettingName, Place>> = {
  theme: {
    paths: [["ui", "theme"], ["ui", "theme_style"]],
    choices: [...MODES, ...ACCENTS, ...LIGHT_ACCENTS],
    isSecond: (value) => !MODES.includes(value),
    read: ({ ui }) => [ui.theme, ...(ui.themeStyle === "" ? [] : [ui.themeStyle])],
  },
  language: {
    paths: [["language"]],
    choices: ["auto", "en", "zh"],
    read: ({ language }) => [language === "" ? "auto" : language],
  },
  currency: {
    paths: [["billing", "display_currency"]],
    choices: ["auto", "CNY", "USD"],
    read: ({ billing }) => [billing.displayCurrency],
  },
  "reasoning-language": {
    paths: [["agent", "reasoning_language"]],
    choices: ["auto", "en", "zh"],
    read: ({ agent }) => [agent.reasoningLanguage],
  },
};

function sandboxText(state: SandboxState, { loaded: { config } }: Project): string {
  const { bash, network, allowedDomains, deniedDomains, allowWrite, forbidRead } = config.sandbox;
  const list = (names: readonly string[]) => names.map((name) => `\`${cell(name)}\``).join(", ");
  const stands = state.kind === "works"
    ? `commands run inside ${state.backend}`
    : state.kind === "off"
    ? "off: commands run with your own rights"
    : state.kind === "unsupported"
    ? "this system has none: commands run with your own rights"
    : `cannot stand (${state.reason}); commands are refused. ${state.remedy}`;
  return [
    `- sandbox (\`bash = "${bash}"\`): ${stands}`,
    `- network for commands: ${network ? "yes" : allowedDomains.length > 0 ? `only ${list(allowedDomains)}` : "no"}`,
    ...(deniedDomains.length > 0 ? [`- never reached: ${list(deniedDomains)}`] : []),
    ...(allowWrite.length > 0 ? [`- may also be written: ${list(allowWrite)}`] : []),
    ...(forbidRead.length > 0 ? [`- may not be read: ${list(forbidRead)}`] : []),
  ].join("\n");
}

/** Text of a file within a table. */
function cell(text: string): string {
  return text.replace(/[\s`|]+/g, " ").trim();
}
