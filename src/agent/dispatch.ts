/**
 * The calls of one answer, in stages: each is prepared in order (found, arguments checked, gate asked) and is then
 * either runnable or already answered; runnable read-only neighbours run together, a writer runs alone; results come
 * back in call order. Whatever goes wrong with a call is a result, never an error of the loop.
 */
import type { Gate } from "../contract/decision.ts";
import { isAbort, Refusal, ToolError } from "../contract/errors.ts";
import type { EventBody, ToolView } from "../contract/event.ts";
import type { Message, ToolCall, ToolFailure } from "../contract/message.ts";
import type { TodoItem, Tool, ToolOutput, ToolSet } from "../contract/tool.ts";
import { FileError } from "../contract/workspace.ts";
import { errorText } from "../lib/error_text.ts";
import { showControls } from "../lib/terminal_text.ts";
import { settledWithin, untilAborted } from "../lib/waiting.ts";
import { boundText, USUAL_LIMIT } from "./bound.ts";
import type { Observers } from "./observers.ts";
import { parseArguments } from "./outgoing.ts";

/** At most this many calls run at once. */
const PARALLEL = 8;
/** How long a stopped tool may take to settle before its call is given up. Milliseconds. */
const STOP_GRACE = 2_500;

export interface DispatchOptions {
  readonly tools: ToolSet;
  readonly gate: Gate;
  readonly observers: Observers;
  readonly signal: AbortSignal;
  /** Takes each result in call order, before the next call that does not only read begins. What it throws ends all. */
  store(result: Message): void;
  emit(body: EventBody): void;
  now(): number;
}

export interface DispatchOutcome {
  /** One tool message per call, in call order. */
  readonly results: readonly Message[];
  /** Which of them failed, in the same order. */
  readonly failed: readonly boolean[];
  readonly cancelled: boolean;
  /** The task list as a call of this batch left it. */
  readonly todos?: readonly TodoItem[];
}

/** A call that passed every gate. */
interface Prepared {
  readonly kind: "prepared";
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
  /** This call only reads, whatever else the tool could do. */
  readonly reads: boolean;
}

interface Answered {
  readonly kind: "answered";
  readonly call: ToolCall;
  readonly text: string;
  readonly failure?: ToolFailure;
  readonly readOnly: boolean;
}

type Stage = Prepared | Answered;

export async function dispatchCalls(calls: readonly ToolCall[], options: DispatchOptions): Promise<DispatchOutcome> {
  const results: Message[] = [];
  const failed: boolean[] = [];
  let skip: string | undefined;
  let todos: readonly TodoItem[] | undefined;
  const take = (finished: Finished) => {
    options.store(finished.message);
    results.push(finished.message);
    failed.push(finished.failed);
    todos = finished.todos ?? todos;
    if (finished.barrier) skip = "error: not run: a call before it in this batch gave control back to the person";
  };

  let at = 0;
  while (at < calls.length) {
    if (options.signal.aborted) skip = "error: not run: the turn was stopped";
    if (skip !== undefined) {
      for (; at < calls.length; at++) take(await finish(answered(calls[at]!, skip, options), options));
      break;
    }
    const batch: Stage[] = [];
    // Neighbours that only read are prepared one by one and then run together; the first writer ends the batch.
    while (at < calls.length && batch.length < PARALLEL && !options.signal.aborted) {
      const reads = isReadOnly(calls[at]!, options.tools);
      if (!reads && batch.length > 0) break;
      batch.push(await prepare(calls[at]!, options));
      at++;
      if (!reads) break;
    }
    for (const finished of await Promise.all(batch.map((stage) => finish(stage, options)))) take(finished);
  }
  return { results, failed, cancelled: options.signal.aborted, ...(todos ? { todos } : {}) };
}

function isReadOnly(call: ToolCall, tools: ToolSet): boolean {
  const redirected = redirect(call, tools);
  return redirected.tool?.readOnly ?? true;
}

/** A proxy tool names the tool and the arguments that are really meant; gates see those. */
function redirect(call: ToolCall, tools: ToolSet): { tool?: Tool; args?: Record<string, unknown>; problem?: string } {
  const tool = tools.find(call.name);
  const parsed = parseArguments(call.arguments);
  if (tool?.redirect === undefined || parsed.kind !== "object") return { tool };
  const target = tool.redirect(parsed.value);
  if (target === undefined) return { tool };
  if ("problem" in target) return { tool, problem: target.problem };
  const meant = tools.find(target.tool);
  if (meant === undefined) return { tool, problem: `unknown tool "${target.tool}"` };
  return { tool: meant, args: target.args };
}

