/** Reports of errors of the program itself: local, private, at most ten. Nothing is sent anywhere. */
import { errorText } from "../../../lib/error_text.ts";
import { join } from "../../../lib/path.ts";
import { createFile } from "../../../lib/whole_writes.ts";

const KEPT = 10;

export interface CrashReport {
  readonly at: Date;
  readonly version: string;
  readonly sessionId: string;
  readonly error: unknown;
  /** Takes saved secrets out. */
  redact(text: string): string;
}

/** Path of the report; undefined when it could not be written, which must not hide the error itself. */
export async function writeCrashReport(home: string, report: CrashReport): Promise<string | undefined> {
  const folder = join(home, "cli-crash-reports");
  const { at, version, sessionId, error, redact } = report;
  const body = {
    time: at.toISOString(),
    version,
    session: sessionId,
    runtime: `deno ${Deno.version.deno}`,
    platform: `${Deno.build.os} ${Deno.build.arch}`,
    error: redact(errorText(error)),
    stack: redact(error instanceof Error ? error.stack ?? "" : ""),
  };
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${body.time.replaceAll(":", "-")}-${crypto.randomUUID().slice(0, 8)}.json`);
    await createFile(path, JSON.stringify(body, null, 2) + "\n", { mode: 0o600 });
    await removeOldest(folder);
    return path;
  } catch {
    return undefined;
  }
}

/** Names begin with the time, so that order is age. */
async function removeOldest(folder: string): Promise<void> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isFile && entry.name.endsWith(".json")) names.push(entry.name);
  }
  const old = names.sort().slice(0, Math.max(0, names.length - KEPT));
  await Promise.all(old.map((name) => Deno.remove(join(folder, name))));
}
