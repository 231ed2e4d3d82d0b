/** `reasonix demo`: a whole task in a temporary folder with the built-in model: no network, no key. */
import { assembleDemo } from "../../assembly/mod.ts";
import { EndSignals } from "../../lib/end_signals.ts";
import type { CommandContext } from "./commands.ts";
import { runTask } from "./run.ts";
import { toRunOptions } from "./run_options.ts";

export async function run(context: CommandContext): Promise<number> {
  const { streams, parsed } = context;
  const started = performance.now();
  streams.queue();
  using signals = new EndSignals();
  const demo = await assembleDemo();
  try {
    streams.out.line(`A small project with a failing test, and a built-in scripted model: no network, no key.`);
    streams.out.line(`folder: ${demo.folder}`);
    streams.out.line(`task:   ${demo.prompt}\n`);
    const options = toRunOptions({ values: new Map(), words: [] });
    return await runTask(demo.prompt, { assembly: demo.assembly, options, streams, signals, started });
  } finally {
    if (parsed.values.has("keep")) streams.out.line(`\nkept: ${demo.folder}`);
    else await demo.remove();
  }
}
