/**
 * `reasonix` at a terminal, and `reasonix tui`: checks the flags, opens the session, and hands both to the terminal UI,
 * which is loaded here and nowhere else.
 */
import { assemble, createPersonProcesses, listFolder, type Project } from "../../assembly/mod.ts";
import { savedSecrets } from "../../config/mod.ts";
import { EndSignals, signalExitCode } from "../../lib/end_signals.ts";
import { join } from "../../lib/path.ts";
import { SecretFilter } from "../../lib/secret_filter.ts";
import type { TuiPorts } from "../tui/mod.ts";
import type { CommandContext } from "./commands.ts";
import { type ParsedFlags, UsageError } from "./flags.ts";
import { offerKey } from "./first_key.ts";
import { oldSpellings, toPermissionMode, toSessionFlags } from "./run_options.ts";
import { offerTrust } from "./trust.ts";
import { versionLine } from "./version.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) {
    throw new UsageError("the terminal UI needs a terminal; `reasonix run` works without one");
  }
  if (parsed.words.length > 0) {
    throw new UsageError(`unexpected "${parsed.words[0]}"; to do one task: reasonix run ${parsed.words.join(" ")}`);
  }
  const flags = toSessionFlags(parsed);
  const mode = toPermissionMode(parsed);
  const { resume, choose } = toResume(parsed);
  if (flags.copy && resume === undefined && !choose) throw new UsageError("--copy requires --resume or --continue");
  const request = {
    ...flags,
    directory: flags.dir,
    ...(mode === undefined || mode === "plan" ? {} : { posture: mode }),
    ...(resume === undefined ? {} : { resume }),
    takeover: false,
    interactive: true,
  };
  for (const warning of oldSpellings(parsed.values)) streams.err.line(`! ${warning}`);
  await offerTrust(streams, flags.dir);
  // The screen loads while the session opens.
  const screen = import("../tui/mod.ts");
  screen.catch(() => {});
  const opened = await offerKey(streams, { directory: flags.dir, model: flags.model }, async () => {
    const signals = new EndSignals();
    try {
      return { signals, assembly: await signals.unlessStopped(assemble(request)) };
    } catch (error) {
      // A question may follow, which Ctrl+C leaves.
      signals[Symbol.dispose]();
      throw error;
    }
  });
  using signals = opened.signals;
  const { assembly } = opened;
  const stopped = signals.first;
  if (stopped !== undefined || assembly === undefined) {
    await assembly?.controller.close();
    return signalExitCode(stopped!);
  }
  const { controller, project } = assembly;
  if (mode === "plan") controller.send({ kind: "set_mode", mode: "plan" });
  const ports: TuiPorts = {
    controller,
    settings: await toSettings(project, () => assembly.project.loaded.config.agent.compactRatio),
    root: project.root,
    home: project.paths.home,
    version: versionLine().replace(/^reasonix /, ""),
    // Keys may be saved while it runs.
    redact: (text) => new SecretFilter(savedSecrets(assembly.project.loaded)).text(text),
    listFolder: (folder, signal) => listFolder(project.root, folder, signal),
    processes: createPersonProcesses(project),
    env: project.env,
    ...(mode === "yolo" && !await yoloAccepted(project) ? { confirmYolo: () => acceptYolo(project) } : {}),
    ...(choose ? { firstCommand: "/resume" } : {}),
    resumeCommand: (id) => `reasonix --resume ${id}`,
  };
  const { runPlain, runScreen } = await screen;
  const end = await (ports.settings.plain ? runPlain(ports) : runScreen(ports));
  const to = end.exitCode === 0 ? streams.out : streams.err;
  for (const line of end.lines) to.line(line);
  return end.exitCode;
}

/** `-r` alone asks which; `--resume=true` and `=false` are old spellings. */
function toResume(
  { values }: ParsedFlags,
): { readonly resume?: "latest" | { readonly ref: string }; readonly choose: boolean } {
  const written = values.get("resume");
  if (written === true || written === "true") return { choose: true };
  if (typeof written === "string" && written !== "false") return { resume: { ref: written }, choose: false };
  return values.has("continue") ? { resume: "latest", choose: false } : { choose: false };
}

/** `foldAt`: the one in force, also after the settings were read again. */
async function toSettings({ loaded: { config }, env }: Project, foldAt: () => number): Promise<TuiPorts["settings"]> {
  const { languageOf } = await import("../view/mod.ts");
  const { theme, themeStyle, cursorShape, showTurnUsage, showReasoning, plain } = config.ui;
  const { enabled, turnDone, approvalRequest, askRequest } = config.notifications;
  return {
    theme,
    accent: themeStyle,
    language: languageOf(config.language, env("REASONIX_LANG"), env("LC_ALL"), env("LC_MESSAGES"), env("LANG")),
    cursorShape,
    showUsage: showTurnUsage,
    showReasoning,
    diffFences: config.cli.diffFences,
    diffOutput: config.agent.embeddedDiffDetection,
    notifications: { enabled, turnDone, approvalRequest, askRequest },
    statusCommand: config.statusline.command,
    plain: plain || env("TERM") === "dumb",
    get foldAt() {
      return foldAt();
    },
  };
}

const yoloMark = ({ paths }: Project) => join(paths.state, "yolo-accepted");

async function yoloAccepted(project: Project): Promise<boolean> {
  return (await Deno.stat(yoloMark(project)).catch(() => undefined)) !== undefined;
}

async function acceptYolo(project: Project): Promise<void> {
  await Deno.mkdir(project.paths.state, { recursive: true });
  await Deno.writeTextFile(yoloMark(project), "", { mode: 0o600 });
}
