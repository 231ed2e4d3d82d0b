/** `[agent]`: prompts, helper models, sub-agents, compaction and budgets. */
import { choice, decimal, flag, list, notYet, table, text, textMap, unused, whole } from "../schema.ts";
import type { Leaf, Reading } from "../schema.ts";
import { raisesLimit } from "./loosening.ts";

/** By profile. `security_review` means the profile `security-review` as well. */
function byProfile(meaning: string): Leaf<Readonly<Record<string, string>>> {
  const leaf = textMap(meaning);
  return {
    ...leaf,
    read(raw: unknown): Reading<Readonly<Record<string, string>>> {
      const reading = leaf.read(raw);
      if (!reading) return undefined;
      const dashed = Object.entries(reading.value).map(([name, value]) => [name.replaceAll("_", "-"), value] as const);
      return { value: { ...Object.fromEntries(dashed), ...reading.value } };
    },
  };
}

export const AGENT = table("How the agent works.", {
  system_prompt: text("", "Replaces the built-in identity text."),
  system_prompt_file: text(
    "",
    "File with that text; wins over `system_prompt`. A project's file lies in the workspace.",
  ),
  temperature: decimal(0, "Sampling temperature; 0 leaves it to the model.", { min: 0, max: 2 }),
  reasoning_language: choice(["auto", "zh", "en"], "auto", "Language of visible reasoning."),
  output_style: text(
    "",
    "How the model phrases its answers: `concise`, `explanatory`, `learning`, or a style of yours.",
  ),

  planner_model: notYet(text("", "Second model that plans; on when it differs from the executor's.")),
  guardian_model: notYet(
    text("", "Model that answers safety questions in place of a person, where that is permitted.", {
      loosens: (project, below) => project !== "" && project !== below,
    }),
  ),
  guardian_temperature: notYet(decimal(0, "Temperature of the guardian.", { min: 0, max: 2 })),
  recovery_model: notYet(text("", "Model that helps after repeated failures.")),
  vision_model: notYet(text("", "Model that looks at images for one that cannot.")),
  triage_model: notYet(text("", "Model that sorts incoming work.")),
  advisor_model: notYet(text("", "Model that gives a second opinion.")),
  decision_model: notYet(text("", "Model for short decisions.")),
  web_search_model: notYet(text("", "Model that searches the web.")),

  subagent_model: notYet(text("", "Default model of sub-agents.")),
  subagent_effort: notYet(text("", "Default reasoning effort of sub-agents.")),
  subagent_models: notYet(byProfile("Model by sub-agent profile; outranks everything else.")),
  subagent_efforts: notYet(byProfile("Effort by sub-agent profile; outranks everything else.")),
  max_subagent_depth: notYet(whole(2, "How deep sub-agents may start sub-agents. 1: one layer.", { min: 1 })),
  max_subagent_concurrency: notYet(whole(6, "Sub-agents at work at once.", { min: 1, max: 32 })),
  max_parallel_writers: notYet(whole(3, "Writing sub-agents at work at once; at most `max_subagent_concurrency`.", {
    min: 1,
    max: 32,
  })),
  write_lease: notYet(choice(["strict", "optimistic", "off"], "strict", "How writers claim files.")),
  worktree_isolation: notYet(flag(false, "Give writing sub-agents work trees of their own.")),
  best_of_n: notYet(flag(false, "Let several sub-agents try the same task and keep the best.")),
  code_mode: notYet(flag(false, "Let the model write code that calls tools.")),
  screen_external_content: notYet(flag(false, "Check text from outside for hidden instructions."), "guard"),

  compact_ratio: decimal(0.9, "Share of the context window at which older messages are folded.", {
    min: Number.MIN_VALUE,
    max: 1 - Number.EPSILON / 2,
    outside: "default",
    takes: "a number above 0 and below 1",
  }),
  keep: list(["errors", "user_marked"], "What folds must not drop."),
  recent_keep: whole(2, "Newest messages kept, whatever `keep` says.", { min: 0 }),
  user_turn_keep_tokens: whole(0, "Room for kept user messages. 0: automatic.", { min: 0 }),
  first_turn_pin_tokens: whole(1500, "Largest first message that is kept whole.", { min: 0 }),
  checkpoint_ceiling_ratio: decimal(0.5, "Largest acceptable folded context; may only be lowered.", {
    min: 0.01,
    max: 0.5,
  }),
  context_soft_limit_tokens: whole(0, "Fold at this size already. 0: off.", { min: 0 }),

  goal_token_budget: notYet(whole(0, "Tokens after which a goal pauses. 0: off.", raisesLimit), "guard"),
  task_cost_budget: decimal(0, "Cost of a turn, in the currency of the model's price. 0: off.", raisesLimit),
  task_time_budget_minutes: whole(0, "Minutes of a turn. 0: off.", raisesLimit),
  task_token_budget: whole(0, "Tokens of a turn, cached ones too. 0: off.", raisesLimit),
  embedded_diff_detection: flag(false, "Show command output that is a diff as a diff."),

  plan_mode_read_only_commands: list([], "Kept as written; plan mode decides by `[permissions]`.", { scope: "inert" }),
  max_steps: unused("retired", "The flag `--max-steps` limits one run."),
  planner_max_steps: unused("retired", "The flag `--max-steps` limits one run."),
  soft_compact_ratio: unused("retired", "`compact_ratio` decides."),
  tool_result_snip_ratio: unused("retired", "`compact_ratio` decides."),
  compact_force_ratio: unused("retired", "`compact_ratio` decides."),
  cold_resume_prune: unused("retired", "Resuming keeps what was stored."),
  context_editing: unused("retired", "The context is append-only."),
  auto_plan: unused("retired", "Plan mode is chosen by the person."),
  auto_plan_classifier: unused("retired", "Plan mode is chosen by the person."),
  memory_compiler: unused("retired", "Memory has its own section."),
});
