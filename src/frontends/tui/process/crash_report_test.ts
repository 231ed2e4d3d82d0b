import assert from "node:assert/strict";
import { SecretFilter } from "../../../lib/secret_filter.ts";
import { writeCrashReport } from "./crash_report.ts";

Deno.test("a report is private, holds no saved key, and the eleventh pushes the oldest out", async () => {
  const home = await Deno.makeTempDir();
  const key = "sk-crash-0123456789";
  const redact = new SecretFilter([key]).text;
  const write = (second: number) =>
    writeCrashReport(home, {
      at: new Date(second * 1000),
      version: "v1.0.0",
      sessionId: "s",
      error: new Error(`cannot use ${key}`),
      redact,
    });
  const paths: (string | undefined)[] = [];
  for (let second = 1; second <= 11; second++) paths.push(await write(second));
  const names = [...Deno.readDirSync(`${home}/cli-crash-reports`)].map(({ name }) => name);
  assert.equal(names.length, 10);
  assert.ok(!names.some((name) => paths[0]!.endsWith(name)));
  const text = await Deno.readTextFile(paths[10]!);
  assert.ok(!text.includes(key));
  assert.equal(JSON.parse(text).error, "cannot use [redacted]");
  assert.equal((await Deno.stat(paths[10]!)).mode! & 0o777, 0o600);
  await Deno.remove(home, { recursive: true });
});
