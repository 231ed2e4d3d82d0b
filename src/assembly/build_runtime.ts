/** One conversation, put together: transcript, walls, tools, gate, model, loop. */
import { type Agent, createAgent } from "../agent/mod.ts";
import { type Config, defaultModel, type ModelChoice, resolveModel } from "../config/mod.ts";
import type { Posture, WorkPreset } from "../contract/decision.ts";
import type { Inbox } from "../contract/inbox.ts";
import type { Jobs } from "../contract/jobs.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { Provider } from "../contract/provider.ts";
import type { Transcript } from "../contract/session.ts";
import type { Tool, ToolSet } from "../contract/tool.ts";
import {
  type Conversation,
  type ConversationOptions,
  type EventLog,
  PlanPhase,
  type PresetState,
  type Questions,
  type Runtime,
} from "../controller/mod.ts";
import { createReferenceObserver, type FolderInstructions, type SessionStyle } from "../prompts/mod.ts";
import type { SkillShelf } from "../extensions/mod.ts";
import type { PermissionGate, SandboxedProcesses } from "../safety/mod.ts";
import {
  createContextStore,
  type OpenedCheckpoints,
  recordRequests,
  recordRun,
  type RunRecorder,
} from "../sessions/mod.ts";
import { toLine } from "../lib/terminal_text.ts";
import { BUILTIN_TOOLS, type BuiltToolSet, createJobs, createToolSet } from "../tools/mod.ts";
import type { Memory } from "../memory/memory.ts";
import { buildCheckpoints } from "./build_checkpoints.ts";
import { buildGate } from "./build_gate.ts";
import { buildHistory } from "./build_history.ts";
import { buildInbox } from "./build_inbox.ts";
import { buildInstructions } from "./build_instructions.ts";
import { buildMemory } from "./build_memory.ts";
import { buildOpening, type Opening } from "./build_opening.ts";
import { buildProvider, type BuiltProvider } from "./build_provider.ts";
import type { ServerPool } from "./build_servers.ts";
import { openSkills, type SessionSkills } from "./build_skills.ts";
import type { BuiltWorkspace } from "./build_workspace.ts";
import { escapableShell } from "./escapable_shell.ts";
import { foldFacts } from "./fold_facts.ts";
import type { OutputStyles } from "./output_styles.ts";
import { fitOut, type Outfit, type OutfitPorts, outfitPorts } from "./outfit.ts";
import { toContextSettings, toTurnBudget } from "./loop_settings.ts";
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
  /** The settings as their files have them now. Throws `config.*`. */
  renew(): Promise<RenewedContext>;
}

export interface RenewedContext {
  readonly context: RuntimeContext;
  /** From here on they hold for whatever is opened. */
  commit(): Promise<void>;
}

/** What belongs to the conversation, whichever model speaks in it. */
interface Scope {
  readonly transcript: Transcript;
  readonly tools: BuiltToolSet;
  /** What the settings make of it; replaced as a whole. */
  readonly now: InForce;
  /** Whatever was in force once: jobs may still stand on it. */
  readonly worn: BuiltWorkspace[];
  readonly ports: OutfitPorts;
  readonly plan: PlanPhase;
  readonly preset?: PresetState;
  readonly style?: SessionStyle;
  readonly opening: Promise<Opening>;
  readonly memory: Memory;
  /** Of folders below the root. */
  readonly instructions: FolderInstructions;
  readonly skills: SessionSkills;
  readonly checkpoints: OpenedCheckpoints;
  /** What waits for the running turn; absent where nobody can say anything meanwhile. */
  readonly inbox?: Inbox;
  readonly journal: RunRecorder;
  readonly todos: SessionTodos;
  readonly jobs: Jobs;
  readonly notices: readonly string[];
  /** Which agent folds: the one that speaks now. */
  readonly compression: { agent?: Agent };
  /** Who speaks now. */
  readonly speaker: { provider?: Provider };
  facts(): readonly string[];
  close(): Promise<void>;
}

