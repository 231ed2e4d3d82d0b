/** What the frontend does: `/help`, `/cls`, `/quit`, `/copy`, `/steer` and the like; and `/export`, which writes a file. */
import { toMarkdown } from "../export_markdown.ts";
import { type BuiltIn, done, WrongArgument } from "./built_in.ts";
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
  {
    name: "export",
    hint: "[PATH]",
    summary: "Write the conversation to a Markdown file",
    run: async (path, { controller, host, runtime }) => {
      const time = new Date(host.now()).toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "");
      const markdown = toMarkdown(controller.messages, {
        title: runtime().transcript.title ?? `Session ${controller.sessionId}`,
      });
      const saved = await host.saveFile(path || `session-${time}.md`, markdown);
      return done(`Written to ${saved}`);
    },
  },
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
