/** One episode from its first step to its end, in a world of its own. */
import { within } from "./moments.ts";
import type { Episode, Step } from "./plan.ts";
import { Referee } from "./referee.ts";
import { lookStep, rivalStep, runStep, type Stage } from "./run_steps.ts";
import type { Tally } from "./tally.ts";
import { terminalStep } from "./terminal_step.ts";
import { type Means, World } from "./world.ts";

export interface EpisodeOptions {
  readonly means: Means;
  readonly tally: Tally;
  /** No further step is begun. */
  isOver(): boolean;
}

/** No step takes so long, whatever hangs in it. */
const STEP_MS = 400_000;

/** Answers where everything is kept, when something was violated. */
export async function runEpisode(
  episode: Episode,
  { means, tally, isOver }: EpisodeOptions,
): Promise<string | undefined> {
  const { number, setting, steps } = episode;
  await using world = await World.create(setting, means);
  const referee = new Referee(world, tally, number);
  const stage: Stage = { world, referee, tally };
  const before = tally.violations.length;
  tally.episodes++;
  for (const manner of setting.servers) tally.faults.add(`server that ${manner}`);
  for (const step of steps) {
    if (isOver()) break;
    tally.steps.add(nameOf(step));
    await within(carryOut(stage, step), STEP_MS, `the end of ${step.name}`).catch((error) =>
      referee.judge(step.name, "the soak itself", [error.message])
    );
    // One broken promise breaks the next: only the first step of an episode that went wrong tells.
    if (tally.violations.length > before) break;
    if (step === steps.at(-1)) referee.end(step.name);
  }
  return tally.violations.length > before ? world.keep() : undefined;
}

async function carryOut(stage: Stage, step: Step): Promise<void> {
  try {
    switch (step.kind) {
      case "run":
        return await runStep(stage, step);
      case "rival":
        return await rivalStep(stage, step);
      case "terminal":
        return await terminalStep(stage, step);
      case "look":
        return await lookStep(stage, step);
    }
  } catch (error) {
    stage.referee.judge(step.name, "the soak itself", [
      error instanceof Error ? error.stack ?? error.message : String(error),
    ]);
  }
}

const nameOf = (step: Step): string =>
  step.kind !== "run" ? step.kind : step.healthy ? "healthy run" : `run ${step.session}`;
