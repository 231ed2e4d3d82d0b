/**
 * The workspace's processes behind the system's walls. The backend is proved once; without one nothing runs. What a
 * command may touch is looked up before each command.
 */
import { Refusal } from "../../contract/errors.ts";
import type { CommandSpec, OpenProgram, Processes, RunningCommand, Wall, WallHint } from "../../contract/workspace.ts";
import { isInside, join } from "../../lib/path.ts";
import { BRIDGE_PORT } from "./bridge.ts";
import { bwrapArguments, PROXY_SOCKET } from "./bubblewrap.ts";
import type { DomainProxy } from "./domain_proxy.ts";
import { plantedHints, wallHints } from "./hints.ts";
import { type BubblewrapSandbox, probeSandbox, type SandboxState, type SeatbeltSandbox } from "./probe.ts";
import { seatbeltProfile } from "./seatbelt.ts";
import type { SandboxedProcesses, SandboxOptions } from "./sandbox.ts";
import { setAside } from "./set_aside.ts";
import { createStandIns, gitTrustsLooks } from "./stand_ins.ts";
import { type HostPlaces, lookUpHost, lookUpWalls, type Surroundings, type Walls } from "./walls.ts";

/** How much of a command's output is looked at for signs of a wall. */
const LOOKED_AT = 16 * 1024;

/** How long caches and sockets of the host are taken to be where they were. */
const HOST_KEPT_MS = 10_000;

