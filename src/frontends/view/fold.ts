/**
 * Events folded into what is on the screen. Pure: the terminal, the page and the tests use the same function, and the
 * same events always give the same state. Every kind of event is handled here; the compiler says so.
 */
import type { Event, EventKind, ToolView } from "../../contract/event.ts";
import type { Item, ItemOf } from "./item.ts";
import {
  addBefore,
  addDone,
  addOpen,
  addText,
  closeAll,
  closeStreams,
  discardAttempt,
  findTool,
  replaceOpen,
} from "./open_items.ts";
import { type Activity, createViewState, type OpenQuestion, type ViewState } from "./state.ts";
import { addUsage } from "./usage_totals.ts";

/** Live output kept of a running call: its end. Characters. */
const PROGRESS_LIMIT = 16_384;

/** Kinds of events of a child run that are shown. */
const OF_CHILDREN: ReadonlySet<EventKind> = new Set([
  "tool_dispatch",
  "tool_started",
  "tool_progress",
  "tool_result",
  "usage",
  "notice",
  "approval_request",
  "approval_settled",
  "ask_request",
  "ask_settled",
  "job_started",
  "job_ended",
]);

export function fold(state: ViewState, event: Event): ViewState {
  // A child run shows what it does and costs, and what it asks; its words go to the one who started it.
  if (event.parentCallId !== undefined && !OF_CHILDREN.has(event.kind)) return state;
  const base = {
    key: event.seq,
    ...(event.parentCallId === undefined ? {} : { parentCallId: event.parentCallId }),
  };
  switch (event.kind) {
    case "session_opened": {
      const { sessionId, resumed, model, contextWindow, effort, posture } = event;
      const facts = { ref: model, contextWindow, ...(effort === undefined ? {} : { effort }) };
      const fresh = createViewState(
        { sessionId, model: facts, posture, mode: state.mode, preset: state.preset },
        closeAll(state).items,
      );
      return addDone({ ...fresh, balance: state.balance }, { ...base, kind: "session", sessionId, resumed, model });
    }
    case "model_changed": {
      const { model, contextWindow, effort } = event;
      return { ...state, model: { ref: model, contextWindow, ...(effort === undefined ? {} : { effort }) } };
    }
    case "posture_changed":
      return { ...state, posture: event.posture };
    case "turn_status":
      return { ...state, turnId: event.turnId, activity: "queued", turnVisible: false };
    case "user_message":
      return addDone(closeStreams(state), { ...base, kind: "user", text: event.text, steer: event.steer ?? false });
    case "turn_started":
      return { ...state, turnId: event.turnId, activity: "waiting" };
    case "turn_phase":
      return { ...state, activity: event.phase === "working" ? "waiting" : event.phase };
    case "stream_attempt":
      if (event.action !== "discard") return state;
      return { ...discardAttempt(state), activity: "waiting" };
    case "retrying": {
      const { attempt, max, delayMs, cause, httpStatus } = event;
      const reason = httpStatus === undefined ? cause.replaceAll("_", " ") : `HTTP ${httpStatus}`;
      return { ...addDone(state, { ...base, kind: "retry", attempt, max, delayMs, reason }), activity: "retrying" };
    }
    case "reasoning":
      return seen(addText(state, "thinking", { ...base, text: event.text }), "thinking");
    case "text":
      return seen(addText(state, "answer", { ...base, text: event.text }), "writing");
    case "tool_dispatch":
      return seen(dispatched(closeStreams(state), event.tool, base), "tools");
    case "tool_started":
    case "tool_result":
      return toolChanged(state, event.tool, base, event.kind === "tool_result");
    case "tool_progress": {
      const item = findTool(state, event.tool.id, event.parentCallId);
      if (!item) return state;
      return replaceOpen(state, { ...item, progress: (item.progress + event.text).slice(-PROGRESS_LIMIT) }, false);
    }
    case "usage": {
      const { kind: _kind, sessionId: _session, turnId: _turn, seq: _seq, parentCallId: _parent, ...usage } = event;
      const child = usage.source === "subagent" || event.parentCallId !== undefined;
      const counted = {
        ...closeStreams(state),
        usage: addUsage(state.usage, usage),
        ...(child ? {} : {
          contextTokens: usage.contextTokens,
          prefixChanged: usage.cacheDiagnostics.prefixChanged,
        }),
      };
      return addDone(counted, { ...base, kind: "usage", usage });
    }
    case "message":
      return closeStreams(state);
    case "notice": {
      const { level, text, code } = event;
      return addDone(state, { ...base, kind: "notice", level, text, ...(code === undefined ? {} : { code }) });
    }
    case "compaction_started":
    case "compaction_progress":
    case "compaction_telemetry":
      return state;
    case "compaction_done":
      if (event.outcome !== "applied") return state;
      return addDone({ ...state, contextTokens: event.resultTokens ?? state.contextTokens }, {
        ...base,
        kind: "notice",
        level: "info",
        text: event.text,
      });
    case "approval_request":
      return asked(state, { kind: "approval", request: event.approval });
    case "ask_request":
      return asked(state, { kind: "ask", request: event.ask });
    case "plan_request":
      return asked(state, { kind: "plan", request: event.plan });
    case "approval_settled":
    case "ask_settled":
      return settled(state, event.id, event.answer, base);
    case "plan_settled":
      return settled(state, event.id, event.decision, base);
    case "mode_changed":
      return { ...state, mode: event.mode };
    case "preset_changed":
      return { ...state, preset: event.preset };
    case "rewound": {
      const { todos = state.todos, contextTokens = state.contextTokens } = event;
      return addDone({ ...state, todos, contextTokens }, { ...base, kind: "notice", level: "info", text: event.text });
    }
    case "balance":
      return { ...state, balance: event.amounts };
    case "inbox_changed":
      return { ...state, inbox: { items: event.items, ...(event.paused ? { paused: event.paused } : {}) } };
    case "job_started":
      return { ...state, jobs: [...state.jobs, { id: event.job, label: event.label }] };
    case "job_ended":
      return addDone({ ...state, jobs: state.jobs.filter(({ id }) => id !== event.job) }, {
        ...base,
        kind: "job",
        job: event.job,
        status: event.status,
      });
    case "turn_done": {
      const { outcome, rounds, failure } = event;
      const { turnId: _turn, ...rest } = closeAll(state);
      const end: Item = { ...base, kind: "turn_end", outcome, rounds, ...(failure ? { failure } : {}) };
      return { ...rest, items: [...rest.items, end], activity: "idle", turnVisible: false };
    }
  }
}

