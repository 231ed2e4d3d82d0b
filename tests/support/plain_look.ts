/** How the terminal draws in tests: without colours, in English. */
import type { Look } from "../../src/frontends/tui/look.ts";
import { createTheme } from "../../src/frontends/tui/theme.ts";
import { createTranslate } from "../../src/frontends/view/mod.ts";

export const PLAIN_LOOK: Look = {
  theme: createTheme("none"),
  t: createTranslate("en"),
  showReasoning: false,
  unfoldOutput: false,
  foldDiffs: false,
  diffOutput: false,
  showUsage: true,
};
