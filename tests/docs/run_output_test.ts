// What docs/EVENTS.md shows of a run's output has the shape of what a real run writes.
import assert from "node:assert/strict";
import { startEndpoint } from "../../scripts/endpoint.ts";
import { Bed, localProvider } from "../support/program.ts";
import { page } from "./_markdown.ts";

const shown = page("docs/EVENTS.md").blocks.filter(({ language }) => language.startsWith("json")).map(({ text }) =>
  text
);
const objects = (text: string) => text.trimEnd().split("\n").map((line) => JSON.parse(line));
const example = (key: string) => JSON.parse(shown.find((text) => text.startsWith("{\n") && text.includes(`"${key}"`))!);

/** Names and types, without values; the names in `open` are up to the run. */
function shape(value: unknown, open: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => shape(item, open)).slice(0, 1);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, open.includes(key) ? "open" : shape(item, open)]),
  );
}

const OPEN = ["original_costs", "usage_by_source", "tool_calls_by_name", "tool_failures_by_name", "cost", "currency"];

async function run(...flags: string[]) {
  const endpoint = startEndpoint([{ tool: "bash", args: { command: "echo hi > a.txt" } }, { text: "Done." }]);
  const price = 'price = { input = 1, output = 2, currency = "USD" }\n';
  const bed = await Bed.create({ config: localProvider(endpoint.url, price), keys: "LOCAL_KEY=sk-local\n" });
  try {
    const { out, code } = await bed.run(["run", ...flags, "write a file"]);
    const files = [...Deno.readDirSync(bed.workspace)].filter(({ isFile }) => isFile)
      .map(({ name }) => [name, Deno.readTextFileSync(`${bed.workspace}/${name}`)] as const);
    return { out, code, files: Object.fromEntries(files) };
  } finally {
    await bed[Symbol.asyncDispose]();
    await endpoint.stop();
  }
}

Deno.test("the JSON result is the one that is shown", async () => {
  const { out, code } = await run("--output-format", "json");
  assert.equal(code, 4);
  const result = JSON.parse(out);
  assert.deepEqual(shape(result, OPEN), shape(example("subtype"), OPEN));
  const { code: why, error, permission_denials } = example("subtype");
  assert.deepEqual([result.code, result.error, result.permission_denials[0].code], [
    why,
    error,
    permission_denials[0].code,
  ]);
});

Deno.test("the metrics are those that are shown, and a trajectory has the lines that are shown", async () => {
  const { files } = await run("--auto", "--metrics", "m.json", "--trajectory", "t.jsonl");
  assert.deepEqual(shape(JSON.parse(files["m.json"]!), OPEN), shape(example("prompt_tokens"), OPEN));
  const [line] = objects(shown.find((text) => text.includes('"event":'))!).filter((one) => one.event);
  const real = objects(files["t.jsonl"]!).find(({ event }) => event.kind === line.event.kind);
  assert.deepEqual(shape(real), shape(line));
});

Deno.test("the redacted events have the lines that are shown", async () => {
  const { out } = await run("--auto", "--events-jsonl");
  const real = objects(out);
  for (const line of objects(shown.find((text) => text.includes('"sequence":'))!).filter((one) => one.sequence)) {
    assert.deepEqual(shape(real.find(({ kind }) => kind === line.kind)), shape(line));
  }
});
