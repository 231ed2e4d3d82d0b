/**
 * `mcp browse` and `mcp install`: the public registry of servers, asked only on request. The last answer to a question
 * is kept, and told as such when the registry cannot be reached.
 */
import { loadFetch } from "../../../assembly/mod.ts";
import { addServer } from "../../../config/mod.ts";
import { ReasonixError } from "../../../contract/errors.ts";
import { replaceFile } from "../../../lib/atomic_file.ts";
import { sha256, toBytes, toText } from "../../../lib/bytes.ts";
import { errorText } from "../../../lib/error_text.ts";
import { readBounded } from "../../../lib/read_body.ts";
import { toJsonLine, toLine, toTerminal } from "../../../lib/terminal_text.ts";
import { EXIT } from "../exit_codes.ts";
import { textOf, UsageError } from "../flags.ts";
import type { McpCall } from "./mcp_command.ts";

const REGISTRY = "https://registry.modelcontextprotocol.io";
const LIMIT_MS = 15_000;
const LARGEST = 4 << 20;

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly packages: readonly Package[];
  readonly remotes: readonly Remote[];
}

interface Package {
  readonly registryType?: string;
  readonly identifier?: string;
  readonly version?: string;
  readonly environmentVariables?: readonly Wanted[];
  readonly packageArguments?: readonly Wanted[];
}

interface Remote {
  readonly type?: string;
  readonly url?: string;
  readonly headers?: readonly Wanted[];
}

interface Wanted {
  readonly name?: string;
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
}

export async function browse(call: McpCall): Promise<number> {
  const { streams, parsed } = call;
  const text = parsed.values.get("limit");
  const limit = text === undefined ? 20 : Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw new UsageError("--limit takes a whole number from 1 to 100");
  }
  const { servers, age } = await ask(call, parsed.words.join(" "), limit);
  if (age !== undefined) streams.err.line(`! the registry cannot be reached; this is its answer of ${age}`);
  if (parsed.values.has("json")) {
    streams.out.line(
      toJsonLine({ schema_version: 1, command: "mcp.browse", servers, ...(age ? { cached_at: age } : {}) }),
    );
    return EXIT.success;
  }
  if (servers.length === 0) streams.err.line("Nothing found.");
  for (const { name, description } of servers) streams.out.line(`${toLine(name, 100)}: ${toLine(description, 160)}`);
  return EXIT.success;
}

export async function install(call: McpCall): Promise<number> {
  const { streams, parsed, project } = call;
  const wanted = parsed.words[0]!;
  const { servers } = await ask(call, wanted, 100);
  const found = servers.find(({ name }) => name === wanted);
  if (found === undefined) {
    streams.err.line(`the registry has no server named "${toLine(wanted)}"; reasonix mcp browse finds names`);
    return EXIT.failure;
  }
  const name = textOf(parsed, "as") ?? wanted.split("/").at(-1)!;
  if (!/^[\w.-]{1,60}$/.test(name)) throw new UsageError(`"${name}" is no name for a server; choose one with --as`);
  if (project.loaded.config.plugins.some((plugin) => plugin.name === name)) {
    throw new UsageError(`there is a server named "${name}" already; choose another with --as`);
  }
  const plan = planOf(found);
  if (plan.open.length > 0) {
    streams.err.line(toTerminal(`"${name}" needs values only you have: ${plan.open.join(", ")}. Add it yourself:`));
    streams.err.line(toTerminal(`  ${plan.line(name)}`));
    return EXIT.failure;
  }
  await addServer(project.loaded.userConfig, { name, ...plan.entry }, { mode: 0o600 });
  streams.out.line(toTerminal(`added "${name}" to ${project.loaded.userConfig}; the next session starts it`));
  return EXIT.success;
}

interface Plan {
  readonly entry: Readonly<Record<string, string | readonly string[]>>;
  /** Values that only the person can give. */
  readonly open: readonly string[];
  line(name: string): string;
}

