/**
 * The hooks of one conversation, at every point where the program calls them. They look over the loop's shoulder as an
 * observer, may answer permission questions in place of a prompt, and hear of the beginning and the end.
 */
import type { ApprovalRequest, Approver, Posture, ToolRequest } from "../../contract/decision.ts";
import type { LoopObserver, ObservedCall, TurnEnd } from "../../contract/observer.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { untilAborted } from "../../lib/waiting.ts";
import { ownBlock } from "../../lib/own_block.ts";
import type { HookEvent } from "./events.ts";
import type { Hook } from "./hook.ts";
import type { HookFacts } from "./payload.ts";
import { type HookPorts, type HookRun, hooksFor, runHooks } from "./run_hooks.ts";

export interface SessionHooksOptions extends HookPorts {
  /** In the order they run: project, plugins, user. */
  readonly hooks: readonly Hook[];
  /** The conversation that is open now. */
  session(): { readonly id: string; readonly path: string };
  posture(): Posture;
}

/** Answers permission questions where a prompt would really be shown, and never those only a person may answer. */
export interface HookReviewer {
  readonly by: "hook";
  readonly headless: false;
  review(approval: ApprovalRequest, request: ToolRequest, signal: AbortSignal): Promise<"allow" | "deny" | undefined>;
}

export interface SessionHooks {
  readonly observer: LoopObserver;
  readonly reviewer: HookReviewer;
  /** Runs `SessionStart`; what it says stands before the next turn. */
  begin(source: string): void;
  /** The same approver, with `Notification` run beside each question: it learns the tool's name and no more. */
  notified(approver: Approver): Approver;
  /** Tool hooks of another agent of this conversation, such as `planner`, `guardian` or `subagent:<call>`. */
  observerOf(agent: string): LoopObserver;
  /** Around a task in the foreground. */
  subagentBegins(callId: string, signal: AbortSignal): Promise<void>;
  subagentEnds(callId: string): Promise<void>;
  /** Runs `SessionEnd`, briefly, and ends whatever still runs. */
  end(reason: string): Promise<void>;
}

/** How long the hooks of an ending may take, together with nothing: the program is about to leave. Milliseconds. */
const LAST_MS = 1_200;

export function createSessionHooks(options: SessionHooksOptions): SessionHooks {
  return new Hooks(options);
}

class Hooks implements SessionHooks {
  readonly #options: SessionHooksOptions;
  /** What nobody waits for. */
  readonly #loose = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  #opening: Promise<HookRun> | undefined;
  #turns = 0;

  constructor(options: SessionHooksOptions) {
    this.#options = options;
  }

  readonly reviewer: HookReviewer = {
    by: "hook",
    headless: false,
    review: async (_approval, { callId, tool, args }, signal) => {
      const { allow } = await this.#run("PermissionRequest", { call: { callId, tool, args } }, { signal });
      return allow === undefined ? undefined : allow ? "allow" : "deny";
    },
  };

  get observer(): LoopObserver {
    return {
      ...this.observerOf(""),
      turnBegins: async ({ text }, signal) => {
        this.#turns++;
        const { block, texts } = await this.#run("UserPromptSubmit", { prompt: text, turn: this.#turns }, { signal });
        if (block !== undefined) return { refusal: block };
        const opened = await this.#opened(signal);
        return { before: [...opened, ...texts.map((said) => toContext("UserPromptSubmit", said))] };
      },
      turnEnded: (end) => this.#turnEnded(end),
      foldBegins: async ({ trigger }, signal) => {
        const { texts } = await this.#run("PreCompact", { trigger }, { signal });
        return texts.length === 0 ? undefined : { guidance: texts.join("\n\n") };
      },
    };
  }

