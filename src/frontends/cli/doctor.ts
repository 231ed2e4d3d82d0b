/**
 * `doctor`: what is in order and what to mend, as text or JSON. Shows no key, writes nothing itself, and ends with 0;
 * `doctor capabilities` ends with 1 where something that was set up does not work.
 */
import { diagnose, inspectCapabilities, inspectProject, sessionsOf } from "../../assembly/mod.ts";
import { SecretFilter } from "../../lib/secret_filter.ts";
import { toJsonLine, toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { type ParsedFlags, textOf, UsageError } from "./flags.ts";
import type { Streams } from "./output/output.ts";
import { toDoctorJson, toDoctorText, toSessionsJson, toSessionsText } from "./output/doctor_report.ts";

const USAGE = "usage: reasonix doctor [sessions | capabilities [--root PATH] [--timeout 5s]] [--json] [--offline] " +
  "[--live] [--dir PATH]";

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const { values } = parsed;
  const [topic, ...more] = parsed.words;
  if (more.length > 0 || (topic !== undefined && topic !== "sessions" && topic !== "capabilities")) {
    throw new UsageError(USAGE);
  }
  if (topic === "capabilities") return await capabilities(streams, parsed);
  for (const name of ["root", "timeout"]) {
    if (values.has(name)) throw new UsageError(`--${name} belongs to doctor capabilities`);
  }
  const project = await inspectProject({ directory: textOf(parsed, "dir") });
  const json = values.has("json");
  if (topic === "sessions") {
    const { paths, root } = project;
    const records = await sessionsOf({ paths, root, program: "reasonix doctor" }).list();
    streams.out.line(json ? toJsonLine(toSessionsJson(records)) : toTerminal(toSessionsText(records)));
    return EXIT.success;
  }
  const diagnosis = await diagnose(project, {
    offline: values.has("offline"),
    live: values.has("live"),
  });
  const secrets = new SecretFilter(diagnosis.secrets);
  streams.out.line(
    json ? toJsonLine(secrets.value(toDoctorJson(diagnosis))) : secrets.text(toTerminal(toDoctorText(diagnosis))),
  );
  return EXIT.success;
}

async function capabilities(streams: Streams, parsed: ParsedFlags): Promise<number> {
  const { values } = parsed;
  if (values.has("root") && values.has("dir")) throw new UsageError("--root and --dir name the same thing; give one");
  const live = values.has("live");
  if (values.has("timeout") && !live) throw new UsageError("--timeout is for --live, which starts servers");
  const found = await inspectCapabilities(
    await inspectProject({ directory: textOf(parsed, "root") ?? textOf(parsed, "dir") }),
    live ? { liveMs: toTimeout(textOf(parsed, "timeout")) } : {},
  );
  const { toCapabilitiesJson, toCapabilitiesText } = await import("./output/capabilities_report.ts");
  const secrets = new SecretFilter(found.secrets);
  streams.out.line(
    values.has("json")
      ? toJsonLine(secrets.value(toCapabilitiesJson(found)))
      : secrets.text(toTerminal(toCapabilitiesText(found))),
  );
  return found.issues.some(({ severity }) => severity === "error") ? EXIT.failure : EXIT.success;
}

/** Milliseconds. */
function toTimeout(written: string | undefined): number {
  if (written === undefined) return 5_000;
  const seconds = /^(\d{1,2})s?$/.exec(written)?.[1];
  if (seconds === undefined || Number(seconds) < 1 || Number(seconds) > 60) {
    throw new UsageError(`--timeout takes 1s to 60s; got "${written}"`);
  }
  return Number(seconds) * 1_000;
}
