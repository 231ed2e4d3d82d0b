/** `/export`: the conversation as a Markdown file. */
import { toMarkdown } from "../export_markdown.ts";
import { type BuiltIn, done } from "./built_in.ts";

export const EXPORT: BuiltIn = {
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
};
