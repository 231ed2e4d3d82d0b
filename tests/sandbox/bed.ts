/** A workspace with real walls around its commands, on a part of the disk that the walls do not replace. */
import type { ExitStatus } from "../../src/contract/workspace.ts";
import { type SandboxedProcesses, sandboxProcesses, type SandboxSettings } from "../../src/safety/mod.ts";
import { createLocalProcesses, createSessionTemp } from "../../src/workspace/mod.ts";

export interface Ran extends ExitStatus {
  readonly output: string;
}

export interface Bed {
  /** Holds everything; outside the walls. */
  readonly parent: string;
  readonly root: string;
  readonly processes: SandboxedProcesses;
  /** Inside. What a command leaves running is ended. */
  run(shell: string, options?: { readonly cwd?: string }): Promise<Ran>;
  /** Outside, as the person in a terminal. Throws when it fails. */
  outside(shell: string, cwd?: string): Promise<string>;
}

export interface BedOptions {
  readonly settings?: (places: { readonly parent: string; readonly root: string }) => Partial<SandboxSettings>;
  /** Over the environment that commands inherit. */
  readonly env?: (places: { readonly root: string }) => Record<string, string>;
  /** Runs before the walls are used, in `parent`. */
  readonly before?: string;
  /** The workspace below `parent`; made by `before` or empty. */
  readonly root?: string;
  /** What `parent` lies in. */
  readonly within?: string;
  readonly bridge?: readonly string[];
}

const GIT = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
  GIT_CONFIG_NOSYSTEM: "1",
};

export async function withBed(options: BedOptions, test: (bed: Bed) => Promise<void>): Promise<void> {
  const parent = await Deno.realPath(
    await Deno.makeTempDir({ dir: options.within ?? "/var/tmp", prefix: "reasonix-test-" }),
  );
  const home = `${parent}/home`;
  // `npx` names its cache to what it starts; the home of the bed has its own.
  const { npm_config_cache: _, ...inherited } = Deno.env.toObject();
  const env = { ...inherited, ...GIT, HOME: home };
  const outside = async (shell: string, cwd = parent) => {
    const { success, stdout, stderr } = await new Deno.Command("/bin/bash", {
      args: ["-ec", shell],
      cwd,
      env,
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (!success) throw new Error(text + new TextDecoder().decode(stderr));
    return text;
  };
  const temp = createSessionTemp();
  let processes: SandboxedProcesses | undefined;
  try {
    await outside(`mkdir home; ${options.before ?? ""}`);
    const root = `${parent}/${options.root ?? "ws"}`;
    await Deno.mkdir(root, { recursive: true });
    const inherited = { ...env, ...options.env?.({ root }) };
    const made = processes = sandboxProcesses(createLocalProcesses({ root, temp, inherited }), {
      root,
      temp,
      env: inherited,
      ...(options.bridge && { bridge: options.bridge }),
      settings: {
        bash: "enforce",
        writeRoots: [root],
        readOnlyPaths: [],
        forbidRead: [],
        secretPaths: [],
        network: true,
        allowedDomains: [],
        deniedDomains: [],
        hostAuthorities: ["ssh_agent"],
        userHome: home,
        ...options.settings?.({ parent, root }),
      },
    });
    await test({
      parent,
      root,
      processes,
      outside,
      async run(shell, { cwd } = {}) {
        const decoder = new TextDecoder();
        let output = "";
        const command = await made.start({
          command: { shell },
          ...(cwd === undefined ? {} : { cwd }),
          onOutput: (bytes) => void (output += decoder.decode(bytes, { stream: true })),
        });
        const { survivors, ...status } = await command.ended;
        if (survivors.length > 0) await command.kill();
        return { ...status, output };
      },
    });
  } finally {
    await processes?.close();
    await temp.remove();
    await new Deno.Command("chmod", { args: ["-R", "u+rwX", parent] }).output();
    await Deno.remove(parent, { recursive: true });
  }
}

const works = await hasBubblewrap();

/** A test that needs bubblewrap; ignored, and said so, where it is missing or may not do its work. */
export function confinedTest(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name: works ? name : `${name} (needs a working bubblewrap: apt install bubblewrap)`,
    ignore: !works,
    fn,
  });
}

async function hasBubblewrap(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    const args = ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"];
    return (await new Deno.Command("bwrap", { args, stdout: "null", stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}
