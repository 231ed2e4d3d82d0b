/** One conversation, put together: transcript, walls, tools, gate, model, loop. */
import { type Agent, type ContextSettings, createAgent, type TurnBudget } from "../agent/mod.ts";
import { type Config, defaultModel, type LoadedConfig, type ModelChoice, resolveModel } from "../config/mod.ts";
import type { Posture, WorkPreset } from "../contract/decision.ts";
import type { Inbox } from "../contract/inbox.ts";
import type { Jobs } from "../contract/jobs.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { Provider } from "../contract/provider.ts";
import type { Transcript } from "../contract/session.ts";
import type { ToolSet, ToolSettings } from "../contract/tool.ts";
import type { Workspace } from "../contract/workspace.ts";
import {
  type Conversation,
  type ConversationOptions,
  type EventLog,
  PlanPhase,
  PresetState,
  type Questions,
  type Runtime,
} from "../controller/mod.ts";
import {
  createReferenceObserver,
  createSessionContext,
  createSystemPrompt,
  loadInstructions,
  type OutputStyle,
  SessionStyle,
  styleSection,
  toInstructionPrompt,
} from "../prompts/mod.ts";
import type { SessionHooks, SkillShelf } from "../extensions/mod.ts";
import type { PermissionGate, SandboxedProcesses } from "../safety/mod.ts";
import {
  createContextStore,
  type OpenedCheckpoints,
  recordRequests,
  recordRun,
  type RunRecorder,
} from "../sessions/mod.ts";
import { BUILTIN_TOOLS, createJobs, createToolSet } from "../tools/mod.ts";
import type { Memory } from "../memory/memory.ts";
import { buildCheckpoints } from "./build_checkpoints.ts";
import { buildGate } from "./build_gate.ts";
import { buildHooks } from "./build_hooks.ts";
import { buildHistory } from "./build_history.ts";
import { buildInbox } from "./build_inbox.ts";
import { buildMemory } from "./build_memory.ts";
import { buildProvider, type BuiltProvider } from "./build_provider.ts";
import type { ServerPool, TakenServers } from "./build_servers.ts";
import { openSkills, type SessionSkills } from "./build_skills.ts";
import { buildWorkspace, forbiddenPaths } from "./build_workspace.ts";
import { escapableShell } from "./escapable_shell.ts";
import { configuredPrompt } from "./configured_prompt.ts";
import { forbiddenPlaces } from "./forbidden_places.ts";
import { foldFacts } from "./fold_facts.ts";
import type { OutputStyles } from "./output_styles.ts";
import { openTranscript } from "./open_transcript.ts";
import type { Project } from "./project.ts";
import { createSessionTodos, type SessionTodos } from "./session_todos.ts";
import { listToolKinds } from "./tool_kinds.ts";

export interface RuntimeContext {
  readonly project: Project;
  readonly servers: ServerPool;
  readonly skills: SkillShelf;
  readonly styles: OutputStyles;
  readonly log: EventLog;
  readonly questions: Questions;
  /** Model and effort asked for; the configured default when absent. */
  readonly model?: string;
  readonly effort?: string;
  readonly posture: Posture;
  readonly preset: WorkPreset;
  readonly allowedTools: readonly string[];
  readonly maxSteps: number;
  /** Somebody can answer questions. */
  readonly interactive: boolean;
  /** The walls of the conversation before this one: whether they stand is not found out twice. */
  readonly earlierSandbox?: SandboxedProcesses;
  /** Told which transcript the events belong to from now on, and what stands around commands. */
  opened(transcript: Transcript, sandbox: SandboxedProcesses): void;
  /** False once another conversation was opened. */
  isOpen(transcript: Transcript): boolean;
}

