/** Where an episode happens: a bed with home, state and workspace, and what can be done to the machine under it. */
import { ODD_SERVER } from "../../../tests/support/mcp/test_host.ts";
import { Bed } from "../../../tests/support/program.ts";
import { hasGit } from "../../../tests/support/programs.ts";
import { envLine } from "../../../src/config/env_file.ts";
import { sessionsFolder } from "../../../src/assembly/session_store.ts";
import { KINDS } from "../../../tests/support/wire_speech.ts";
import { Endpoint } from "./endpoint.ts";
import type { Setting } from "./plan.ts";
import { MARK } from "./processes.ts";

/** What this machine lets the soak do. */
export interface Means {
  /** File systems may be mounted, in a namespace that ends with the soak. */
  readonly mounts: boolean;
  /** Library that gives a program a clock of its own. */
  readonly clock?: string;
  readonly terminal: boolean;
}

const DISK_MIB = 256;
/** In the workspace, where the walls let it be read wherever the project lies. */
const SERVER = "odd_server.ts";

export class World implements AsyncDisposable {
  readonly bed: Bed;
  readonly endpoint: Endpoint;
  readonly setting: Setting;
  readonly means: Means;
  readonly #mounted: string[] = [];

  private constructor(bed: Bed, setting: Setting, means: Means) {
    this.bed = bed;
    this.setting = setting;
    this.means = means;
    this.endpoint = new Endpoint(setting.key);
  }

  static async create(setting: Setting, means: Means): Promise<World> {
    const world = new World(await Bed.create(), setting, means);
    const { bed } = world;
    if (setting.smallDisk && means.mounts) world.#mount(["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "none", bed.base]);
    for (const folder of [bed.home, bed.workspace, world.state, world.temp]) {
      Deno.mkdirSync(folder, { recursive: true });
    }
    Deno.writeTextFileSync(`${bed.home}/.env`, `${envLine("CHAOS_KEY", setting.key)}\n`, { mode: 0o600 });
    Deno.copyFileSync(ODD_SERVER, `${bed.workspace}/${SERVER}`);
    Deno.writeTextFileSync(`${bed.workspace}/notes.md`, "# Notes of the person\n");
    if (setting.repository && hasGit) run("git", ["-C", bed.workspace, "init", "-q"]);
    return world;
  }

  get state(): string {
    return `${this.bed.base}/state`;
  }

  get temp(): string {
    return `${this.bed.base}/tmp`;
  }

  get sessions(): string {
    return sessionsFolder({ state: this.state }, this.bed.workspace);
  }

  /** Says that the programs of this step talk to this step's part of the endpoint. */
  configure(step: string): void {
    const { setting, bed } = this;
    const providers = KINDS.map((kind) =>
      table("[[providers]]", {
        name: kind,
        kind,
        base_url: this.endpoint.url(step),
        model: `m-${kind}`,
        api_key_env: "CHAOS_KEY",
        context_window: setting.window,
        idle_timeout_seconds: 2,
      })
    );
    const servers = setting.servers.map((manner, at) =>
      table("[[plugins]]", {
        name: `odd_${at + 1}`,
        command: Deno.execPath(),
        args: ["run", "-A", "--no-check", "--quiet", SERVER, manner, "odd.log"],
        env: { API_KEY: setting.serverKey },
      })
    );
    const limits = table("[tools]", { mcp_startup_timeout_seconds: 4, mcp_call_timeout_seconds: 3 });
    const sandbox = table("[sandbox]", { bash: setting.sandbox });
    const text = [`default_model = "openai"\n`, ...providers, limits, sandbox, ...servers].join("\n");
    Deno.writeTextFileSync(`${bed.home}/config.toml`, text);
  }

  env(step: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      REASONIX_STATE_HOME: this.state,
      TMPDIR: this.temp,
      NO_COLOR: "1",
      [MARK]: step,
      ...more,
    };
  }

  /** A clock of the program's own that `jump` sets. The disk's clock, and time that only passes, stay as they are. */
  ownClock(): { readonly env: Record<string, string>; jump(seconds: number): void } {
    const file = `${this.bed.base}/clock`;
    Deno.writeTextFileSync(file, "+0\n");
    return {
      env: {
        LD_PRELOAD: this.means.clock!,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        DONT_FAKE_MONOTONIC: "1",
        NO_FAKE_STAT: "1",
      },
      jump: (seconds) => Deno.writeTextFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}\n`),
    };
  }

  /** Takes all space but so many bytes. */
  fillDisk(leaves: number): void {
    const ballast = `${this.bed.base}/ballast`;
    const piece = new Uint8Array(256 * 1024);
    try {
      using file = Deno.openSync(ballast, { create: true, append: true });
      for (;;) if (file.writeSync(piece) < piece.length) break;
    } catch {
      // Full, as wanted.
    }
    const { size } = Deno.statSync(ballast);
    Deno.truncateSync(ballast, Math.max(0, size - leaves));
  }

  freeDisk(): void {
    try {
      Deno.removeSync(`${this.bed.base}/ballast`);
    } catch {
      // It was not filled.
    }
  }

  /** Settles the folder as read-only until the answer is called. */
  readOnly(place: "home" | "state" | "ws"): () => void {
    const path = `${this.bed.base}/${place}`;
    this.#mount(["--bind", path, path]);
    run("mount", ["-o", "remount,ro,bind", path]);
    return () => this.#unmount(path);
  }

  /** Dates all that is stored so many days off. */
  shiftDates(days: number): void {
    const when = new Date(Date.now() + days * 86_400_000);
    for (const path of filesBelow(this.state)) Deno.utimeSync(path, when, when);
  }

  /** Copies everything to a place that stays. */
  keep(): string {
    const kept = Deno.makeTempDirSync({ prefix: "reasonix-chaos-" });
    run("cp", ["-a", `${this.bed.base}/.`, kept]);
    return kept;
  }

  #mount(args: readonly string[]): void {
    run("mount", args);
    this.#mounted.push(args.at(-1)!);
  }

  #unmount(path: string): void {
    run("umount", ["-l", path]);
    this.#mounted.splice(this.#mounted.lastIndexOf(path), 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endpoint[Symbol.asyncDispose]();
    for (const path of [...this.#mounted].reverse()) this.#unmount(path);
    await this.bed[Symbol.asyncDispose]();
  }
}

function run(command: string, args: readonly string[]): void {
  const { success, stderr } = new Deno.Command(command, { args: [...args], stdin: "null", stdout: "null" })
    .outputSync();
  if (!success) throw new Error(`${command} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** All files below a folder; what vanishes meanwhile is passed over. */
export function filesBelow(folder: string): string[] {
  const found: string[] = [];
  try {
    for (const entry of Deno.readDirSync(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) found.push(...filesBelow(path));
      else if (entry.isFile) found.push(path);
    }
  } catch {
    // Gone.
  }
  return found;
}

function table(head: string, values: Readonly<Record<string, unknown>>): string {
  const value = (one: unknown): string =>
    Array.isArray(one)
      ? `[${one.map(value).join(", ")}]`
      : typeof one === "object"
      ? `{ ${Object.entries(one as object).map(([key, inner]) => `${key} = ${value(inner)}`).join(", ")} }`
      : JSON.stringify(one);
  return [head, ...Object.entries(values).map(([key, one]) => `${key} = ${value(one)}`), ""].join("\n");
}
