/**
 * Commands that the frontend carries out: `/cls`, `/copy`, `/steer`, `/quit` and the like answer with an action for it.
 * `/export` and `/queue` stand among them in the menu.
 */
import { type BuiltIn, WrongArgument } from "./built_in.ts";
import { EXPORT } from "./export.ts";
import { QUEUE } from "./queue.ts";

const own = (name: "cls" | "verbose" | "diff-fold" | "mouse" | "paste-image", summary: string): BuiltIn => ({
  name,
  hint: "",
  summary,
  run: () => ({ kind: "frontend", action: name, argument: "" }),
});

export const FRONTEND_ACTIONS: readonly BuiltIn[] = [
  own("cls", "Clear what is visible; the conversation stays"),
  {
    name: "copy",
    hint: "[N]",
    summary: "Copy the last answer, or the one N before it",
    run: (argument, { controller }) => {
      if (argument !== "" && !/^\d{1,4}$/.test(argument)) throw new WrongArgument(`"${argument}" is no number`);
      const answers = controller.messages.filter(({ role, content, local_only: local }) =>
        role === "assistant" && !local && (content ?? "").trim() !== ""
      );
      const answer = answers.at(-1 - Number(argument));
      if (answer === undefined) return { kind: "error", text: "There is no such answer to copy." };
      return { kind: "frontend", action: "copy", argument: answer.content! };
    },
  },
  EXPORT,
  {
    name: "steer",
    hint: "TEXT",
    summary: "Give the running turn guidance",
    run: (guidance) => {
      if (guidance === "") throw new WrongArgument("it needs the guidance");
      return { kind: "frontend", action: "steer", argument: guidance };
    },
  },
  QUEUE,
  own("verbose", "Show or hide the model's reasoning"),
  own("diff-fold", "Show the diffs of edits, or only how many lines changed"),
  own("mouse", "Hand the mouse to the terminal, or take it back"),
  own("paste-image", "Paste the image on the clipboard"),
  {
    name: "quit",
    aliases: ["exit"],
    hint: "",
    summary: "Leave; the conversation is saved",
    run: () => ({ kind: "frontend", action: "quit", argument: "" }),
  },
];