/** What belongs to the conversation, whichever model speaks in it. */
interface Scope {
  readonly transcript: Transcript;
  readonly workspace: Workspace;
  readonly tools: ToolSet;
  readonly gate: PermissionGate;
  readonly plan: PlanPhase;
  readonly preset: PresetState;
  readonly style: SessionStyle;
  readonly opening: Promise<Opening>;
  readonly hooks?: SessionHooks;
  readonly memory: Memory;
  readonly skills: SessionSkills;
  readonly checkpoints: OpenedCheckpoints;
  /** What waits for the running turn; absent where nobody can say anything meanwhile. */
  readonly inbox?: Inbox;
  readonly journal: RunRecorder;
  readonly todos: SessionTodos;
  readonly servers?: TakenServers["servers"];
  /** Settles the tool list with the first turn. */
  readonly serverOpening?: LoopObserver;
  readonly notices: readonly string[];
  /** Which agent folds: the one that speaks now. */
  readonly compression: { agent?: Agent };
  /** Who speaks now. */
  readonly speaker: { provider?: Provider };
  facts(): readonly string[];
  close(): Promise<void>;
}

export async function buildRuntime(
  context: RuntimeContext,
  conversation: Conversation,
  options: ConversationOptions = {},
): Promise<Runtime> {
  const choice = chooseModel(context.project.loaded.config, context.model);
  // The model first: a key that is missing stops the start before a session is touched.
  const built = await buildProvider(choice, context.project);
  const scope = await openScope(context, conversation, { ...options, model: choice.ref });
  return await speak(context, scope, { choice, built, effort: context.effort, maxOutputTokens: undefined });
}

interface Voice {
  readonly choice: ModelChoice;
  readonly built: BuiltProvider;
  readonly effort: string | undefined;
  readonly maxOutputTokens: number | undefined;
}

