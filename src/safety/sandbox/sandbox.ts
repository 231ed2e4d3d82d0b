/**
 * The door to the sandbox. A session begins without any of it: the walls are loaded with the first command or the first
 * question about them, and a command waits for them.
 */
import type { Processes } from "../../contract/workspace.ts";
import type { GitMemory } from "./git_metadata.ts";
import type { SandboxState } from "./probe.ts";
import type { SandboxSettings } from "./walls.ts";

export interface SandboxOptions {
  readonly settings: SandboxSettings;
  /** Absolute, links resolved: where commands start that name no folder. */
  readonly root: string;
  /** The session's temporary folder: appears as `/tmp` on Linux. */
  readonly temp?: { path(): Promise<string> };
  /** Where temporary folders of the walls themselves are noted; see `makeTempFolder`. */
  readonly tempNotes?: string;
  /** How this program is started so that it runs `runSandboxBridge`: needed when hosts are filtered. */
  readonly bridge?: readonly string[];
  readonly os?: typeof Deno.build.os;
  /** What commands inherit; this program's own environment when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** What of git these walls' predecessors protected; filled here. */
  readonly git?: GitMemory;
  /** Already known, for instance from another session of this process. */
  readonly state?: Promise<SandboxState>;
}

export interface SandboxedProcesses extends Processes {
  /** Probes at the first call; the answer never changes. For the status line and `doctor`. */
  state(): Promise<SandboxState>;
  /** Ends the proxy and removes the stand-ins. The commands have ended before. */
  close(): Promise<void>;
}

export function sandboxProcesses(inner: Processes, options: SandboxOptions): SandboxedProcesses {
  let loading: Promise<SandboxedProcesses> | undefined;
  const walls = () =>
    loading ??= import("./confined_processes.ts").then(({ confineProcesses }) => confineProcesses(inner, options));
  return {
    shell: inner.shell,
    which: (program) => inner.which(program),
    state: async () => await (await walls()).state(),
    open: async (program) => await (await walls()).open(program),
    expect: () => inner.expect(),
    start: async (spec) => await (await walls()).start(spec),
    close: async () => await (await loading?.catch(() => undefined))?.close(),
  };
}
