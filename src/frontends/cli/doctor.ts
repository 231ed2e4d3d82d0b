/** `doctor`: what is in order and what to mend, as text or JSON. Shows no key, writes nothing itself, and ends with 0. */
import { diagnose, inspectProject, sessionsOf } from "../../assembly/mod.ts";
import { SecretFilter } from "../../lib/secret_filter.ts";
import { toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { UsageError } from "./flags.ts";
import { toDoctorJson, toDoctorText, toSessionsJson, toSessionsText } from "./output/doctor_report.ts";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [topic, ...more] = parsed.words;
  if (more.length > 0 || (topic !== undefined && topic !== "sessions")) {
    throw new UsageError("usage: reasonix doctor [sessions] [--json] [--offline] [--live] [--dir PATH]");
  }
  const dir = parsed.values.get("dir");
  const project = await inspectProject(typeof dir === "string" ? { directory: dir } : {});
  const json = parsed.values.has("json");
  if (topic === "sessions") {
    const { paths, root } = project;
    const records = await sessionsOf({ paths, root, program: "reasonix doctor" }).list();
    streams.out.line(json ? JSON.stringify(toSessionsJson(records)) : toTerminal(toSessionsText(records)));
    return EXIT.success;
  }
  const diagnosis = await diagnose(project, {
    offline: parsed.values.has("offline"),
    live: parsed.values.has("live"),
  });
  const secrets = new SecretFilter(diagnosis.secrets);
  streams.out.line(
    json ? JSON.stringify(secrets.value(toDoctorJson(diagnosis))) : secrets.text(toTerminal(toDoctorText(diagnosis))),
  );
  return EXIT.success;
}
