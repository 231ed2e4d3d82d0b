/**
 * The workspace's processes behind the system's walls. The backend is proved once; without one nothing runs. What a
 * command may touch is looked up before each command.
 */
import { Refusal } from "../../contract/errors.ts";
import type {
  CommandSpec,
  OpenProgram,
  Processes,
  ProgramToOpen,
  RunningCommand,
  Wall,
  WallHint,
} from "../../contract/workspace.ts";
import { isInside, join } from "../../lib/path.ts";
import { Tail } from "../../lib/tail.ts";
import { BRIDGE_PORT } from "./bridge.ts";
import { bwrapArguments, KEEPER, PROXY_SOCKET, standingArguments } from "./bubblewrap.ts";
import type { DomainProxy } from "./domain_proxy.ts";
import { hiddenPlaces } from "./hidden_places.ts";
import type { GitMemory } from "./git_metadata.ts";
import { plantedHints, wallHints } from "./hints.ts";
import { createKeeperCopy, type KeeperCopy } from "./keeper_copy.ts";
import { type BubblewrapSandbox, probeSandbox, type SandboxState, type SeatbeltSandbox } from "./probe.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import type { SandboxedProcesses, SandboxOptions } from "./sandbox.ts";
import { setAside } from "./set_aside.ts";
import { createSettledIndexes } from "./settled_index.ts";
import { createStandIns, gitTrustsLooks, type StandIns } from "./stand_ins.ts";
import { type HostPlaces, lookUpHost, lookUpWalls, type Surroundings, type Walls } from "./walls.ts";

/** How much of a command's output is looked at for signs of a wall. */
const LOOKED_AT = 16 * 1024;

/** How long caches and sockets of the host are taken to be where they were. */
const HOST_KEPT_MS = 10_000;

export function confineProcesses(inner: Processes, options: SandboxOptions): SandboxedProcesses {
  return new ConfinedProcesses(inner, options);
}

class ConfinedProcesses implements SandboxedProcesses {
  readonly shell: Processes["shell"];
  readonly #inner: Processes;
  readonly #options: SandboxOptions;
  readonly #os: typeof Deno.build.os;
  readonly #env: Readonly<Record<string, string>>;
  readonly #standIns: StandIns;
  readonly #keeper: KeeperCopy;
  readonly #indexes = createSettledIndexes();
  /** What of git was protected before in this session. */
  readonly #git: GitMemory;
  #state: Promise<SandboxState> | undefined;
  #proxy: Promise<DomainProxy> | undefined;
  #host: { readonly places: HostPlaces; readonly until: number } | undefined;

  constructor(inner: Processes, options: SandboxOptions) {
    this.shell = inner.shell;
    this.#inner = inner;
    this.#options = options;
    this.#os = options.os ?? Deno.build.os;
    this.#env = options.env ?? Deno.env.toObject();
    this.#state = options.state;
    this.#standIns = createStandIns({ tempNotes: options.tempNotes });
    this.#keeper = createKeeperCopy(inner.shell.path, { tempNotes: options.tempNotes });
    this.#git = options.git ?? { pinned: new Set(), readOnly: new Set() };
  }

  which(program: string): Promise<string | undefined> {
    return this.#inner.which(program);
  }

  state(): Promise<SandboxState> {
    const { settings } = this.#options;
    if (settings.bash === "off") return Promise.resolve<SandboxState>({ kind: "off" });
    const ownNetwork = !settings.network || this.#filters;
    return this.#state ??= probeSandbox({ processes: this.#inner, os: this.#os, ownNetwork });
  }

  async open(program: ProgramToOpen): Promise<OpenProgram> {
    const confined = await this.#confine(program);
    if (confined === undefined) return await this.#inner.open(program);
    const { walls, wall, env } = confined;
    const opened = await this.#inner.open({ ...program, env: { ...env, ...program.env }, within: wall });
    const tidy = () => void setAside(walls.absentGitFiles);
    return {
      pid: opened.pid,
      stdin: opened.stdin,
      stdout: opened.stdout,
      stderr: opened.stderr,
      ended: opened.ended.finally(tidy),
      close: () => opened.close().finally(tidy),
    };
  }

  expect(): void {
    this.#inner.expect();
  }

