/**
 * Whether this machine can confine commands, found by confining one. A program that exists but may not do its work
 * is told from one that is missing, with what helps on this system. Never guessed, never the model's business.
 */
import type { Processes } from "../../contract/workspace.ts";
import { errorText } from "../../lib/error_text.ts";
import { settledWithin } from "../../lib/waiting.ts";
import { bubblewrapBase } from "./bubblewrap.ts";
import { textOf } from "./disk_facts.ts";

export interface BubblewrapSandbox {
  readonly kind: "works";
  readonly backend: "bubblewrap";
  readonly program: string;
  /** User namespaces inside can be forbidden. */
  readonly forbidsNesting: boolean;
}

export interface SeatbeltSandbox {
  readonly kind: "works";
  readonly backend: "seatbelt";
  readonly program: string;
}

/** `missing`: no such program. `cannot_start`: it is there, `reason` is what it said. */
export interface UnusableSandbox {
  readonly kind: "missing" | "cannot_start";
  readonly backend: "bubblewrap" | "seatbelt";
  readonly reason: string;
  readonly remedy: string;
}

/** The last two: commands run as they are, because the person chose so or because this platform has no backend. */
export type SandboxState =
  | BubblewrapSandbox
  | SeatbeltSandbox
  | UnusableSandbox
  | { readonly kind: "off" }
  | { readonly kind: "unsupported" };

export interface ProbeOptions {
  readonly processes: Processes;
  readonly os: typeof Deno.build.os;
  /** Content of `/etc/os-release`; read from the disk when absent. */
  readonly osRelease?: string;
  /** Commands will get a network of their own: that too must work. */
  readonly ownNetwork?: boolean;
}

const OFF = `or set bash = "off" under [sandbox] to run commands without walls`;

export async function probeSandbox(options: ProbeOptions): Promise<SandboxState> {
  if (options.os === "linux") return await probeBubblewrap(options);
  if (options.os === "darwin") return await probeSeatbelt(options);
  return { kind: "unsupported" };
}

async function probeBubblewrap({ processes, osRelease, ownNetwork }: ProbeOptions): Promise<SandboxState> {
  const backend = "bubblewrap";
  const release = osRelease ?? textOf("/etc/os-release") ?? "";
  const program = await processes.which("bwrap");
  if (program === undefined) {
    const reason = "bubblewrap (bwrap) is not installed";
    return { kind: "missing", backend, reason, remedy: `Install it (${installLine(release)}), ${OFF}.` };
  }
  const attempt = (forbidsNesting: boolean) =>
    tryOut(processes, [
      program,
      ...bubblewrapBase({ forbidsNesting, foreignRoot: false }),
      ...(ownNetwork ? ["--unshare-net"] : []),
      ...[
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--remount-ro",
        "/proc",
        "--",
        "/bin/sh",
        "-c",
        ":",
      ],
    ], 2000);
  const full = await attempt(true);
  if (full === undefined) return { kind: "works", backend, program, forbidsNesting: true };
  const plain = full.late ? full : await attempt(false);
  if (plain === undefined) return { kind: "works", backend, program, forbidsNesting: false };
  return { kind: "cannot_start", backend, reason: plain.reason, remedy: namespaceHelp(release) };
}

async function probeSeatbelt({ processes }: ProbeOptions): Promise<SandboxState> {
  const backend = "seatbelt";
  const program = await processes.which("/usr/bin/sandbox-exec");
  if (program === undefined) {
    const reason = "/usr/bin/sandbox-exec is missing";
    return { kind: "missing", backend, reason, remedy: `Restore it with a macOS update, ${OFF}.` };
  }
  const failure = await tryOut(processes, [program, "-p", "(version 1)(allow default)", "/usr/bin/true"], 10_000);
  if (failure === undefined) return { kind: "works", backend, program };
  const remedy = `A program that is itself confined by macOS cannot confine others: start it outside, ${OFF}.`;
  return { kind: "cannot_start", backend, reason: failure.reason, remedy };
}

interface Failure {
  /** What the program said. */
  readonly reason: string;
  readonly late?: boolean;
}

/** Undefined when it ran. */
async function tryOut(processes: Processes, argv: readonly string[], limitMs: number): Promise<Failure | undefined> {
  let said = "";
  const decoder = new TextDecoder();
  try {
    const command = await processes.start({
      command: { argv },
      cwd: "/",
      onOutput: (bytes) => void (said += said.length < 4000 ? decoder.decode(bytes, { stream: true }) : ""),
    });
    if (!await settledWithin(command.ended, limitMs)) {
      await command.kill();
      return { reason: `it did not answer within ${limitMs / 1000} s`, late: true };
    }
    const end = await command.ended;
    if (end.survivors.length > 0) await command.kill();
    if (end.code === 0) return undefined;
    const words = said.trim().split("\n").slice(0, 3).join("; ");
    return { reason: words || `it ended with ${end.signal ?? `exit code ${end.code}`}` };
  } catch (error) {
    return { reason: errorText(error) };
  }
}

function distribution(release: string): { readonly ids: readonly string[]; readonly version: number } {
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, "m").exec(release)?.[1] ?? "";
  return {
    ids: `${field("ID")} ${field("ID_LIKE")}`.toLowerCase().split(/\s+/).filter((id) => id !== ""),
    version: Number.parseFloat(field("VERSION_ID")) || 0,
  };
}

function installLine(release: string): string {
  const { ids } = distribution(release);
  const has = (...names: string[]) => names.some((name) => ids.includes(name));
  if (has("debian", "ubuntu")) return "sudo apt install bubblewrap";
  if (has("fedora", "rhel", "centos")) return "sudo dnf install bubblewrap";
  if (has("arch")) return "sudo pacman -S bubblewrap";
  if (has("alpine")) return "sudo apk add bubblewrap";
  if (has("suse", "opensuse")) return "sudo zypper install bubblewrap";
  if (has("nixos")) return "add pkgs.bubblewrap to environment.systemPackages";
  return "the package is called bubblewrap";
}

/** The kernel or its policy forbids what every sandbox of this kind needs. */
function namespaceHelp(release: string): string {
  const { ids, version } = distribution(release);
  if (ids.includes("ubuntu") && version >= 23.1) {
    return `Ubuntu allows user namespaces only to programs with an AppArmor profile: install the one for bwrap ` +
      `(sudo apt install apparmor-profiles; sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict ` +
      `/etc/apparmor.d/; sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict), ${OFF}.`;
  }
  if (ids.includes("debian") || ids.includes("arch")) {
    return `User namespaces may be switched off: sudo sysctl kernel.unprivileged_userns_clone=1 ` +
      `(inside a container: let it use user namespaces, for Docker --security-opt seccomp=unconfined), ${OFF}.`;
  }
  if (ids.includes("fedora") || ids.includes("rhel") || ids.includes("centos")) {
    return `User namespaces may be switched off: sudo sysctl user.max_user_namespaces=15000 ` +
      `(inside a container: let it use user namespaces), ${OFF}.`;
  }
  return `The system does not let it make user namespaces: allow them ` +
    `(sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, or the container's security options), ${OFF}.`;
}