async function prepare(call: ToolCall, options: DispatchOptions): Promise<Stage> {
  const { tools, gate, signal } = options;
  const outer = tools.find(call.name);
  if (outer === undefined) {
    const near = tools.nearest(call.name);
    const known = near
      ? `did you mean ${near}?`
      : `the tools are: ${tools.schemas.map((schema) => schema.name).join(", ")}`;
    return answered(call, `error: unknown tool "${call.name}"; ${known}`, options);
  }
  const parsed = parseArguments(call.arguments);
  if (parsed.kind === "malformed") {
    return answered(
      call,
      `error: the arguments of ${call.name} are not complete JSON (${parsed.problem}): they were cut off or malformed. ` +
        `The call was not executed; send it again, in smaller parts if it is large.`,
      options,
    );
  }
  const outerProblem = await check(outer, parsed.value, tools);
  if (outerProblem !== undefined) return answered(call, outerProblem, options);
  const target = redirect(call, tools);
  if (target.problem !== undefined) return answered(call, `error: ${target.problem}`, options);
  const tool = target.tool ?? outer;
  const args = target.args ?? (parsed.value as Record<string, unknown>);
  if (tool !== outer) {
    const problem = await check(tool, args, tools);
    if (problem !== undefined) return answered(call, problem, options);
  }
  try {
    const answer = await gate.check({ callId: call.id, tool: tool.name, readOnly: tool.readOnly, args }, signal);
    if (answer.allowed) {
      const reads = tool.readOnly || answer.why.commandClass === "read_only";
      const observed = { callId: call.id, tool: tool.name, args, readOnly: tool.readOnly, reads };
      const objection = await options.observers.callBegins(observed, signal);
      if (objection) return refused(call, objection, tool.readOnly);
      return { kind: "prepared", call, tool, args, reads };
    }
    if ("failure" in answer) return answered(call, `error: ${answer.failure}`, options);
    return refused(call, { code: answer.code, message: answer.message, remedy: answer.remedy }, tool.readOnly);
  } catch (error) {
    if (isAbort(error, signal)) return answered(call, "error: not run: the turn was stopped", options);
    // A check that fails has answered no.
    const text = `the permission check failed (${errorText(error)})`;
    return refused(call, { code: "permission.unattended", message: text }, tool.readOnly);
  }
}

async function check(tool: Tool, args: unknown, tools: ToolSet): Promise<string | undefined> {
  const found = await tools.violations(tool, args);
  if (found === undefined) return undefined;
  return `error: the arguments do not fit ${tool.name} (schema ${found.fingerprint}); the call was not executed.\n${
    found.lines.join("\n")
  }`;
}

function answered(call: ToolCall, text: string, options: DispatchOptions): Answered {
  return { kind: "answered", call, text, readOnly: options.tools.find(call.name)?.readOnly ?? false };
}

function refused(call: ToolCall, why: { code: string; message: string; remedy?: string }, readOnly: boolean): Answered {
  return {
    kind: "answered",
    call,
    text: `blocked: ${why.message}${why.remedy ? ` ${why.remedy}` : ""}`,
    failure: { code: why.code, blocked: true, ...(why.remedy ? { remedy: why.remedy } : {}) },
    readOnly,
  };
}

interface Finished {
  readonly message: Message;
  readonly failed: boolean;
  readonly barrier: boolean;
  readonly todos?: readonly TodoItem[];
}

async function finish(stage: Stage, options: DispatchOptions): Promise<Finished> {
  const { call } = stage;
  const readOnly = stage.kind === "prepared" ? stage.reads : stage.readOnly;
  const view: ToolView = { id: call.id, name: call.name, args: call.arguments, readOnly, runState: "pending" };
  options.emit({ kind: "tool_dispatch", tool: view });
  return stage.kind === "answered" ? tellAnswered(stage, view, options) : await run(stage, view, options);
}