interface InForce {
  outfit: Outfit;
  gate: PermissionGate;
  /** Settles the tool list with the first turn. */
  serverOpening?: LoopObserver;
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
  const { transcript, tools, plan } = scope;
  const { outfit, gate, serverOpening } = scope.now;
  const { choice, effort, maxOutputTokens } = voice;
  const { provider } = voice.built;
  const { config } = project.loaded;
  const opening = await scope.opening;
  const agent = createAgent({
    provider: recordRequests(provider, { place: transcript, now: Date.now }),
    tools,
    gate: plan.before(scope.instructions.before(gate)),
    transcript,
    observers: [
      ...(serverOpening ? [serverOpening] : []),
      plan.observer,
      ...(scope.preset ? [scope.preset.observer] : []),
      ...(scope.style ? [scope.style.observer] : []),
      ...(outfit.hooks ? [outfit.hooks.observer] : []),
      ...(scope.skills.observer ? [scope.skills.observer] : []),
      ...references(context, outfit, provider),
      scope.memory.observer,
      scope.instructions.observer,
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
    preset: scope.preset ?? BALANCED,
    memory: scope.memory.commands,
    checkpoints: scope.checkpoints.checkpoints,
    ...(scope.inbox ? { inbox: scope.inbox } : {}),
    todos: scope.todos,
    jobs: scope.jobs,
    reread: async () => {
      scope.todos.restore(transcript.messages);
      scope.style?.reread();
      return await speak(context, scope, voice);
    },
    ...(outfit.taken ? { servers: outfit.taken.servers } : {}),
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
    reload: async () => await reload(context, scope, voice),
    close: () => scope.close(),
  };
}

/**
 * The same conversation on the settings as they are written now. Its opening and its tool list stay, so that requests go
 * on extending each other. Throws `config.*` and the like, and then everything is as it was.
 */
async function reload(before: RuntimeContext, scope: Scope, voice: Voice): Promise<Runtime> {
  const { context, commit } = await before.renew();
  const { now, transcript, tools } = scope;
  const choice = resolveModel(context.project.loaded.config, voice.choice.ref, "the model of this session");
  const built = await buildProvider(choice, context.project);
  const old = now.outfit;
  const outfit = await fitOut(context, scope.ports, old);
  const isSameServers = outfit.pool === old.pool;
  let gate: PermissionGate;
  try {
    gate = await openGate(context, { ...scope, outfit, before: now.gate });
  } catch (error) {
    if (!isSameServers) await outfit.taken?.release();
    await outfit.built.close();
    throw error;
  }
  const { taken, front } = outfit;
  // What stands in requests is settled with the first turn: later servers are reached through `use_capability`.
  const enter = transcript.messages.length === 0 ? entrance(tools, context.log) : undefined;
  Object.assign(now, {
    outfit,
    gate,
    serverOpening: isSameServers ? now.serverOpening : taken && front && taken.opening(front, enter),
  });
  scope.worn.push(outfit.built);
  context.opened(transcript, outfit.built.sandbox);
  await commit();
  if (!isSameServers) await old.taken?.release();
  return await speak(context, scope, { ...voice, choice, built });
}

/** Tools of servers become part of the requests; of one that cannot, the person hears why. */
function entrance(tools: BuiltToolSet, log: EventLog): (found: readonly Tool[]) => void {
  return (found) => {
    for (const { name, reason } of tools.add(found)) {
      log.emit({ kind: "notice", level: "warning", text: `the tool ${toLine(name, 80)} is not offered: ${reason}` });
    }
  };
}

interface GateParts {
  readonly outfit: Outfit;
  readonly tools: ToolSet;
  readonly memory: Memory;
  /** Its posture and what was granted go on. */
  readonly before?: PermissionGate;
}

async function openGate(context: RuntimeContext, parts: GateParts): Promise<PermissionGate> {
  const { outfit: { built, approver, hooks }, tools, memory, before } = parts;
  return buildGate({
    project: context.project,
    workspace: built.workspace,
    caseless: await built.caseless,
    tools,
    memory,
    posture: before?.posture ?? context.posture,
    allowedTools: context.allowedTools,
    ...(before ? { grants: before.grants } : {}),
    ...(approver ? { approver } : {}),
    ...(hooks ? { reviewers: [hooks.reviewer] } : {}),
  });
}

/** Headless runs take the text as typed. */
function references(
  { interactive, project, log }: RuntimeContext,
  { built, taken }: Outfit,
  provider: Provider,
): LoopObserver[] {
  if (!interactive) return [];
  const servers = taken?.servers;
  const notice = (text: string) => log.emit({ kind: "notice", level: "warning", text });
  return [createReferenceObserver({
    root: project.root,
    files: built.workspace.files,
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
  let outfit: Outfit | undefined;
  try {
    const late: { jobs?: Jobs; now?: InForce } = {};
    const now = () => late.now!;
    const checkpoints = await buildCheckpoints(project, { transcript, jobs: () => late.jobs });
    const plan = new PlanPhase({
      changed: (mode) => log.emit({ kind: "mode_changed", mode }),
      window: (open) => now().gate.setPlanWindow(open),
    });
    const ports: OutfitPorts = {
      transcript,
      snapshots: checkpoints.snapshots,
      ...(context.earlierSandbox ? { sandboxState: context.earlierSandbox.state() } : {}),
      posture: () => now().gate.posture,
      planning: () => plan.active,
    };
    outfit = await fitOut(context, ports);
    const { built, hooks, taken, front } = outfit;
    const { inbox, notices: queue } = context.interactive ? await buildInbox(transcript) : { notices: [] };
    const journal = recordRun({ place: transcript, now: Date.now });
    const instructions = buildInstructions(project, transcript, log);
    const memory = buildMemory(project, instructions);
    const history = buildHistory(project, transcript);
    const skills = await openSkills(context.skills, {
      transcript,
      enabled: config.tools.enabled,
      interactive: context.interactive,
    });
    // A stored conversation keeps the opening it began with.
    const opening = transcript.messages.length > 0
      ? Promise.resolve<Opening>({ system: "", notes: [] })
      : buildOpening(project, built.workspace, {
        places: instructions.places,
        memory,
        skills: skills.prompt,
        style: context.styles.wanted,
      });
    opening.catch(() => {});
    const jobs = createJobs({
      stalledWarningSeconds: config.tools.backgroundJobs.stalledWarningSeconds,
      onStarted: (job) => log.emit({ kind: "job_started", job: job.id, label: job.label }),
      onEnded: (job) => log.emit({ kind: "job_ended", job: job.id, status: job.status }),
    });
    late.jobs = jobs;
    const todos = createSessionTodos(transcript.messages);
    const compression: Scope["compression"] = {};
    const speaker: Scope["speaker"] = {};
    const preset = await openPreset(context);
    const style = await openStyle(context, transcript);
    const first = outfit;
    const { workspace, unconfined, settings, approver, servers } = outfitPorts(() => late.now?.outfit ?? first);
    const builtin = context.interactive
      ? escapableShell(BUILTIN_TOOLS, { unconfined, approver, posture: ports.posture })
      : BUILTIN_TOOLS;
    const tools = createToolSet(
      listToolKinds(builtin, { memory: memory.tools, history: history.tool, skill: skills.tool }),
      {
        workspace,
        settings,
        results: transcript.results,
        jobs,
        todos,
        planMode: plan,
        capabilities: [servers, skills.capabilities].filter((source) => source !== undefined),
        vision: () => speaker.provider?.vision === true,
        compression: { compress: (request, signal) => compression.agent!.compress(request, signal) },
        ...(context.interactive ? { person: questions } : {}),
      },
      { enabled: config.tools.enabled },
    );
    late.now = {
      outfit,
      gate: await openGate(context, { outfit, tools, memory }),
      ...(taken && front ? { serverOpening: taken.opening(front, entrance(tools, log)) } : {}),
    };
    const worn = [built];
    const unknown = tools.unknownNames.map(({ name, nearest }) =>
      `[tools] enabled names "${name}", which is no tool${nearest ? `; did you mean ${nearest}?` : ""}`
    );
    context.opened(transcript, built.sandbox);
    hooks?.begin(conversation.kind === "new" ? "startup" : "resume");
    return {
      transcript,
      tools,
      now: late.now,
      ports,
      worn,
      plan,
      ...(preset ? { preset } : {}),
      ...(style ? { style } : {}),
      opening,
      compression,
      speaker,
      facts: () => [...foldFacts(todos, jobs), ...style?.facts ?? []],
      memory,
      instructions: instructions.below,
      skills,
      checkpoints,
      ...(inbox ? { inbox } : {}),
      journal,
      todos,
      jobs,
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
        const { taken, hooks } = now().outfit;
        await Promise.all([
          taken?.release(),
          jobs.closeAll(),
          history.close(),
          hooks?.end(context.isOpen(transcript) ? "exit" : "new_session"),
        ]);
        await Promise.all(worn.map((one) => one.close()));
        journal.close();
        inbox?.close();
        await transcript.close();
      },
    };
  } catch (error) {
    await outfit?.taken?.release();
    await transcript.close();
    throw error;
  }
}

/** Of a run that nobody can change, and that is asked for nothing more. */
const BALANCED: Runtime["preset"] = { preset: "balanced", set: () => {} };

async function openPreset({ preset, interactive, log }: RuntimeContext): Promise<PresetState | undefined> {
  if (preset === "balanced" && !interactive) return undefined;
  const { PresetState } = await import("../controller/preset.ts");
  return new PresetState({
    preset,
    unchecked: (text) => log.emit({ kind: "notice", level: "warning", code: "delivery.unchecked", text }),
  });
}

async function openStyle(
  { styles, interactive }: RuntimeContext,
  transcript: Transcript,
): Promise<SessionStyle | undefined> {
  if (styles.wanted === undefined && !interactive) return undefined;
  const { SessionStyle } = await import("../prompts/output_style.ts");
  return new SessionStyle({ wanted: () => styles.wanted, messages: () => transcript.messages });
}

function chooseModel(config: Config, ref: string | undefined): ModelChoice {
  return ref === undefined ? defaultModel(config) : resolveModel(config, ref, "--model");
}
