/** Reading the files hooks stand in. A missing file is an answer; one that cannot be read contributes nothing. */
import { isThere } from "../../lib/at_path.ts";
import { readPlainText } from "../../lib/reach.ts";
import { showPath } from "../../lib/shown_path.ts";
import type { HookProblem, HookSource } from "./hook.ts";
import { type ParsedHooks, parseHooks } from "./parse.ts";

const LARGEST = 1 << 20;

/** Hooks of all files, in the order of `sources`: project, plugins, user. */
export async function loadHooks(sources: readonly HookSource[]): Promise<ParsedHooks> {
  const read = await Promise.all(sources.map(async (source) => {
    if (!isThere(source.file)) return { hooks: [], problems: [] };
    const text = await readPlainText(source.file, LARGEST);
    return typeof text === "string" ? parseHooks(text, source) : { hooks: [], problems: [unusable(source, text)] };
  }));
  return { hooks: read.flatMap(({ hooks }) => hooks), problems: read.flatMap(({ problems }) => problems) };
}

function unusable(source: HookSource, { problem }: { readonly problem: string }): HookProblem {
  const text = `${showPath(source.file)}: no hooks are taken from it: ${problem}`;
  return { code: "hook.malformed_settings", source, text };
}
