/** Reading the files hooks stand in. A missing file is an answer; one that cannot be read contributes nothing. */
import { errorText } from "../../lib/error_text.ts";
import { showPath } from "../../lib/shown_path.ts";
import { decodeText } from "../../lib/text_encoding.ts";
import type { HookProblem, HookSource } from "./hook.ts";
import { type ParsedHooks, parseHooks } from "./parse.ts";

const LARGEST = 1 << 20;

/** Hooks of all files, in the order of `sources`: project, plugins, user. */
export async function loadHooks(sources: readonly HookSource[]): Promise<ParsedHooks> {
  const read = await Promise.all(sources.map(async (source) => {
    const text = await textOf(source);
    return typeof text === "string" ? parseHooks(text, source) : { hooks: [], problems: text };
  }));
  return { hooks: read.flatMap(({ hooks }) => hooks), problems: read.flatMap(({ problems }) => problems) };
}

async function textOf(source: HookSource): Promise<string | readonly HookProblem[]> {
  const failed = (why: string): readonly HookProblem[] => [{
    code: "hook.malformed_settings",
    source,
    text: `${showPath(source.file)}: no hooks are taken from it: ${why}`,
  }];
  try {
    const { isFile, size } = await Deno.stat(source.file);
    // Told by its kind, not by opening it: a pipe would hold up the start.
    if (!isFile) return failed("it is not a regular file");
    if (size > LARGEST) return failed("it is larger than 1 MiB");
    const decoded = await decodeText(await Deno.readFile(source.file));
    return decoded.kind === "text" ? decoded.text : failed("it is not text");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
    return failed(errorText(error));
  }
}
