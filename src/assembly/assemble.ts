/** A request in, a Controller out: the one place that knows all parts, and the order they are put together in. */
import { savedSecrets, saveKeys } from "../config/mod.ts";
import type { Transcript } from "../contract/session.ts";
import { createController, EventLog, Questions } from "../controller/mod.ts";
import type { SandboxedProcesses } from "../safety/mod.ts";
import { buildRuntime, type RuntimeContext } from "./build_runtime.ts";
import { createServerPool, serverKey, type ServerPool } from "./build_servers.ts";
import { buildSkillShelf, shelfSettings } from "./build_skills.ts";
import { OutputStyles } from "./output_styles.ts";
import { openProject, type Project, renewProject } from "./project.ts";
import type { Assembly, SessionRequest } from "./request.ts";

/** Throws `ReasonixError` for everything that stands in the way of a session. Sends nothing to a model. */
export async function assemble(request: SessionRequest): Promise<Assembly> {
  let transcript: Transcript | undefined;
  let sandbox: SandboxedProcesses | undefined;
  const log = new EventLog(() => transcript?.id ?? "");
  const notify = (text: string) => log.emit({ kind: "notice", level: "warning", text });
  const opened = await openProject(request, { notify });
  log.hide(savedSecrets(opened.loaded));
  const { resume, copy, takeover, interactive } = request;
  const questions = new Questions(log.emit);
  const poolFor = (project: Project) =>
    createServerPool(project, {
      ...(interactive ? { person: questions } : {}),
      notify: (text, code) => log.emit({ kind: "notice", level: "warning", text, code }),
      sandboxState: () => sandbox?.state(),
    });
  /** What the settings make of this run; replaced when they are read again. */
  let inForce: { readonly project: Project; readonly servers: ServerPool } = {
    project: opened,
    servers: poolFor(opened),
  };
  const project = () => inForce.project;
  const skills = buildSkillShelf(opened, project);
  const styles = new OutputStyles(project);
  await styles.open();

  const contextOf = ({ project, servers }: typeof inForce): RuntimeContext => ({
    project,
    servers,
    skills,
    styles,
    log,
    questions,
    model: request.model,
    effort: request.effort,
    allowedTools: request.allowedTools,
    maxSteps: request.maxSteps,
    interactive,
    posture: request.posture ?? "ask",
    preset: request.preset ?? "balanced",
    earlierSandbox: sandbox,
    opened: (opened, walls) => [transcript, sandbox] = [opened, walls],
    isOpen: (one) => one === transcript,
    renew: async () => {
      const renewed = await renewProject(project);
      const next = {
        project: renewed,
        servers: serverKey(renewed) === serverKey(project) ? servers : poolFor(renewed),
      };
      return {
        context: contextOf(next),
        commit: async () => {
          inForce = next;
          log.hide(savedSecrets(renewed.loaded));
          skills.change(shelfSettings(renewed));
          await styles.open();
        },
      };
    },
  });

  const commands = interactive
    ? (await import("./build_commands.ts")).buildCommands({
      project,
      log,
      skills,
      styles,
      sandbox: () => sandbox!.state(),
    })
    : undefined;
  const controller = await createController({
    log,
    questions,
    ...(commands ? { commands: commands.create, close: commands.close } : {}),
    ...(interactive
      ? { saveKey: (name: string, value: string) => saveKeys(opened.paths.envFile, { [name]: value }) }
      : {}),
    open: (conversation, options) => buildRuntime(contextOf(inForce), conversation, options),
  }, {
    conversation: resume === undefined
      ? { kind: "new" }
      : resume === "latest"
      ? { kind: "latest" }
      : { kind: "stored", ref: resume.ref },
    copy,
    takeover,
  });
  return {
    controller,
    get project() {
      return inForce.project;
    },
    sandbox: () => sandbox!.state(),
  };
}