  async start(spec: CommandSpec): Promise<RunningCommand> {
    this.#inner.expect();
    const confined = await this.#confine(spec);
    if (confined === undefined) return await this.#inner.start(spec);
    const { walls, wall, env } = confined;
    const filter = await this.#proxy;
    const before = filter?.refusedCount ?? 0;
    const tail = new Tail(LOOKED_AT);
    const running = await this.#inner.start({
      ...spec,
      env: { ...env, ...spec.env },
      within: spec.within ? { argv: [...wall.argv, ...spec.within.argv], ownsTree: wall.ownsTree } : wall,
      onOutput(bytes) {
        tail.add(bytes);
        spec.onOutput?.(bytes);
      },
    });
    const { absentGitFiles } = walls;
    const hinting = withHints(running, (status) => [
      ...plantedHints(setAside(absentGitFiles)),
      ...wallHints({
        output: tail.text,
        status,
        walls,
        refusedHosts: filter?.refusedSince(before) ?? [],
        hidden: status.code !== 0 && this.#os === "linux" ? hiddenPlaces(tail.text, walls) : [],
      }),
    ]);
    const tidy = () => void setAside(absentGitFiles);
    return {
      ...hinting,
      gone: () => running.gone().finally(tidy),
      kill: () => running.kill().finally(tidy),
    };
  }

  async close(): Promise<void> {
    await (await this.#proxy?.catch(() => undefined))?.close();
    this.#proxy = undefined;
    await this.#inner.close();
    await Promise.all([this.#standIns.close(), this.#keeper.close()]);
  }

  /** Some hosts can be reached and others cannot. */
  get #filters(): boolean {
    const { allowedDomains, deniedDomains } = this.#options.settings;
    return allowedDomains.length > 0 || deniedDomains.length > 0;
  }

  /** Undefined where nothing confines, because the settings or the system say so. Throws when confining is due and fails. */
  async #confine(spec: Started): Promise<Confined | undefined> {
    const found = await this.state();
    if (found.kind === "off" || found.kind === "unsupported") return undefined;
    if (found.kind === "works") return await this.#wallFor(found, spec);
    throw new Refusal(
      "sandbox.unavailable",
      found.kind === "missing"
        ? `commands run only inside the sandbox, and ${found.reason}.`
        : `commands run only inside the sandbox, and ${found.backend} cannot start on this system: ${found.reason}.`,
      { remedy: found.remedy },
    );
  }

  async #wallFor(found: BubblewrapSandbox | SeatbeltSandbox, spec: Started): Promise<Confined> {
    const filter = await this.#needProxy();
    const walls = await this.#lookUp(filter, spec.argv ?? []);
    const hidden = hiddenWorkFiles(walls);
    if (hidden.length > 0) await this.#indexes.settle(hidden, walls.guards.map(({ path }) => path));
    const inside = found.backend === "bubblewrap" ? "/tmp" : walls.temp;
    return {
      walls,
      wall: found.backend === "bubblewrap"
        ? await this.#bubblewrap(found, { walls, spec })
        : { argv: [found.program, "-p", seatbeltProfile(walls)], ownsTree: false },
      env: {
        ...(inside === undefined ? {} : { TMPDIR: inside, TMP: inside, TEMP: inside }),
        ...Object.fromEntries(
          Object.entries(walls.cacheFallbacks).map(([name, place]) => [name, join(inside ?? "/tmp", place)]),
        ),
        ...(hidden.length > 0 ? gitTrustsLooks({ ...this.#env, ...spec.env }) : {}),
        ...(filter === undefined ? {} : proxyVariables(walls)),
      },
    };
  }

  async #lookUp(filter: DomainProxy | undefined, named: readonly string[]): Promise<Walls> {
    const { settings, bridge, temp } = this.#options;
    const around: Surroundings = {
      os: this.#os === "darwin" ? "darwin" : "linux",
      env: this.#env,
      uid: Deno.uid() ?? -1,
      git: this.#git,
      programs: bridge?.filter((part) => part.startsWith("/")) ?? [],
      named: named.filter((word) => word.startsWith("/")),
      ...(temp && { temp: await temp.path() }),
      ...(filter?.socket === undefined ? {} : { proxySocket: filter.socket }),
      ...(filter?.port === undefined ? {} : { proxyPort: filter.port }),
    };
    if (this.#host === undefined || performance.now() > this.#host.until) {
      this.#host = { places: lookUpHost(settings, around), until: performance.now() + HOST_KEPT_MS };
    }
    const walls = lookUpWalls(settings, around, this.#host.places);
    if (walls.linkedGitFile === undefined) return walls;
    throw new Refusal(
      "sandbox.git_metadata_linked",
      `${walls.linkedGitFile} decides what git runs outside the sandbox and has another hard link through which ` +
        `a command could change it.`,
      { remedy: "Replace it with a copy of its own (cp FILE FILE.new && mv FILE.new FILE), then try again." },
    );
  }

  async #bubblewrap(found: BubblewrapSandbox, { walls, spec }: { walls: Walls; spec: Started }): Promise<Wall> {
    const { root, bridge } = this.#options;
    const files = walls.masks.filter((mask) => mask.kind === "file");
    const args = bwrapArguments(walls, {
      standIns: Object.fromEntries(files.map(({ path }) => [path, this.#standIns.of(path)])),
      cwd: spec.cwd === undefined ? root : join(root, spec.cwd),
      forbidsNesting: found.forbidsNesting,
    });
    const through = walls.network === "proxy" ? [...bridge!, PROXY_SOCKET, "--"] : [];
    const wall = { argv: [found.program, ...args, ...through], ownsTree: true };
    const keeper = mayStand(found, walls) && this.shell.name === "bash" ? await this.#keeper.path() : undefined;
    if (keeper === undefined || isWritable(keeper, walls)) return wall;
    return { ...wall, standing: { argv: [found.program, ...standingArguments(args, keeper)], keeper: KEEPER } };
  }

  async #needProxy(): Promise<DomainProxy | undefined> {
    const { settings, bridge } = this.#options;
    if (!settings.network || !this.#filters) return undefined;
    if (bridge === undefined && this.#os === "linux") {
      throw new Refusal(
        "sandbox.unavailable",
        "allowed_domains or denied_domains are set, but this program cannot filter hosts here.",
        { remedy: "Take both out of [sandbox], or set network = false." },
      );
    }
    this.#proxy ??= import("./domain_proxy.ts").then(({ createDomainProxy }) =>
      createDomainProxy({
        rules: { allowed: settings.allowedDomains, denied: settings.deniedDomains },
        on: this.#os === "linux" ? "socket" : "port",
        tempNotes: this.#options.tempNotes,
      })
    );
    return await this.#proxy;
  }
}

/** What of a command or a program its walls depend on. */
type Started = Pick<CommandSpec, "cwd" | "env"> & Partial<Pick<ProgramToOpen, "argv">>;

interface Confined {
  readonly walls: Walls;
  readonly wall: Wall;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Whether commands may follow one another in one start of these walls: nobody inside can get powers over the first
 * process, and there is nothing in them that each command must find anew.
 */
function mayStand({ forbidsNesting }: BubblewrapSandbox, walls: Walls): boolean {
  const { foreignRoot, network, temp, emptied } = walls;
  return forbidsNesting && !foreignRoot && network !== "proxy" && temp !== undefined && emptied.includes("/run");
}

function isWritable(path: string, { roots, caches }: Walls): boolean {
  const writable = caches.filter(({ access }) => access === "rw").map((mount) => mount.path);
  return [...roots, ...writable].some((place) => isInside(path, place));
}

/** Masked files that git may know. */
function hiddenWorkFiles(walls: Walls): readonly string[] {
  return walls.masks.filter(({ path, kind }) => kind === "file" && walls.roots.some((root) => isInside(path, root)))
    .map(({ path }) => path);
}

function proxyVariables(walls: Walls): Record<string, string> {
  const url = `http://127.0.0.1:${walls.proxyPort ?? BRIDGE_PORT}`;
  const none = "localhost,127.0.0.1,::1";
  const names = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: none };
  const lower = Object.entries(names).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...names, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: "1" };
}

function withHints(
  running: RunningCommand,
  hintsOf: (status: Awaited<RunningCommand["ended"]>) => WallHint[],
): RunningCommand {
  return {
    ...running,
    ended: running.ended.then((status) => {
      const hints = status.wallFailure === undefined ? hintsOf(status) : [];
      return hints.length > 0 ? { ...status, wallHints: hints } : status;
    }),
  };
}
