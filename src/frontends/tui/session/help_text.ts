/** What `/help` shows: the commands there are, and the keys. */
import type { Commands } from "../../../controller/mod.ts";
import { toLine } from "../../../lib/terminal_text.ts";
import type { TextKey, Translate } from "../../view/mod.ts";
import { KEY_BINDINGS } from "../keys.ts";

const TYPED: readonly TextKey[] = [
  "keys.send",
  "keys.newline",
  "keys.history",
  "keys.complete",
  "keys.shell",
  "keys.note",
];

/** Markdown. */
export function helpText(commands: Commands, t: Translate): string {
  const lines = commands.list().map(({ name, argumentHint, summary }) =>
    `- \`/${toLine(name)}${argumentHint ? ` ${toLine(argumentHint)}` : ""}\` ${toLine(summary)}`
  );
  const keys = [...TYPED, ...KEY_BINDINGS.map(({ help }) => help)].map((key) => `- ${t(key)}`);
  return `## ${t("help.commands")}\n\n${lines.join("\n")}\n\n## ${t("help.keys")}\n\n${keys.join("\n")}\n`;
}
