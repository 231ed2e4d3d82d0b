/**
 * Plan mode: plan first, then do. Turned on only by the person; lies over the posture and leaves it as it is. It is a
 * workflow and no wall: ordinary writers follow the posture, only what belongs to a later phase is refused, before any
 * permission is asked.
 */
import type { CollaborationMode, Gate, GateAnswer, ToolRequest } from "../contract/decision.ts";
import type { LoopObserver } from "../contract/observer.ts";
import type { PlanMode } from "../contract/tool.ts";

export interface PlanPhaseOptions {
  /** Told when the mode changes, by the person or by an approved plan. */
  changed(mode: CollaborationMode): void;
  /** Opens and closes the window in which the approved plan's ordinary writers need no question. */
  window(open: boolean): void;
}

/** Read-only by nature, yet part of the execution that a plan comes before. */
const EXECUTION_ONLY: ReadonlySet<string> = new Set(["complete_step", "await_user", "conclude_blocked"]);

const BLOCK = `<plan-mode>
The person wants a plan before anything is done. Read and search as much as you need, change nothing, then submit the plan:
use_capability with action "call", capability_id "tool:exit_plan_mode", arguments {"plan": "<Markdown>"}.
A plan names the goal, the ordered steps with files, the risks, and how the result will be verified.
</plan-mode>`;

export class PlanPhase implements PlanMode {
  readonly #options: PlanPhaseOptions;
  #active = false;

  constructor(options: PlanPhaseOptions) {
    this.#options = options;
  }

  get active(): boolean {
    return this.#active;
  }

  get mode(): CollaborationMode {
    return this.#active ? "plan" : "normal";
  }

  set(mode: CollaborationMode): void {
    if (mode === this.mode) return;
    this.#active = mode === "plan";
    this.#options.window(false);
    this.#options.changed(mode);
  }

  approve(): void {
    this.set("normal");
    this.#options.window(true);
  }

  leave(): void {
    this.set("normal");
  }

  /** Tells the model of the phase with each turn, and closes the window when a turn ends. */
  get observer(): LoopObserver {
    return {
      name: "plan mode",
      turnBegins: () => Promise.resolve(this.#active ? { before: [BLOCK] } : undefined),
      turnEnded: () => {
        this.#options.window(false);
        return Promise.resolve();
      },
    };
  }

  /** The phase is asked before the gate. */
  before(gate: Gate): Gate {
    const phase = (request: ToolRequest): GateAnswer | undefined => this.#active ? refusal(request) : undefined;
    return {
      get posture() {
        return gate.posture;
      },
      check: async (request, signal) => phase(request) ?? await gate.check(request, signal),
    };
  }
}

function refusal({ tool, readOnly }: ToolRequest): GateAnswer | undefined {
  const mcpWriter = tool.startsWith("mcp__") && !readOnly;
  if (!EXECUTION_ONLY.has(tool) && !mcpWriter) return undefined;
  const text = mcpWriter
    ? `${tool} changes things outside the workspace's view and waits until a plan is approved`
    : `${tool} belongs to the execution of an approved plan`;
  return {
    allowed: false,
    code: "plan.mode_active",
    message: `Plan mode is on: ${text}. Submit the plan first.`,
    why: { by: "plan", text },
  };
}
