/** The reports of `doctor`: the fields programs read, and one line a check for people. */
import type { Check, Diagnosis } from "../../../assembly/mod.ts";
import { BUILD } from "../../../lib/build_info.ts";
import { plural } from "../../../lib/plural.ts";

type Json = Record<string, unknown>;

export function toDoctorJson({ project, shell, sandbox, proxy, sessions, checks, ...found }: Diagnosis): Json {
  const { loaded, paths, root } = project;
  const { config, keys } = loaded;
  const { permissions } = config;
  return {
    schema_version: 1,
    command: "doctor",
    version: BUILD.version,
    os: Deno.build.os,
    arch: Deno.build.arch,
    cwd: root,
    config: {
      user_path: loaded.userConfig,
      project_path: loaded.projectConfig.exists ? loaded.projectConfig.file : "",
      default_model: config.defaultModel,
      resolved_model: found.defaultRef ?? "",
      trusted: project.trusted,
    },
    providers: config.providers.map((provider) => ({
      name: provider.name,
      kind: provider.kind,
      base_url_host: hostOf(provider.requestUrl ?? provider.chatUrl ?? provider.baseUrl),
      model: provider.default,
      models: provider.models,
      api_key_env: provider.apiKeyEnv,
      key_present: keys.values.has(provider.apiKeyEnv),
      is_default: provider.name === found.defaultProvider,
      context_window: provider.contextWindow,
    })),
    lsp: { enabled: config.lsp.enabled, servers: Object.keys(config.lsp.servers) },
    sessions: {
      dir: sessions.dir,
      count: sessions.count,
      bytes: sessions.bytes,
      recovery: { recovered: sessions.recovered, damaged: sessions.damaged, interrupted: sessions.interrupted },
    },
    sandbox: {
      bash: config.sandbox.bash,
      network: config.sandbox.network,
      write_roots: [config.sandbox.workspaceRoot || root, ...config.sandbox.allowWrite, paths.home],
      available: sandbox.available,
      shell: shell.path,
    },
    network: { proxy_mode: proxy.mode, proxy: proxy.proxy, no_proxy: proxy.noProxy },
    permission: {
      mode: permissions.mode,
      allow_rules: permissions.allow.length,
      ask_rules: permissions.ask.length,
      deny_rules: permissions.deny.length,
    },
    warnings: checks.filter(isTrouble).map(({ message }) => message),
    checks,
  };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}

const isTrouble = ({ status }: Check) => status === "warning" || status === "error";

const MARKS = { ok: "ok     ", warning: "warning", error: "ERROR  ", skipped: "-      " } as const;

export function toDoctorText({ checks, project }: Diagnosis): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, message, remedy }) => [
    `${MARKS[status]}  ${name.padEnd(width)}  ${message}`,
    ...(remedy === undefined ? [] : [`${" ".repeat(MARKS.ok.length + width + 4)}→ ${remedy}`]),
  ]);
  const troubles = checks.filter(isTrouble).length;
  const errors = checks.filter(({ status }) => status === "error").length;
  const end = troubles === 0
    ? "Everything is in order."
    : `${plural(errors, "error")}, ${plural(troubles - errors, "warning")}.`;
  return [
    `reasonix ${BUILD.version} on ${Deno.build.os} ${Deno.build.arch}, in ${project.root}`,
    "",
    ...lines,
    "",
    end,
  ].join("\n");
}

export interface SessionRow {
  readonly id: string;
  readonly title?: string;
  readonly preview: string;
  readonly bytes: number;
  readonly turns?: number;
  readonly updatedAt: number;
  readonly damaged?: string;
  readonly recovered?: boolean;
  readonly recoveryReason?: string;
  readonly inFlight?: unknown;
}

/** Without a word of what was said in them. */
export function toSessionsJson(records: readonly SessionRow[]): Json {
  return {
    schema_version: 1,
    command: "doctor.sessions",
    sessions: records.map((record) => ({
      transcript_id: record.id,
      bytes: record.bytes,
      turns: record.turns ?? null,
      updated_at: new Date(record.updatedAt).toISOString(),
      recovered: record.recovered ?? false,
      interrupted: record.inFlight !== undefined,
      ...(record.damaged === undefined ? {} : { damaged: record.damaged }),
    })),
  };
}

export function toSessionsText(records: readonly SessionRow[]): string {
  if (records.length === 0) return "No sessions of this folder.";
  return records.map((record) => {
    const turns = record.turns === undefined ? "? turns" : plural(record.turns, "turn");
    const state = record.damaged !== undefined
      ? `damaged: ${record.damaged}`
      : record.recovered
      ? `recovered: ${record.recoveryReason ?? "the transcript was changed from outside"}`
      : record.inFlight !== undefined
      ? "interrupted, or running now"
      : "whole";
    return `${record.id}  ${
      new Date(record.updatedAt).toISOString().slice(0, 16)
    }  ${turns}, ${record.bytes} bytes  ${state}`;
  }).join("\n");
}