type Base = Pick<Item, "key" | "parentCallId">;

function seen(state: ViewState, activity: Activity): ViewState {
  return { ...state, activity, turnVisible: true };
}

function dispatched(state: ViewState, tool: ToolView, base: Base): ViewState {
  const known = findTool(state, tool.id, base.parentCallId);
  if (known) return replaceOpen(state, { ...known, tool }, false);
  return addOpen(state, { ...base, kind: "tool", tool, progress: "" });
}

function toolChanged(state: ViewState, tool: ToolView, base: Base, done: boolean): ViewState {
  const found = findTool(state, tool.id, base.parentCallId);
  const item: ItemOf<"tool"> = { ...(found ?? { ...base, kind: "tool", progress: "" }), tool };
  const known = found ? state : addOpen(state, item);
  const next = replaceOpen(known, done ? { ...item, progress: "" } : item, done);
  const busy = next.open.some((entry) => entry.item.kind === "tool" && !entry.done);
  return {
    ...next,
    // A command of the person's own runs between turns too.
    ...(state.turnId === undefined ? {} : {
      activity: state.questions.length > 0 ? "asking" : busy || !done ? "tools" : "waiting",
      turnVisible: true,
    }),
    ...(tool.todos && base.parentCallId === undefined ? { todos: tool.todos } : {}),
  };
}

function asked(state: ViewState, question: OpenQuestion): ViewState {
  return { ...state, questions: [...state.questions, question], activity: "asking", turnVisible: true };
}

function settled(state: ViewState, id: string, answer: string, base: Base): ViewState {
  const question = state.questions.find(({ request }) => request.id === id);
  if (!question) return state;
  const questions = state.questions.filter((other) => other !== question);
  const next: ViewState = { ...state, questions, activity: questions.length > 0 ? "asking" : "tools" };
  return addBefore(next, question.request.callId, { ...base, kind: "decision", question, answer });
}