function planOf({ name, packages, remotes }: Listed): Plan {
  const remote = remotes.find(({ url }) => typeof url === "string" && /^https:\/\//.test(url));
  if (remote) {
    const open = needed(remote.headers);
    const type = remote.type === "sse" ? "sse" : "http";
    const headers = open.map((header) => ` --header ${header}=…`).join("");
    return {
      entry: { type, url: remote.url! },
      open,
      line: (as) => `reasonix mcp add ${as} --${type} ${remote.url}${headers}`,
    };
  }
  const runners: Readonly<Record<string, readonly string[]>> = {
    npm: ["npx", "-y"],
    pypi: ["uvx"],
    oci: ["docker", "run", "-i", "--rm"],
  };
  const found = packages.find(({ registryType, identifier }) =>
    Object.hasOwn(runners, registryType ?? "") && /^[@\w][\w./@:-]*$/.test(identifier ?? "")
  );
  if (found === undefined) {
    throw new ReasonixError("config.unreadable", `"${name}" names no package that can be started here`);
  }
  const version = /^[\w.+-]+$/.test(found.version ?? "") ? found.version : undefined;
  const separator = found.registryType === "oci" ? ":" : "@";
  const identifier = version === undefined || found.identifier!.includes(separator, 1)
    ? found.identifier!
    : `${found.identifier}${separator}${version}`;
  const [command, ...args] = [...runners[found.registryType!]!, identifier];
  const open = [...needed(found.environmentVariables), ...needed(found.packageArguments)];
  const env = needed(found.environmentVariables).map((one) => `--env ${one}=… `).join("");
  return {
    entry: { command: command!, args },
    open,
    line: (as) => `reasonix mcp add ${as} ${env}-- ${command} ${args.join(" ")}`,
  };
}

function needed(wanted: readonly Wanted[] | undefined): string[] {
  return (wanted ?? []).filter(({ isRequired, isSecret }) => isRequired || isSecret).map(({ name }) =>
    name ?? "a value"
  );
}

async function ask(
  { project }: McpCall,
  query: string,
  limit: number,
): Promise<{ servers: readonly Listed[]; age?: string }> {
  const base = project.env("REASONIX_MCP_REGISTRY") ?? REGISTRY;
  const address = new URL("/v0/servers", base);
  address.searchParams.set("limit", String(limit));
  if (query !== "") address.searchParams.set("search", query);
  const folder = `${project.paths.state}/mcp-registry`;
  const kept = `${folder}/${(await sha256(address.href)).slice(0, 32)}.json`;
  let text: string;
  try {
    const fetch = await loadFetch(project);
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetch(address, { redirect: "error", signal });
    const bytes = await readBounded(response.body, { most: LARGEST, signal });
    if (bytes === undefined) throw new Error("its answer is too large");
    text = toText(bytes);
    if (!response.ok) throw new Error(`it answered HTTP ${response.status}`);
    JSON.parse(text);
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(kept, toBytes(text));
  } catch (cause) {
    const old = await Deno.readTextFile(kept).catch(() => undefined);
    if (old === undefined) {
      const why = errorText(cause);
      throw new ReasonixError("provider.unreachable", `the registry at ${address.host} cannot be asked: ${why}`, {
        cause,
      });
    }
    const at = (await Deno.stat(kept)).mtime;
    return { servers: parse(old), age: at?.toISOString() ?? "an earlier day" };
  }
  return { servers: parse(text) };
}

function parse(text: string): Listed[] {
  const json = JSON.parse(text) as { servers?: readonly ({ server?: Partial<Listed> } & Partial<Listed>)[] };
  return (json.servers ?? []).flatMap((entry) => {
    const { name, description = "", packages = [], remotes = [] } = entry.server ?? entry;
    return typeof name === "string" ? [{ name, description, packages, remotes }] : [];
  });
}