  observerOf(agent: string): LoopObserver {
    const own = agent === "" ? {} : { agent };
    return {
      name: "hooks",
      callBegins: async (call, signal) => {
        const { block } = await this.#run("PreToolUse", { call: toCall(call) }, { signal, ...own });
        return block === undefined ? undefined : { code: "hook.blocked", message: block };
      },
      callEnded: (call, output, signal) => this.#callEnded(call, output, { signal, ...own }),
      answerEnded: async ({ text, reasoning }, signal) => {
        const facts: HookFacts = { lastAssistantText: text, reasoning, turn: this.#turns };
        const { texts } = await this.#run("PostLLMCall", facts, { signal, ...own });
        return texts.length === 0 ? undefined : { reasoning: texts.join("\n\n") };
      },
    };
  }

  begin(source: string): void {
    if (hooksFor(this.#options.hooks, "SessionStart", undefined).length === 0) return;
    this.#opening = this.#run("SessionStart", { source }, { signal: this.#ending.signal });
    this.#opening.catch(() => {});
  }

  notified(approver: Approver): Approver {
    return {
      request: (approval, signal) => {
        const message = `${approval.tool} needs your approval`;
        this.#loosely("Notification", { message, notificationType: "permission_prompt" });
        return approver.request(approval, signal);
      },
    };
  }

  async subagentBegins(callId: string, signal: AbortSignal): Promise<void> {
    await this.#run("SubagentStart", { call: { callId, tool: "task", args: {} } }, {
      signal,
      agent: `subagent:${callId}`,
    });
  }

  async subagentEnds(callId: string): Promise<void> {
    await this.#run("SubagentStop", { call: { callId, tool: "task", args: {} } }, {
      signal: this.#ending.signal,
      agent: `subagent:${callId}`,
    }).catch(() => {});
  }

  async end(reason: string): Promise<void> {
    await this.#run("SessionEnd", { reason }, { limitMs: LAST_MS });
    this.#ending.abort();
    await Promise.allSettled([...this.#loose, this.#opening]);
  }

  async #opened(signal: AbortSignal): Promise<string[]> {
    if (this.#opening === undefined) return [];
    const { texts } = await untilAborted(this.#opening, signal);
    this.#opening = undefined;
    return texts.map((said) => toContext("SessionStart", said));
  }

  async #callEnded(
    call: ObservedCall,
    output: ToolOutput,
    how: { readonly signal: AbortSignal; readonly agent?: string },
  ): Promise<void> {
    const interrupted = how.signal.aborted;
    const facts: HookFacts = {
      call: toCall(call),
      toolResult: output.text,
      ...(output.failed ? { error: output.text } : {}),
      ...(interrupted ? { isInterrupt: true } : {}),
    };
    const events: readonly HookEvent[] = output.failed ? ["PostToolUseFailure", "PostToolUse"] : ["PostToolUse"];
    for (const event of events) {
      // After a stop control goes back to the person at once; the hooks run beside that.
      if (interrupted) this.#loosely(event, facts, how.agent);
      else await this.#run(event, facts, how);
    }
  }

  /** A turn that the person stopped is neither a stop of the model's nor a failure. */
  async #turnEnded({ outcome, answer, failure }: TurnEnd): Promise<void> {
    if (outcome === "cancelled") return;
    const facts: HookFacts = { lastAssistantText: answer, turn: this.#turns };
    const { signal } = this.#ending;
    if (outcome !== "failed") await this.#run("Stop", facts, { signal });
    else await this.#run("StopFailure", { ...facts, error: failure?.message ?? "the turn failed" }, { signal });
  }

  #loosely(event: HookEvent, facts: HookFacts, agent?: string): void {
    const run = this.#run(event, facts, { signal: this.#ending.signal, ...(agent === undefined ? {} : { agent }) })
      .catch(() => {});
    this.#loose.add(run);
    void run.finally(() => this.#loose.delete(run));
  }

  #run(
    event: HookEvent,
    facts: HookFacts,
    how: { readonly signal?: AbortSignal; readonly agent?: string; readonly limitMs?: number },
  ): Promise<HookRun> {
    const { hooks, workspace } = this.#options;
    const { id, path } = this.#options.session();
    // Derived when the hook runs, so that agents of a conversation follow it to a new one.
    const sessionId = how.agent === undefined ? id : `${id}:${how.agent}`;
    return runHooks(hooks, event, this.#options, {
      facts,
      around: { sessionId, transcript: path, workspace, posture: this.#options.posture() },
      ...(how.signal ? { signal: how.signal } : {}),
      ...(how.limitMs === undefined ? {} : { limitMs: how.limitMs }),
    });
  }
}

function toCall({ callId, tool, args }: ObservedCall): NonNullable<HookFacts["call"]> {
  return { callId, tool, args };
}

function toContext(event: HookEvent, text: string): string {
  return ownBlock("hook-context", text, { event });
}
