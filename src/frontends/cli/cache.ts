/** `cache SESSION`: how well the endpoint's cache served a session, request by request. */
import { loadCacheReports } from "../../assembly/mod.ts";
import { toJsonLine, toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { UsageError } from "./flags.ts";
import { cacheJson, cacheText } from "./output/cache_report.ts";
import { storeOf } from "./session_command.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [ref, ...more] = parsed.words;
  if (ref === undefined || more.length > 0) throw new UsageError("usage: reasonix cache SESSION [--json]");
  const { id, path } = await (await storeOf(parsed)).inspect(ref);
  const { loadCacheReport } = await loadCacheReports();
  const report = loadCacheReport(path);
  streams.out.line(
    parsed.values.has("json") ? toJsonLine(cacheJson(id, report)) : toTerminal(cacheText(id, report)),
  );
  return EXIT.success;
}