/** A conversation with a model in it. */
async function speak(context: RuntimeContext, scope: Scope, voice: Voice): Promise<Runtime> {
  const { project, log, maxSteps } = context;
  const { transcript, tools, gate, plan } = scope;
  const { choice, effort, maxOutputTokens } = voice;
  const { provider } = voice.built;
  const { config } = project.loaded;
  const opening = await scope.opening;
  const agent = createAgent({
    provider: recordRequests(provider, { place: transcript, now: Date.now }),
    tools,
    gate: plan.before(gate),
    transcript,
    observers: [
      ...(scope.serverOpening ? [scope.serverOpening] : []),
      plan.observer,
      scope.preset.observer,
      scope.style.observer,
      ...(scope.hooks ? [scope.hooks.observer] : []),
      ...(scope.skills.observer ? [scope.skills.observer] : []),
      ...references(context, scope, provider),
      scope.memory.observer,
      scope.checkpoints.observer,
      scope.journal.observer,
    ],
    emit: log.emit,
    contextStore: createContextStore(transcript),
    ...(scope.inbox ? { guidance: scope.inbox } : {}),
    foldFacts: scope.facts,
    now: Date.now,
  }, {
    opening,
    temperature: config.agent.temperature,
    effort,
    maxOutputTokens,
    maxSteps,
    budget: toTurnBudget(config),
    context: toContextSettings(config),
  });
  scope.compression.agent = agent;
  scope.speaker.provider = provider;
  return {
    agent,
    transcript,
    model: {
      ref: choice.ref,
      contextWindow: provider.contextWindow,
      ...(effort === undefined ? {} : { effort }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    permissions: gate,
    plan,
    preset: scope.preset,
    memory: scope.memory.commands,
    checkpoints: scope.checkpoints.checkpoints,
    ...(scope.inbox ? { inbox: scope.inbox } : {}),
    todos: scope.todos,
    reread: async () => {
      scope.todos.restore(transcript.messages);
      scope.style.reread();
      return await speak(context, scope, voice);
    },
    ...(scope.servers ? { servers: scope.servers } : {}),
    notices: [...scope.notices, ...voice.built.notices, ...opening.notes],
    withModel: async (wanted) => {
      const next = wanted.model === undefined ? choice : resolveModel(config, wanted.model);
      return await speak(context, scope, {
        choice: next,
        built: await buildProvider(next, project),
        effort: wanted.effort === "auto" ? undefined : wanted.effort ?? effort,
        maxOutputTokens: wanted.maxOutputTokens === undefined ? maxOutputTokens : wanted.maxOutputTokens || undefined,
      });
    },
    close: () => scope.close(),
  };
}

/** Headless runs take the text as typed. */
function references(
  { interactive, project, log }: RuntimeContext,
  { workspace, servers }: Scope,
  provider: Provider,
): LoopObserver[] {
  if (!interactive) return [];
  const notice = (text: string) => log.emit({ kind: "notice", level: "warning", text });
  return [createReferenceObserver({
    root: project.root,
    files: workspace.files,
    vision: provider.vision === true,
    readResource: (server, uri, signal) =>
      servers?.list().some(({ name }) => name === server)
        ? servers.resource(server, uri, signal).then(({ text }) => text)
        : undefined,
    notice,
  })];
}

async function openScope(
  context: RuntimeContext,
  conversation: Conversation,
  options: ConversationOptions & { readonly model: string },
): Promise<Scope> {
  const { project, log, questions } = context;
  const { config } = project.loaded;
  const { transcript, notices } = await openTranscript(project.sessions, conversation, options);
  let taken: TakenServers | undefined;
  try {
    taken = await context.servers.take();
    const late: { jobs?: Jobs } = {};
    const checkpoints = await buildCheckpoints(project, { transcript, jobs: () => late.jobs });
    const built = buildWorkspace(project, {
      snapshots: checkpoints.snapshots,
      sandboxState: context.earlierSandbox?.state(),
    });
    const { workspace } = built;
    const { inbox, notices: queue } = context.interactive ? await buildInbox(transcript) : { notices: [] };
    const journal = recordRun({ place: transcript, now: Date.now });
    const memory = buildMemory(project);
    const history = buildHistory(project, transcript);
    const skills = await openSkills(context.skills, {
      transcript,
      enabled: config.tools.enabled,
      interactive: context.interactive,
    });
    // A stored conversation keeps the opening it began with.
    const opening = transcript.messages.length > 0
      ? Promise.resolve<Opening>({ system: "", notes: [] })
      : createOpening(project, workspace, { memory, skills: skills.prompt, style: context.styles.wanted });
    opening.catch(() => {});
    const posture = () => gate.posture;
    const hooks = await buildHooks({ project, log, transcript, posture });
    const approver = context.interactive ? hooks?.notified(questions) ?? questions : undefined;
    const jobs = createJobs({
      stalledWarningSeconds: config.tools.backgroundJobs.stalledWarningSeconds,
      onStarted: (job) => log.emit({ kind: "job_started", job: job.id, label: job.label }),
      onEnded: (job) => log.emit({ kind: "job_ended", job: job.id, status: job.status }),
    });
    late.jobs = jobs;
    const todos = createSessionTodos(transcript.messages);
    const compression: Scope["compression"] = {};
    const speaker: Scope["speaker"] = {};
    const plan = new PlanPhase({
      changed: (mode) => log.emit({ kind: "mode_changed", mode }),
      window: (open) => gate.setPlanWindow(open),
    });
    const preset = new PresetState({
      preset: context.preset,
      unchecked: (text) => log.emit({ kind: "notice", level: "warning", code: "delivery.unchecked", text }),
    });
    const style = new SessionStyle({ wanted: () => context.styles.wanted, messages: () => transcript.messages });
    const front = taken?.front({ planning: () => plan.active });
    const builtin = approver
      ? escapableShell(BUILTIN_TOOLS, { unconfined: built.unconfined, approver, posture })
      : BUILTIN_TOOLS;
    const tools = createToolSet(
      listToolKinds(builtin, { memory: memory.tools, history: history.tool, skill: skills.tool }),
      {
        workspace,
        settings: toToolSettings(config),
        results: transcript.results,
        jobs,
        todos,
        planMode: plan,
        capabilities: [front, skills.capabilities].filter((source) => source !== undefined),
        vision: () => speaker.provider?.vision === true,
        compression: { compress: (request, signal) => compression.agent!.compress(request, signal) },
        ...(context.interactive ? { person: questions } : {}),
      },
      { enabled: config.tools.enabled },
    );
    const gate = buildGate({
      project,
      workspace,
      caseless: await built.caseless,
      tools,
      memory,
      posture: context.posture,
      allowedTools: context.allowedTools,
      ...(approver ? { approver } : {}),
      ...(hooks ? { reviewers: [hooks.reviewer] } : {}),
    });
    const unknown = tools.unknownNames.map(({ name, nearest }) =>
      `[tools] enabled names "${name}", which is no tool${nearest ? `; did you mean ${nearest}?` : ""}`
    );
    context.opened(transcript, built.sandbox);
    hooks?.begin(conversation.kind === "new" ? "startup" : "resume");
    return {
      transcript,
      workspace,
      tools,
      gate,
      plan,
      preset,
      style,
      opening,
      compression,
      speaker,
      facts: () => [...foldFacts(todos, jobs), ...style.facts],
      memory,
      skills,
      checkpoints,
      ...(inbox ? { inbox } : {}),
      journal,
      todos,
      ...(hooks ? { hooks } : {}),
      ...(taken && front ? { servers: taken.servers, serverOpening: taken.opening(front, tools.add) } : {}),
      notices: [
        ...project.notices,
        ...context.styles.notices,
        ...notices,
        ...checkpoints.notices,
        ...queue,
        ...unknown,
        ...skills.notices,
      ],
      close: async () => {
        await Promise.all([
          taken?.release(),
          jobs.closeAll(),
          history.close(),
          hooks?.end(context.isOpen(transcript) ? "exit" : "new_session"),
        ]);
        await built.close();
        journal.close();
        inbox?.close();
        await transcript.close();
      },
    };
  } catch (error) {
    await taken?.release();
    await transcript.close();
    throw error;
  }
}

function chooseModel(config: Config, ref: string | undefined): ModelChoice {
  return ref === undefined ? defaultModel(config) : resolveModel(config, ref, "--model");
}

interface Opening {
  readonly system: string;
  readonly sessionContext?: string;
  /** About instructions that were not taken as they stand. */
  readonly notes: readonly string[];
}

async function createOpening(
  project: Project,
  workspace: Workspace,
  { memory, skills, style }: {
    readonly memory: Memory;
    readonly skills: string | undefined;
    readonly style: OutputStyle | undefined;
  },
): Promise<Opening> {
  const { root, paths, loaded } = project;
  // A memory that cannot be read costs its notes, not the session.
  const isForbidden = forbiddenPlaces(forbiddenPaths(project));
  const pinned = memory.pinned().catch(() => undefined);
  const [instructions, configured, sessionContext] = await Promise.all([
    loadInstructions({ home: paths.home, root, userHome: paths.osHome, isForbidden }),
    configuredPrompt(loaded.config, { root, paths, ofProject: promptIsProjects(loaded), isForbidden }),
    createSessionContext({
      platform: `${Deno.build.os} ${Deno.build.arch}`,
      shell: workspace.processes.shell.name,
      workspace: root,
      which: (program) => workspace.processes.which(program),
      background: () => pinned,
    }, { ...loaded.config.environment, reasoningLanguage: loaded.config.agent.reasoningLanguage }),
  ]);
  return {
    system: createSystemPrompt(configured, {
      ...(style ? { style: styleSection(style) } : {}),
      instructions: toInstructionPrompt(instructions),
      skills,
    }),
    sessionContext,
    notes: instructions.notes,
  };
}

function promptIsProjects({ config, layers }: LoadedConfig): boolean {
  const project = layers.find(({ layer }) => layer === "project")?.values.agent as Partial<Config["agent"]> | undefined;
  return project?.systemPromptFile !== undefined && project.systemPromptFile === config.agent.systemPromptFile;
}

function toTurnBudget({ agent }: Config): TurnBudget {
  return { tokens: agent.taskTokenBudget, minutes: agent.taskTimeBudgetMinutes, cost: agent.taskCostBudget };
}

function toContextSettings({ agent }: Config): ContextSettings {
  return {
    ratio: agent.compactRatio,
    softLimitTokens: agent.contextSoftLimitTokens,
    keepErrors: agent.keep.includes("errors"),
    keepMarked: agent.keep.includes("user_marked"),
    recentKeep: agent.recentKeep,
    userTurnTokens: agent.userTurnKeepTokens,
    firstTurnTokens: agent.firstTurnPinTokens,
    ceilingRatio: agent.checkpointCeilingRatio,
  };
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
