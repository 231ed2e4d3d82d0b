/** Config in, Controller out: the one place that names the concrete parts and the order they are put together in. */
import { createAgent } from "../agent/mod.ts";
import { type Config, defaultModel, loadConfig, type LoadedConfig, resolveModel, resolvePaths } from "../config/mod.ts";
import type { ToolSettings } from "../contract/tool.ts";
import { Approvals, createController, EventLog } from "../controller/mod.ts";
import { createSessionContext, createSystemPrompt } from "../prompts/mod.ts";
import { createSessionStore } from "../sessions/mod.ts";
import { BUILTIN_TOOLS, createJobs, createToolSet } from "../tools/mod.ts";
import { buildGate } from "./build_gate.ts";
import { buildProvider } from "./build_provider.ts";
import { buildWorkspace } from "./build_workspace.ts";
import { configuredPrompt } from "./configured_prompt.ts";
import { extraRoots, workspaceRoot } from "./directory.ts";
import { openSession } from "./open_session.ts";
import type { Assembly, SessionRequest } from "./request.ts";

/** Throws `ReasonixError` for everything that stands in the way of a session. Sends nothing to a model. */
export async function assemble(request: SessionRequest): Promise<Assembly> {
  const env = (name: string) => Deno.env.get(name);
  const root = await workspaceRoot(request.directory);
  const paths = request.paths ?? resolvePaths(env, { os: Deno.build.os, cwd: Deno.cwd() });
  const trusted = false;
  const loaded = await loadConfig({ paths, workspace: root, trusted, env });
  const { config, keys } = loaded;
  const notices = loaded.notices.map((notice) => notice.text);
  const choice = request.model === undefined ? defaultModel(config) : resolveModel(config, request.model, "--model");
  const provider = await buildProvider(choice, { config, keys, paths, env });
  const { workspace, temp } = buildWorkspace({
    root,
    config,
    paths,
    env,
    extraRoots: await extraRoots(request.addDirs, root),
    secretNames: [...keys.values.keys()],
  });

  const log = new EventLog(() => session.transcript.id);
  const tell = (text: string) => log.emit({ kind: "notice", level: "warning", text });
  const session = await openSession(
    createSessionStore({
      directory: `${paths.state}/projects/${root.replaceAll("/", "-")}/sessions`,
      stateRoot: paths.state,
      workspaceRoot: root,
      holder: {
        pid: Deno.pid,
        host: Deno.hostname(),
        program: request.interactive ? "reasonix" : "reasonix run",
        startedAt: Date.now(),
      },
      notify: tell,
    }),
    request,
    choice.ref,
  );
  const { transcript } = session;
  notices.push(...session.notices);

  const approvals = new Approvals(log.emit);
  const jobs = createJobs({
    stalledWarningSeconds: config.tools.backgroundJobs.stalledWarningSeconds,
    onEnded: (job) => log.emit({ kind: "job_ended", job: job.id, status: job.status }),
  });
  const tools = createToolSet(
    BUILTIN_TOOLS,
    { workspace, settings: toToolSettings(config), results: transcript.results, jobs },
    { enabled: config.tools.enabled },
  );
  for (const { name, nearest } of tools.unknownNames) {
    notices.push(`[tools] enabled names "${name}", which is no tool${nearest ? `; did you mean ${nearest}?` : ""}`);
  }

  const posture = request.posture ?? "ask";
  const gate = await buildGate({
    config,
    paths,
    workspace,
    tools,
    posture,
    allowedTools: request.allowedTools,
    trusted,
    ...(request.interactive ? { approver: approvals } : {}),
  });
  const resumed = transcript.messages.length > 0;
  const agent = createAgent({ provider, tools, gate, transcript, emit: log.emit, now: Date.now }, {
    opening: {
      system: createSystemPrompt(await configuredPrompt(config, { root, paths, ofProject: promptIsProjects(loaded) })),
      sessionContext: resumed ? undefined : await createSessionContext({
        platform: `${Deno.build.os} ${Deno.build.arch}`,
        shell: workspace.processes.shell.name,
        workspace: root,
        which: (program) => workspace.processes.which(program),
      }, config.environment),
    },
    temperature: config.agent.temperature,
    effort: request.effort,
    maxSteps: request.maxSteps,
  });
  const closers = [() => jobs.closeAll(), () => temp.remove()];
  return {
    controller: createController({ agent, log, approvals, transcript, closers }),
    modelRef: choice.ref,
    posture,
    workspaceRoot: root,
    notices,
  };
}

function promptIsProjects({ config, layers }: LoadedConfig): boolean {
  const project = layers.find(({ layer }) => layer === "project")?.values.agent as Partial<Config["agent"]> | undefined;
  return project?.systemPromptFile !== undefined && project.systemPromptFile === config.agent.systemPromptFile;
}

function toToolSettings(config: Config): ToolSettings {
  const { bashTimeoutSeconds, shell, search, backgroundJobs } = config.tools;
  return {
    bashTimeoutSeconds,
    shellEnv: shell.env,
    searchEngine: search.engine,
    ...(search.rgPath === "auto" ? {} : { rgPath: search.rgPath }),
    stalledWarningSeconds: backgroundJobs.stalledWarningSeconds,
  };
}
