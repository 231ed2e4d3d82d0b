/** A run that is killed in the middle of its calls: what the next turn hears of it, and what its journal holds. */
import assert from "node:assert/strict";
import { ModelServer } from "../support/model_server.ts";
import { Bed } from "../support/program.ts";

const call = (name: string, args: unknown, id: string) => ({ name, args, id });

/** Until the file is there. */
async function made(path: string): Promise<void> {
  const limit = Date.now() + 30_000;
  while (!await Deno.stat(path).then(() => true, () => false)) {
    if (Date.now() > limit) assert.fail(`${path} never came`);
    await new Promise((settle) => setTimeout(settle, 20));
  }
}

Deno.test("of the calls of a killed run the next turn hears which had ended, which had begun and which had not", async () => {
  await using model = new ModelServer([
    {
      calls: [
        call("write_file", { path: "made.txt", content: "secret content\n" }, "call_1"),
        call("bash", { command: "touch begun; sleep 20" }, "call_2"),
        call("write_file", { path: "never.txt", content: "x\n" }, "call_3"),
      ],
    },
    { text: "I see." },
  ]);
  await using bed = await Bed.create({
    config:
      `default_model = "local/m"\n[sandbox]\nbash = "off"\n[[providers]]\nname = "local"\nbase_url = "${model.url}/v1"\n` +
      `model = "m"\napi_key_env = ""\n`,
  });
  const child = bed.start(["run", "--auto", "go"]);
  await made(`${bed.workspace}/begun`);
  child.kill("SIGKILL");
  await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel()]);

  const [project] = [...Deno.readDirSync(`${bed.home}/projects`)];
  const sessions = `${bed.home}/projects/${project!.name}/sessions`;
  const [file] = [...Deno.readDirSync(sessions)].filter(({ name }) => name.endsWith(".run-journal.ndjson"));
  const journal = await Deno.readTextFile(`${sessions}/${file!.name}`);
  const seen = journal.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(seen.map(({ kind, id }) => kind === "call" || kind === "end" ? `${kind} ${id}` : kind), [
    "snapshot",
    "turn",
    "request",
    "call call_1",
    "end call_1",
    "call call_2",
  ]);
  assert.doesNotMatch(journal, /secret|made\.txt|touch/);

  model.allowNextReset = true;
  const { err } = await bed.run(["run", "--continue", "what happened?"]);
  assert.match(err, /the program ended in the middle of a turn; what these calls did is not known: bash/);
  const asked: string = model.requests.at(-1)!.body.messages.at(-1).content;
  assert.deepEqual(asked.split("\n").slice(1, 5), [
    "The program died during the previous turn.",
    `Finished before that: write_file (${bed.workspace}/made.txt).`,
    "Cut off with unknown effect, look before you redo: bash.",
    "Without a result, but not begun or only reading, by the journal of the run: write_file.",
  ]);
});