/** A call that is not run: its answer is known. */
function tellAnswered({ call, text, failure }: Answered, view: ToolView, { emit }: DispatchOptions): Finished {
  emit({
    kind: "tool_result",
    tool: { ...view, output: text, err: text, runState: "not_started", ...told(failure) },
  });
  const message: Message = {
    role: "tool",
    tool_call_id: call.id,
    name: call.name,
    content: text,
    ...(failure ? { tool_failure: failure } : {}),
  };
  return { message, failed: true, barrier: false };
}

function told(failure: ToolFailure | undefined): Pick<ToolView, "refusalCode" | "remedy"> {
  return {
    ...(failure ? { refusalCode: failure.code } : {}),
    ...(failure?.remedy ? { remedy: failure.remedy } : {}),
  };
}

async function run(stage: Prepared, view: ToolView, options: DispatchOptions): Promise<Finished> {
  const { emit, now, observers, signal } = options;
  const { call, tool, args, reads } = stage;
  const startedAt = now();
  emit({ kind: "tool_started", tool: { ...view, startedAt, runState: "running" } });
  const { output, failure } = await execute(stage, options);
  const endedAt = now();
  const observed = { callId: call.id, tool: tool.name, args, readOnly: tool.readOnly, reads };
  const behind = await observers.callEnded(observed, output, signal);
  const bounded = await boundText(showControls(output.text), {
    tool: call.name,
    callId: call.id,
    keep: output.bound?.keep ?? "head_tail",
    limit: output.bound?.bytes ?? USUAL_LIMIT,
  });
  const { execution, display } = output;
  emit({
    kind: "tool_result",
    tool: {
      ...view,
      output: bounded.content,
      runState: "completed",
      startedAt,
      endedAt,
      durationMs: endedAt - startedAt,
      ...(output.failed ? { err: bounded.content } : {}),
      ...(bounded.ref ? { truncated: true } : {}),
      ...told(failure),
      ...(execution?.exit_code === undefined ? {} : { exitCode: execution.exit_code }),
      ...display,
    },
  });
  const message: Message = {
    role: "tool",
    tool_call_id: call.id,
    name: call.name,
    content: [bounded.content, ...behind].join("\n\n"),
    ...(bounded.raw === undefined ? {} : { raw_content: bounded.raw, result_ref: bounded.ref! }),
    ...(output.images?.length ? { images: output.images } : {}),
    ...(execution ? { tool_execution: execution } : {}),
    ...(failure ? { tool_failure: failure } : {}),
  };
  return {
    message,
    failed: output.failed === true,
    barrier: output.barrier === true,
    ...(display?.todos ? { todos: display.todos } : {}),
  };
}

interface Ran {
  readonly output: ToolOutput;
  readonly failure?: ToolFailure;
}

async function execute(stage: Prepared, options: DispatchOptions): Promise<Ran> {
  const { signal, emit } = options;
  const { call, tool, args } = stage;
  try {
    const work = tool.execute(args, {
      callId: call.id,
      signal,
      progress: (text) => emit({ kind: "tool_progress", tool: { id: call.id }, text }),
    });
    return { output: await settleOrGiveUp(work, signal) };
  } catch (error) {
    if (error instanceof Refusal) {
      const remedy = error.remedy ? ` ${error.remedy}` : "";
      return {
        output: { text: `blocked: ${error.message}${remedy}`, failed: true },
        failure: { code: error.code, blocked: true, ...(error.remedy ? { remedy: error.remedy } : {}) },
      };
    }
    if (error instanceof ToolError) {
      return { output: { text: `error: ${error.message}${error.output ? `\n${error.output}` : ""}`, failed: true } };
    }
    if (error instanceof FileError) return { output: { text: `error: ${error.message}`, failed: true } };
    if (isAbort(error, signal)) {
      const text = "error: stopped by the person before it finished; its effect is unknown";
      return { output: { text, failed: true, execution: { state: "cancelled" } } };
    }
    // A defect of a tool costs its call, not the turn.
    const text = errorText(error);
    emit({ kind: "notice", level: "error", code: "internal.bug", text: `${tool.name} failed unexpectedly: ${text}` });
    return { output: { text: `error: ${tool.name} failed unexpectedly: ${text}`, failed: true } };
  }
}

/** A tool that does not settle soon after the stop is given up: control always comes back. */
async function settleOrGiveUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    if (await settledWithin(work, STOP_GRACE)) return await work;
    throw new DOMException("given up", "AbortError");
  }
}
