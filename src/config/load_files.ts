/** The files behind a config, each read and understood on its own. */
import { join } from "../lib/path.ts";
import type { EntrySource, ProviderEntry } from "./config.ts";
import type { SourcedEntries } from "./entries.ts";
import { EMPTY_ENV, type EnvFile, parseEnv } from "./env_file.ts";
import type { ConfigNotice, ConfigProblem, Finding } from "./findings.ts";
import { parseServers } from "./mcp_json.ts";
import { parseDocument } from "./parse_document.ts";
import { type LayerValues, readLayer } from "./read_layer.ts";
import { reportFindings } from "./report.ts";
import { readSourceFile } from "./source_file.ts";

export interface LoadedFile {
  readonly exists: boolean;
  readonly values: LayerValues;
  readonly notices: readonly ConfigNotice[];
  readonly problems: readonly ConfigProblem[];
}

export const NO_FILE: LoadedFile = { exists: false, values: {}, notices: [], problems: [] };

export async function loadFile(file: string, kind: "user" | "project"): Promise<LoadedFile> {
  const source = await readSourceFile(file);
  if (source.state === "missing") return NO_FILE;
  if (source.state === "failed") return { ...NO_FILE, exists: true, problems: [source.problem] };
  const parsed = await parseDocument(source.text, file);
  if ("problem" in parsed) return { ...NO_FILE, exists: true, problems: [parsed.problem] };
  const layer = readLayer(parsed.document, kind);
  const findings: readonly Finding[] = [...layer.findings, ...duplicateNames(layer.values)];
  return { exists: true, values: layer.values, ...await reportFindings(findings, { file, text: source.text }) };
}

function duplicateNames(values: LayerValues): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const entries = (values["providers"] ?? []) as readonly LayerValues[];
  entries.forEach(({ name }, index) => {
    if (typeof name !== "string") return;
    if (seen.has(name)) findings.push({ kind: "duplicate", path: ["providers", index], name });
    seen.add(name);
  });
  return findings;
}

export async function loadServers(file: string, notices: ConfigNotice[]): Promise<SourcedEntries> {
  const source: EntrySource = { layer: "mcp_json", file };
  const warn = (text: string) =>
    notices.push({ level: "warning", code: "config.mcp_json", text: `${file}: ${text}`, place: { file } });
  const read = await readSourceFile(file);
  if (read.state === "failed") warn("cannot be read; its servers are ignored");
  if (read.state !== "ok") return { source, entries: [] };
  const { servers, mistakes } = parseServers(read.text);
  mistakes.forEach(warn);
  return { source, entries: servers };
}

export async function loadEnv(file: string, problems: ConfigProblem[]): Promise<EnvFile> {
  const source = await readSourceFile(file);
  if (source.state === "failed") problems.push(source.problem);
  return source.state === "ok" ? parseEnv(source.text) : EMPTY_ENV;
}

const NEVER_FROM_PROJECT = /^REASONIX_|^(HOME|USERPROFILE|APPDATA|XDG_CONFIG_HOME|XDG_CACHE_HOME|XDG_STATE_HOME)$/;
/** Of use to a server, but never to Reasonix itself: said aloud, because people expect otherwise. */
const PROXY = /^(https?|all|no)_proxy$/i;

export async function loadProjectEnv(
  workspace: string,
  { providers, keys }: { readonly providers: readonly ProviderEntry[]; readonly keys: EnvFile },
  notices: ConfigNotice[],
): Promise<ReadonlyMap<string, string>> {
  const file = join(workspace, ".env");
  const source = await readSourceFile(file);
  if (source.state !== "ok") return new Map();
  const { values } = parseEnv(source.text);
  const isKey = (name: string) => keys.values.has(name) || providers.some((provider) => provider.apiKeyEnv === name);
  const barred = [...values.keys()].filter((name) => NEVER_FROM_PROJECT.test(name) || isKey(name));
  const said = [...values.keys()].filter((name) => barred.includes(name) || PROXY.test(name));
  if (said.length > 0) {
    notices.push({
      level: "warning",
      code: "config.project_env",
      text: `${file}: not taken from a project's .env: ${said.join(", ")}`,
      place: { file },
    });
  }
  return new Map([...values].filter(([name]) => !barred.includes(name)));
}
