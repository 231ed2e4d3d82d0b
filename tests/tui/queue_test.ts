// Messages that wait for a turn, in a real terminal, through the death of the program. Needs the Debian package `tmux`.
import assert from "node:assert/strict";
import { ModelServer, type WireStep } from "../support/model_server.ts";
import { assertScreen } from "../support/screen_fixture.ts";
import { Pane, TMUX } from "../support/tmux.ts";

const ignore = !TMUX;

/** An answer that begins and does not end before the program does. */
const endless: WireStep = {
  response: () => {
    const piece = { id: "r", choices: [{ index: 0, delta: { content: "I am at it" }, finish_reason: null }] };
    const begun = new TextEncoder().encode(`data: ${JSON.stringify(piece)}\n\n`);
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue(begun) }), {
      headers: { "content-type": "text/event-stream" },
    });
  },
};

/** What differs from run to run. */
const steady = (text: string) =>
  text
    .replace(/\/\S*\/rx-\w+\/ws/g, "/work")
    .replace(/(\[\w+\] · [a-z ]+) [\d.]+ s/g, "$1 0.0 s")
    .replace(/(context) \d+%/g, "$1 N%")
    .replace(/[▓░╎]{10}/g, "gauge")
    .replace(/^[^]*?Reasonix \S+/, "Reasonix VERSION");

async function filesIn(home: string): Promise<{ readonly folder: string; readonly names: readonly string[] }> {
  const projects = `${home}/projects`;
  const [project] = [...Deno.readDirSync(projects)];
  const folder = `${projects}/${project!.name}/sessions`;
  return { folder, names: (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name) };
}

Deno.test(
  { name: "three queued messages outlive the program that is killed, wait, and go out once each", ignore },
  async () => {
    const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "rx-" }));
    const [home, root] = [`${base}/home`, `${base}/ws`];
    await Promise.all([Deno.mkdir(home), Deno.mkdir(root)]);
    await using model = new ModelServer([endless, { text: "one is done" }, { text: "two is done" }, {
      text: "three is done",
    }]);
    await Deno.writeTextFile(
      `${home}/config.toml`,
      `default_model = "local/scripted"\n[[providers]]\nname = "local"\nbase_url = "${model.url}/v1"\n` +
        `model = "scripted"\napi_key_env = ""\ncontext_window = 64000\n`,
    );
    try {
      const open = () => Pane.open({ columns: 80, rows: 24, cwd: root, env: { REASONIX_HOME: home, HOME: home } });
      await using first = await open();
      let pane = first;
      await pane.line(Pane.program());
      await pane.shows("ready");
      await pane.line("begin");
      await pane.shows("I am at it");
      for (const text of ["queued one", "queued two", "queued three"]) await pane.line(text);
      await pane.shows("3 queued");
      await pane.key("Up", "Up");
      await pane.shows("queued message 2");
      await pane.type(", changed");
      await pane.key("Enter");
      assertScreen("queue_80x24", steady(await pane.shows(/↳ queued two, changed\n/)));

      const { folder, names } = await filesIn(home);
      const lease = names.find((name) => name.endsWith(".lease.json"))!;
      const { pid } = JSON.parse(await Deno.readTextFile(`${folder}/${lease}`));
      Deno.kill(pid, "SIGKILL");
      await pane.shows(/Killed/);
      // A killed program leaves its terminal as it was.
      await using second = await open();
      pane = second;
      await pane.line(Pane.program("--continue"));
      await pane.shows("3 queued, held back");
      assertScreen("queue_resumed_80x24", steady(await pane.shows("ready")));
      assert.equal(model.requests.length, 1);

      model.allowNextReset = true;
      await pane.line("/queue resume");
      await pane.shows("three is done");
      await pane.shows(/· ready/);
      const said = (body: { messages: { role: string; content: string }[] }) =>
        body.messages.filter(({ role }) => role === "user").map(({ content }) => content.split("\n").at(-1));
      assert.deepEqual(said(model.requests.at(-1)!.body).slice(-4), [
        "begin",
        "queued one",
        "queued two, changed",
        "queued three",
      ]);
      assert.equal(model.requests.length, 4);
      await pane.key("C-d");
      await pane.shows("reasonix --resume");
      assert.deepEqual((await filesIn(home)).names.filter((name) => name.includes("inbox")), []);
    } finally {
      await Deno.remove(base, { recursive: true }).catch(() => {});
    }
  },
);
