/** Skills that come with the program, as the texts of their files. For the person alone: no prompt mentions them. */
import init from "./init.md" with { type: "text" };
import test from "./test.md" with { type: "text" };

export const BUILT_IN_SKILLS: readonly string[] = [init, test];
