/** A request in, a Controller out: the one place that knows all parts, and the order they are put together in. */
import { savedSecrets } from "../config/mod.ts";
import type { Transcript } from "../contract/session.ts";
import { createController, EventLog, Questions } from "../controller/mod.ts";
import type { SandboxedProcesses } from "../safety/mod.ts";
import { buildRuntime } from "./build_runtime.ts";
import { createServerPool } from "./build_servers.ts";
import { buildSkillShelf } from "./build_skills.ts";
import { OutputStyles } from "./output_styles.ts";
import { openProject } from "./project.ts";
import type { Assembly, SessionRequest } from "./request.ts";

/** Throws `ReasonixError` for everything that stands in the way of a session. Sends nothing to a model. */
export async function assemble(request: SessionRequest): Promise<Assembly> {
  let transcript: Transcript | undefined;
  let sandbox: SandboxedProcesses | undefined;
  const log = new EventLog(() => transcript?.id ?? "");
  const project = await openProject(request, {
    notify: (text) => log.emit({ kind: "notice", level: "warning", text }),
  });
  log.hide(savedSecrets(project.loaded));
  const { resume, copy, takeover, model, effort, allowedTools, maxSteps, interactive } = request;
  const questions = new Questions(log.emit);
  const servers = createServerPool(project, {
    ...(interactive ? { person: questions } : {}),
    notify: (text, code) => log.emit({ kind: "notice", level: "warning", text, code }),
    sandboxState: () => sandbox?.state(),
  });
  const skills = buildSkillShelf(project);
  const styles = new OutputStyles(() => project);
  await styles.open();
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
    open: (conversation, options) =>
      buildRuntime(
        {
          project,
          servers,
          skills,
          styles,
          log,
          questions,
          model,
          effort,
          allowedTools,
          maxSteps,
          interactive,
          posture: request.posture ?? "ask",
          preset: request.preset ?? "balanced",
          earlierSandbox: sandbox,
          opened: (opened, walls) => [transcript, sandbox] = [opened, walls],
          isOpen: (one) => one === transcript,
        },
        conversation,
        options,
      ),
  }, {
    conversation: resume === undefined
      ? { kind: "new" }
      : resume === "latest"
      ? { kind: "latest" }
      : { kind: "stored", ref: resume.ref },
    copy,
    takeover,
  });
  return { controller, project, sandbox: () => sandbox!.state() };
}
