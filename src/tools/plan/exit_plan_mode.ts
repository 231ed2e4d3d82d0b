/** The end of planning: the plan goes to the person, and only the person approves it. */
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./exit_plan_mode.md" with { type: "text" };

export const exitPlanModeTool: ToolKind = {
  name: "exit_plan_mode",
  create({ person, planMode }): Tool {
    return {
      name: "exit_plan_mode",
      description,
      readOnly: true,
      direct: false,
      schema: { type: "object", properties: { plan: { type: "string", minLength: 1 } }, required: ["plan"] },
      async execute(args, { callId, signal }) {
        if (!planMode?.active) throw new ToolError("plan mode is not on: carry out the work, or answer");
        if (person === undefined) {
          throw new ToolError("nobody is there to approve a plan; end your turn with the plan as your answer");
        }
        const decision = await person.decidePlan({ id: `plan-${callId}`, callId, plan: args.plan as string }, signal);
        switch (decision.kind) {
          case "start":
            planMode.approve();
            return { text: "The user approved the plan. Plan mode is off: carry it out now.", barrier: true };
          case "revise":
            return {
              text: `The user wants the plan revised:\n${decision.feedback || "(no further words)"}`,
              barrier: true,
            };
          case "exit":
            planMode.leave();
            return {
              text: "The user left plan mode without starting. Do nothing further; end your turn.",
              barrier: true,
            };
        }
      },
    };
  },
};
