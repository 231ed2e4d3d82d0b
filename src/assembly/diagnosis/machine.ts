/** What the machine offers: programs, the sandbox, the proxy, the folder of sessions. Nothing of the repository runs. */
import { proxySettings, withoutLogin } from "../../config/mod.ts";
import type { Processes } from "../../contract/workspace.ts";
import { errorText } from "../../lib/error_text.ts";
import { plural } from "../../lib/plural.ts";
import { probeSandbox } from "../../safety/sandbox/probe.ts";
import type { SessionRecord } from "../../sessions/mod.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { type Check, failed, ok, skipped, warning } from "./check.ts";

export async function checkPrograms(project: InspectedProject, processes: Processes): Promise<Check[]> {
  const { engine, rgPath } = project.loaded.config.tools.search;
  const rg = await processes.which(rgPath === "auto" ? "rg" : rgPath);
  const git = await processes.which("git");
  return [
    rg !== undefined ? ok("program.rg", rg) : engine === "rg"
      ? failed(
        "program.rg",
        "ripgrep is not there, and search.engine asks for it",
        `Install ripgrep, or set engine = "auto".`,
      )
      : warning("program.rg", "ripgrep (rg) is not on PATH: searches take the slower way", "Install ripgrep."),
    git !== undefined
      ? ok("program.git", git)
      : warning("program.git", "git is not on PATH: the model cannot look at history", "Install git."),
    ok("shell", `${processes.shell.name} at ${processes.shell.path}`),
  ];
}

export interface SandboxFacts {
  readonly available: boolean;
  readonly check: Check;
}

export async function checkSandbox({ loaded }: InspectedProject, processes: Processes): Promise<SandboxFacts> {
  const { bash, network, allowedDomains, deniedDomains } = loaded.config.sandbox;
  const os = Deno.build.os;
  const filters = allowedDomains.length > 0 || deniedDomains.length > 0;
  const state = await probeSandbox({ processes, os, ownNetwork: !network || filters });
  switch (state.kind) {
    case "works": {
      if (bash === "off") {
        const message = `${state.backend} works, but [sandbox] bash = "off": commands run without walls`;
        return { available: true, check: warning("sandbox", message, `Set bash = "enforce" under [sandbox].`) };
      }
      return { available: true, check: ok("sandbox", `${state.backend} works (${state.program})`) };
    }
    case "unsupported":
    case "off": {
      const message = `this system has no sandbox that Reasonix can use${
        bash === "enforce" ? '; "enforce" means "off" here' : ""
      }`;
      return {
        available: false,
        check: warning("sandbox", message, "Run Reasonix in a container or a virtual machine."),
      };
    }
    default: {
      if (bash === "off") return { available: false, check: skipped("sandbox", `switched off; ${state.reason}`) };
      const message = `${state.reason}: commands of the model are refused`;
      return { available: false, check: failed("sandbox", message, state.remedy) };
    }
  }
}

export interface ProxyFacts {
  readonly mode: string;
  /** Without name and password. */
  readonly proxy: string;
  readonly noProxy: readonly string[];
  readonly check: Check;
}

const VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

export function checkProxy({ loaded, env }: InspectedProject): ProxyFacts {
  const { network } = loaded.config;
  const mode = network.proxyMode;
  const facts = { mode, proxy: "", noProxy: network.noProxy };
  try {
    const settings = proxySettings(network, { keys: loaded.keys, env });
    if (settings.mode === "direct") return { ...facts, check: ok("proxy", "none: connections are direct") };
    if (settings.mode === "custom") {
      const proxy = withoutLogin(settings.url);
      return { ...facts, proxy, check: ok("proxy", proxy) };
    }
  } catch (error) {
    const message = errorText(error);
    const remedy = 'Set network.proxy_url, such as "http://127.0.0.1:8080", or another proxy_mode.';
    return { ...facts, check: failed("proxy", message, remedy) };
  }
  const set = VARIABLES.find((name) => env(name));
  if (set === undefined) return { ...facts, check: ok("proxy", "none in the environment") };
  const proxy = withoutLogin(env(set)!);
  const noProxy = (env("NO_PROXY") ?? env("no_proxy") ?? "").split(",").map((host) => host.trim()).filter(Boolean);
  return { ...facts, proxy, noProxy, check: ok("proxy", `${proxy} (${set})`) };
}

export interface SessionFacts {
  readonly dir: string;
  readonly count: number;
  readonly bytes: number;
  readonly recovered: number;
  readonly damaged: number;
  readonly interrupted: number;
  readonly check: Check;
}

export async function checkSessions(dir: string, list: () => Promise<readonly SessionRecord[]>): Promise<SessionFacts> {
  const none = { dir, count: 0, bytes: 0, recovered: 0, damaged: 0, interrupted: 0 };
  let records: readonly SessionRecord[];
  try {
    records = await list();
  } catch (error) {
    const message = errorText(error);
    return { ...none, check: failed("sessions", message, `Make ${dir} readable.`) };
  }
  const count = (is: (record: SessionRecord) => boolean) => records.filter(is).length;
  const facts = {
    dir,
    count: records.length,
    bytes: records.reduce((sum, { bytes }) => sum + bytes, 0),
    recovered: count(({ recovered }) => recovered === true),
    damaged: count(({ damaged }) => damaged !== undefined),
    interrupted: count(({ inFlight }) => inFlight !== undefined),
  };
  const said = `${plural(facts.count, "session")}, ${facts.bytes} bytes in ${dir}`;
  if (facts.damaged === 0) return { ...facts, check: ok("sessions", said) };
  const message = `${said}; ${facts.damaged} damaged`;
  return {
    ...facts,
    check: warning("sessions", message, "Look with reasonix doctor sessions; what is whole can be resumed."),
  };
}
