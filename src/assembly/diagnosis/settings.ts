/** What the files say: config, permission rules, trust, hooks. */
import type { ConfigNotice } from "../../config/mod.ts";
import { isThere } from "../../lib/at_path.ts";
import { plural } from "../../lib/plural.ts";
import { readRules } from "../../safety/mod.ts";
import { describedTools } from "../tool_kinds.ts";
import { trustInForce } from "../folder_trust.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { loadProjectHooks } from "../project_hooks.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

export function checkConfig({ loaded }: InspectedProject): Check[] {
  const { userConfig, projectConfig, problems, notices } = loaded;
  const about = (name: string, file: string, absent: string | undefined): Check[] => {
    const mine = problems.filter(({ place }) => place?.file === file);
    if (mine.length > 0) {
      return mine.map(({ message, remedy }) => failed(name, message, remedy ?? `Mend ${file}.`));
    }
    return [ok(name, absent ?? file)];
  };
  const others = problems.filter(({ place }) => place?.file !== userConfig && place?.file !== projectConfig.file);
  return [
    ...about("config.user", userConfig, isThere(userConfig) ? undefined : `none at ${userConfig}: defaults hold`),
    ...about("config.project", projectConfig.file, projectConfig.exists ? undefined : "none"),
    ...others.map(({ message, remedy }) => failed("config.other", message, remedy ?? "Mend the file named.")),
    ...notices.filter(({ level, code }) => level === "warning" || code === "config.not_yet").map(fromNotice),
    ...overridesSandbox(loaded.layers),
  ];
}

function fromNotice({ code, text }: ConfigNotice): Check {
  return warning(code, text, NOTICE_REMEDIES[code] ?? "Correct or remove the line named.");
}

const NOTICE_REMEDIES: Partial<Record<ConfigNotice["code"], string>> = {
  "config.untrusted": "If you know this folder: reasonix trust.",
  "config.shadowed_provider": "Rename the project's provider to use both.",
  "config.default_model": "Name a configured model, or add the provider with reasonix setup.",
  "config.not_yet": "Expect nothing of it yet.",
  "config.project_env": "Put keys into the home's .env with reasonix setup.",
};

function overridesSandbox(layers: InspectedProject["loaded"]["layers"]): Check[] {
  const project = layers.find(({ layer }) => layer === "project");
  if (project?.values["sandbox"] === undefined) return [];
  const message = "the project's file has a [sandbox] table, which stands above yours in this folder";
  return [warning("config.sandbox", message, "Look whether its values are what you want here.")];
}

/** A rule that cannot be read stops a run: it would protect nothing. */
export function checkRules({ loaded }: InspectedProject): Check[] {
  const { permissions } = loaded.config;
  const names = new Set(describedTools().map((tool) => tool.name));
  const { problems } = readRules(permissions, { source: "the config", isTool: (name) => names.has(name) });
  const count = permissions.allow.length + permissions.ask.length + permissions.deny.length;
  if (problems.length === 0) {
    return [ok("permissions", `mode ${permissions.mode}, ${plural(count, "rule")}`)];
  }
  return problems.map(({ effect, message }) =>
    failed(
      "permissions",
      `${effect} rule: ${message}`,
      "Write rules like Bash(npm test:*), Edit(docs/**) or read_file.",
    )
  );
}

export function checkTrust({ root, trusted, loaded }: InspectedProject): Check[] {
  const waiting = [...loaded.ignored, ...loaded.heldServers.map(({ name }) => `MCP server ${name}`)];
  if (waiting.length === 0) {
    return [ok("trust", trusted ? "this folder is trusted" : "not trusted; no setting here asks for it")];
  }
  const why = trusted ? "changed since you trusted this folder" : "not trusted";
  return [
    warning(
      "trust",
      `${why}; ignored until you agree: ${waiting.join(", ")}`,
      `If you know this folder: reasonix trust --dir ${root}`,
    ),
  ];
}

/** What runs and what waits, as a session would find them. Nothing of it is run. */
export async function checkHooks({ root, paths }: InspectedProject): Promise<Check[]> {
  const { agrees } = await trustInForce(paths, root);
  const { active, held, problems, sources } = await loadProjectHooks({ root, paths }, agrees);
  const bad = problems.map(({ code, text, source }) => warning("hooks", `${code}: ${text}`, `Correct ${source.file}.`));
  if (active.length + held.length === 0) return bad.length > 0 ? bad : [skipped("hooks", "none")];
  const waiting = held.length > 0 ? `, ${held.length} of this folder wait for trust` : "";
  const count = `${active.length} active${waiting}`;
  return [ok("hooks", `${count} (${sources.map(({ file }) => file).filter(isThere).join(", ")})`), ...bad];
}
