/** The tool through which the model asks the person. No posture answers it. */
import type { Question } from "../../contract/decision.ts";
import { ToolError } from "../../contract/errors.ts";
import type { Tool, ToolKind } from "../../contract/tool.ts";
import description from "./ask.md" with { type: "text" };

const NOBODY = "Nobody is there to answer. This is a model assumption and not a user decision: " +
  "take the safest option that can be undone, go on, and state the assumption in your report.";

const DISMISSED =
  "The user dismissed the questions and would rather talk. Say in a sentence what you need to know, and end your turn.";

export const askTool: ToolKind = {
  name: "ask",
  create(ports): Tool {
    return {
      name: "ask",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          questions: {
            type: "array",
            minItems: 1,
            maxItems: 3,
            items: {
              type: "object",
              properties: {
                header: { type: "string" },
                question: { type: "string" },
                options: {
                  type: "array",
                  minItems: 2,
                  maxItems: 4,
                  items: {
                    type: "object",
                    properties: { label: { type: "string" }, description: { type: "string" } },
                    required: ["label"],
                  },
                },
                multiSelect: { type: "boolean" },
              },
              required: ["header", "question", "options"],
            },
          },
        },
        required: ["questions"],
      },
      async execute(args, context) {
        const questions = (args.questions as Question[]).map((question) => ({
          ...question,
          multiSelect: question.multiSelect === true,
        }));
        for (const question of questions) checkQuestion(question);
        if (ports.person === undefined) return { text: NOBODY };
        const answer = await ports.person.ask(
          { id: `ask-${context.callId}`, callId: context.callId, questions },
          context.signal,
        );
        if (answer === "dismissed") return { text: DISMISSED, barrier: true };
        const lines = questions.map(({ header }, at) => {
          const chosen = answer.choices[at] ?? [];
          return `- ${header}: ${chosen.length === 0 ? "(no answer)" : chosen.join(", ")}`;
        });
        return { text: ["The user answered:", ...lines].join("\n"), barrier: true };
      },
    };
  },
};

function checkQuestion({ header, question, options }: Question): void {
  if (question.trim() === "" || header.trim() === "") throw new ToolError("each question needs a header and a text");
  const labels = options.map((option) => option.label.trim());
  if (labels.includes("")) throw new ToolError(`"${header}" has an option with an empty label`);
  if (new Set(labels).size < labels.length) throw new ToolError(`"${header}" has two options with the same label`);
}
