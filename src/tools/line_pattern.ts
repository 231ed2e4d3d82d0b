/** Patterns the model gives, in RE2 syntax: matching takes time in proportion to the text, whatever the pattern. */
import { ToolError } from "../contract/errors.ts";
import { errorText } from "../lib/error_text.ts";

/** What RE2 offers here. */
export interface LinePattern {
  test(line: string): boolean;
  /** Start of the first match, in code units. */
  find(line: string): number;
  /** Text every match holds, where the pattern is nothing but text. */
  readonly literal?: string;
}

export async function linePattern(source: string): Promise<LinePattern> {
  const { RE2JS } = await import("re2js");
  try {
    const pattern = RE2JS.compile(source);
    return {
      test: (line) => pattern.test(line),
      find: (line) => {
        const matcher = pattern.matcher(line);
        return matcher.find() ? matcher.start() : 0;
      },
      ...(/^[^\\.+*?()|[\]{}^$]+$/.test(source) ? { literal: source } : {}),
    };
  } catch (error) {
    const text = errorText(error);
    throw new ToolError(`syntax error in pattern: ${text}; patterns are RE2 (no lookaround, no backreferences)`);
  }
}
