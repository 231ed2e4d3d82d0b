/** The prefix a person may be offered instead of the one command. */
import type { SimpleCommand } from "./analysis.ts";
import { EVALUATORS, interpreterNamed, SHELLS } from "./runners.ts";

const PACKAGE_MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"]);

/** Two words, three for `npm run X`. Undefined where a prefix would say too much or could not be written as a rule. */
export function offeredPrefix(call: SimpleCommand): string | undefined {
  // Behind a wrapper the first words are the wrapper's, and so would be the permission.
  if (call.layers.length > 1) return undefined;
  const words = call.layers[0]!.words;
  const [program, second] = words;
  if (
    !program || !second || interpreterNamed(program.value) || SHELLS.has(program.value) || EVALUATORS.has(program.value)
  ) return undefined;
  const count = PACKAGE_MANAGERS.has(program.value) && second.value === "run" ? 3 : 2;
  const taken = words.slice(0, count);
  if (taken.length < count || taken.some(({ value }) => !/^[\w@./:+-]+$/.test(value))) return undefined;
  return taken.map(({ value }) => value).join(" ");
}
