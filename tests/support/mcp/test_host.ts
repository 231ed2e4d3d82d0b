/** Servers and a front over them, without walls and without a session, in a temporary folder that goes with them. */
import type { CapabilitySource } from "../../../src/contract/capability.ts";
import type { Tool } from "../../../src/contract/tool.ts";
import { Front, type Host, type HostPorts, openHost, type ServerSettings } from "../../../src/mcp/mod.ts";
import { createLocalProcesses } from "../../../src/workspace/mod.ts";

export interface TestHost extends AsyncDisposable {
  readonly host: Host;
  readonly front: Front & CapabilitySource;
  readonly root: string;
  readonly stateRoot: string;
  /** Runs the tool of this name; rejects with what the tool throws. */
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<string>;
  /** What the odd server noted. */
  notes(): Promise<string[]>;
  /** Closes these servers and opens them anew over the same state. */
  again(servers: readonly ServerSettings[]): Promise<TestHost>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (text: string) => void;
}

export interface TestHostOptions {
  readonly root?: string;
  readonly ports?: Partial<Omit<HostPorts, "slots" | "nextToken">>;
  readonly planning?: () => boolean;
  readonly directTokens?: number;
  /** Variables beside those every program needs. */
  readonly inherited?: Readonly<Record<string, string>>;
  readonly secretNames?: readonly string[];
}

export async function openTestHost(
  servers: readonly ServerSettings[] | ((root: string) => readonly ServerSettings[]),
  options: TestHostOptions = {},
): Promise<TestHost> {
  const root = options.root ?? await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  const stateRoot = `${root}/state`;
  const processes = createLocalProcesses({
    root,
    inherited: { PATH: Deno.env.get("PATH")!, HOME: root, DENO_DIR: denoDir(), ...options.inherited },
    secretNames: options.secretNames ?? [],
  });
  const host = await openHost({
    servers: typeof servers === "function" ? servers(root) : servers,
    stateRoot,
    ports: {
      open: (_settings, program) => processes.open(program),
      fetch,
      root,
      version: "test",
      now: () => performance.now(),
      ...options.ports,
    },
  });
  const front = new Front(host, {
    planning: options.planning ?? (() => false),
    directTokens: options.directTokens ?? 8_000,
  });
  host.start();
  let closed = false;
  return {
    host,
    front,
    root,
    stateRoot,
    call: async (name, args = {}, how = {}) => {
      const tool = findTool(front, name);
      const context = {
        callId: "call",
        signal: how.signal ?? new AbortController().signal,
        progress: how.progress ?? (() => {}),
      };
      return (await tool.execute(args, context)).text;
    },
    notes: async () =>
      (await Deno.readTextFile(`${root}/log`).catch(() => "")).split("\n").filter((line) => line !== ""),
    again: async (next) => {
      closed = true;
      await host.close();
      return await openTestHost(next, { ...options, root });
    },
    [Symbol.asyncDispose]: async () => {
      if (closed) return;
      await host.close();
      await Deno.remove(root, { recursive: true });
    },
  };
}

function findTool(front: Front, name: string): Tool {
  const found = front.tool(name) ?? front.find(name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  if ("problem" in found) throw new Error(found.problem);
  return "tool" in found ? found.tool : found;
}

export const ODD_SERVER = decodeURIComponent(new URL("./odd_server.ts", import.meta.url).pathname);

export function settings(
  name: string,
  target: ServerSettings["target"],
  more: Partial<ServerSettings> = {},
): ServerSettings {
  return {
    name,
    target,
    startupMs: 10_000,
    callMs: 10_000,
    toolMs: {},
    concurrency: "parallel",
    enabled: true,
    autoStart: true,
    required: false,
    load: "auto",
    notes: [],
    ...more,
  };
}

/** The odd server, by the way it behaves. */
export function odd(
  manner: string,
  root: string,
  more: Partial<ServerSettings> & { readonly env?: Record<string, string> } = {},
) {
  const { env = {}, ...rest } = more;
  return settings(rest.name ?? "odd", {
    kind: "stdio",
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", "--quiet", ODD_SERVER, manner, `${root}/log`],
    env,
  }, rest);
}

function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

/** True while a process of this number lives. */
export function lives(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
