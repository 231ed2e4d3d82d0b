/** A conversation for tests of the controller: its turns are what the test says, everything else does nothing. */
import type { Agent } from "../../src/agent/mod.ts";
import type { Posture } from "../../src/contract/decision.ts";
import { PlanPhase, type Runtime } from "../../src/controller/mod.ts";
import { MemoryTranscript } from "./memory_transcript.ts";

export type RunTurn = Agent["runTurn"];

export interface FakeRuntime extends Runtime {
  readonly agent: Agent & { takesGuidance: boolean };
}

export function fakeRuntime(
  runTurn: RunTurn,
  options: Partial<Runtime> = {},
): FakeRuntime {
  let posture: Posture = "ask";
  const nothing = { outcome: "noop", text: "nothing to fold", sourceTokens: 0 } as const;
  const agent = {
    runTurn,
    takesGuidance: false,
    context: { used: 0, window: 0, ratio: 0.9, trigger: 0 },
    composition: () => Promise.resolve([]),
    fold: () => Promise.resolve(nothing),
    compress: () => Promise.resolve(nothing),
  } satisfies Agent;
  const runtime: FakeRuntime = {
    agent,
    transcript: new MemoryTranscript(),
    model: { ref: "p/m", contextWindow: 1000 },
    permissions: {
      get posture() {
        return posture;
      },
      setPosture: (next) => void (posture = next),
    },
    preset: { preset: "balanced", set: () => {} },
    plan: new PlanPhase({ changed: () => {}, window: () => {} }),
    notices: [],
    todos: { items: [] },
    jobs: { list: () => [] },
    checkpoints: {
      describe: (turns) => Promise.resolve(turns.map(() => ({ files: 0, coverage: "complete" }))),
      plan: () => Promise.resolve({ changes: [], conflicts: [], gaps: [] }),
      commit: () => Promise.resolve({ outcome: "committed", id: "r1", changes: [] }),
      undoable: () => Promise.resolve(undefined),
      planUndo: () => Promise.resolve(undefined),
      copyTo: () => Promise.resolve(),
    },
    reread: () => Promise.resolve(runtime),
    reload: () => Promise.resolve(runtime),
    withModel: (choice) =>
      Promise.resolve({
        ...runtime,
        model: { ref: choice.model ?? "p/m", contextWindow: 2000, effort: choice.effort },
      }),
    close: () => Promise.resolve(),
    ...options,
  };
  return runtime;
}