export function confineProcesses(inner: Processes, options: SandboxOptions): SandboxedProcesses {
  const { settings } = options;
  const os = options.os ?? Deno.build.os;
  const env = options.env ?? Deno.env.toObject();
  const filters = settings.allowedDomains.length > 0 || settings.deniedDomains.length > 0;
  const standIns = createStandIns();
  const remembered = { pinned: new Set<string>(), readOnly: new Set<string>() };
  let probed = options.state;
  let proxy: Promise<DomainProxy> | undefined;
  let host: { readonly places: HostPlaces; readonly until: number } | undefined;

  const state = () => {
    if (settings.bash === "off") return Promise.resolve<SandboxState>({ kind: "off" });
    return probed ??= probeSandbox({ processes: inner, os, ownNetwork: !settings.network || filters });
  };

  const needProxy = async (): Promise<DomainProxy | undefined> => {
    if (!settings.network || !filters) return undefined;
    if (options.bridge === undefined && os === "linux") {
      throw new Refusal(
        "sandbox.unavailable",
        "allowed_domains or denied_domains are set, but this program cannot filter hosts here.",
        { remedy: "Take both out of [sandbox], or set network = false." },
      );
    }
    proxy ??= import("./domain_proxy.ts").then(({ createDomainProxy }) =>
      createDomainProxy({
        rules: { allowed: settings.allowedDomains, denied: settings.deniedDomains },
        on: os === "linux" ? "socket" : "port",
      })
    );
    return await proxy;
  };

  const wallFor = async (found: BubblewrapSandbox | SeatbeltSandbox, spec: Started): Promise<Confined> => {
    const filter = await needProxy();
    const around: Surroundings = {
      os: os === "darwin" ? "darwin" : "linux",
      env,
      uid: Deno.uid() ?? -1,
      git: remembered,
      programs: options.bridge?.filter((part) => part.startsWith("/")) ?? [],
      ...(options.temp && { temp: await options.temp.path() }),
      ...(filter?.socket === undefined ? {} : { proxySocket: filter.socket }),
      ...(filter?.port === undefined ? {} : { proxyPort: filter.port }),
    };
    if (host === undefined || performance.now() > host.until) {
      host = { places: lookUpHost(settings, around), until: performance.now() + HOST_KEPT_MS };
    }
    const walls = lookUpWalls(settings, around, host.places);
    if (walls.linkedGitFile !== undefined) {
      throw new Refusal(
        "sandbox.git_metadata_linked",
        `${walls.linkedGitFile} decides what git runs outside the sandbox and has another hard link through which ` +
          `a command could change it.`,
        { remedy: "Replace it with a copy of its own (cp FILE FILE.new && mv FILE.new FILE), then try again." },
      );
    }
    const inside = found.backend === "bubblewrap" ? "/tmp" : walls.temp;
    return {
      walls,
      wall: found.backend === "bubblewrap"
        ? bubblewrapWall(found, { walls, spec })
        : { argv: [found.program, "-p", seatbeltProfile(walls)], ownsTree: false },
      env: {
        ...(inside === undefined ? {} : { TMPDIR: inside, TMP: inside, TEMP: inside }),
        ...Object.fromEntries(
          Object.entries(walls.cacheFallbacks).map(([name, place]) => [name, join(inside ?? "/tmp", place)]),
        ),
        ...(hidesWorkFile(walls) ? gitTrustsLooks({ ...env, ...spec.env }) : {}),
        ...(filter === undefined ? {} : proxyVariables(walls)),
      },
    };
  };

  const bubblewrapWall = (
    found: BubblewrapSandbox,
    { walls, spec }: { walls: Walls; spec: Started },
  ): Wall => {
    const files = walls.masks.filter((mask) => mask.kind === "file");
    const args = bwrapArguments(walls, {
      standIns: Object.fromEntries(files.map(({ path }) => [path, standIns.of(path)])),
      cwd: spec.cwd === undefined ? options.root : join(options.root, spec.cwd),
      forbidsNesting: found.forbidsNesting,
    });
    const bridge = walls.network === "proxy" ? [...options.bridge!, PROXY_SOCKET, "--"] : [];
    return { argv: [found.program, ...args, ...bridge], ownsTree: true };
  };

  /** Undefined where nothing confines, because the settings or the system say so. Throws when confining is due and fails. */
  const confine = async (spec: Started): Promise<Confined | undefined> => {
    const found = await state();
    if (found.kind === "off" || found.kind === "unsupported") return undefined;
    if (found.kind === "works") return await wallFor(found, spec);
    throw new Refusal(
      "sandbox.unavailable",
      found.kind === "missing"
        ? `commands run only inside the sandbox, and ${found.reason}.`
        : `commands run only inside the sandbox, and ${found.backend} cannot start on this system: ${found.reason}.`,
      { remedy: found.remedy },
    );
  };

  return {
    shell: inner.shell,
    which: (program) => inner.which(program),
    state,
    async open(program): Promise<OpenProgram> {
      const confined = await confine(program);
      if (confined === undefined) return await inner.open(program);
      const opened = await inner.open({ ...program, env: { ...confined.env, ...program.env }, within: confined.wall });
      const tidy = () => void setAside(confined.walls.absentGitFiles);
      return {
        pid: opened.pid,
        stdin: opened.stdin,
        stdout: opened.stdout,
        stderr: opened.stderr,
        ended: opened.ended.finally(tidy),
        close: () => opened.close().finally(tidy),
      };
    },
    async start(spec) {
      const confined = await confine(spec);
      if (confined === undefined) return await inner.start(spec);
      const filter = await proxy;
      const before = filter?.refusedCount ?? 0;
      const tail = createTail();
      const running = await inner.start({
        ...spec,
        env: { ...confined.env, ...spec.env },
        within: { argv: [...confined.wall.argv, ...(spec.within?.argv ?? [])], ownsTree: confined.wall.ownsTree },
        onOutput(bytes) {
          tail.add(bytes);
          spec.onOutput?.(bytes);
        },
      });
      const { absentGitFiles } = confined.walls;
      const hinting = withHints(running, (status) => [
        ...plantedHints(setAside(absentGitFiles)),
        ...wallHints({
          output: tail.text(),
          status,
          walls: confined.walls,
          refusedHosts: filter?.refusedSince(before) ?? [],
        }),
      ]);
      const tidy = () => void setAside(absentGitFiles);
      return {
        ...hinting,
        gone: () => running.gone().finally(tidy),
        kill: () => running.kill().finally(tidy),
      };
    },
    async close() {
      await (await proxy?.catch(() => undefined))?.close();
      proxy = undefined;
      standIns.close();
    },
  };
}

/** What of a command or a program its walls depend on. */
type Started = Pick<CommandSpec, "cwd" | "env">;

interface Confined {
  readonly walls: Walls;
  readonly wall: Wall;
  readonly env: Readonly<Record<string, string>>;
}

/** A masked file may be one that git knows. */
function hidesWorkFile(walls: Walls): boolean {
  return walls.masks.some(({ path, kind }) => kind === "file" && walls.roots.some((root) => isInside(path, root)));
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

/** The end of a stream of bytes, in bounded memory. */
function createTail() {
  const kept: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes: Uint8Array) {
      kept.push(bytes.length > LOOKED_AT ? bytes.slice(-LOOKED_AT) : bytes);
      size += kept.at(-1)!.length;
      while (size - kept[0]!.length >= LOOKED_AT) size -= kept.shift()!.length;
    },
    text(): string {
      const decoder = new TextDecoder();
      return kept.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
    },
  };
}
