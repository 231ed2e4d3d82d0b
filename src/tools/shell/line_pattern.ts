/** Patterns the model gives, in RE2 syntax: matching takes time in proportion to the text, whatever the pattern. */
import { ToolError } from "../../contract/errors.ts";
import { errorText } from "../../lib/error_text.ts";

export async function linePattern(pattern: string): Promise<(line: string) => boolean> {
  const { RE2JS } = await import("re2js");
  try {
    const compiled = RE2JS.compile(pattern);
    return (line) => compiled.test(line);
  } catch (error) {
    throw new ToolError(`syntax error in pattern: ${errorText(error)}`);
  }
}
