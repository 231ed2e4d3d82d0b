/** `/output-style`: how the model phrases its answers. */
import { type BuiltIn, choice, done } from "./built_in.ts";

const NONE = "default";

const ORIGINS = { built_in: "", user: " (yours)", project: " (of this folder)" } as const;

export const OUTPUT_STYLE: BuiltIn = {
  name: "output-style",
  hint: "[NAME]",
  summary: "Show or change how the model phrases its answers",
  details: "A conversation that begins has the style in its standing prompt; one that runs is told with your next " +
    "message. Styles of your own are Markdown files in `output-styles` of the home, or in `.reasonix/output-styles` of " +
    "the folder; lines `name: …` and `description: …` may stand between two lines of `---` at their start.",
  run: async (name, { host: { outputStyles: styles } }) => {
    if (name !== "") {
      const wanted = name.toLowerCase() === NONE ? "" : name;
      await styles.choose(wanted);
      return done(`Output style: ${styles.wanted || NONE}, from your next message on.`);
    }
    const now = styles.wanted;
    const rows = (await styles.list()).map(({ name, description, origin }) => ({
      value: name,
      detail: `${description}${ORIGINS[origin]}`,
      current: name === now,
    }));
    return choice([{ value: NONE, detail: "no special style", current: now === "" }, ...rows], {
      title: "Output style",
      command: "output-style",
    });
  },
};
