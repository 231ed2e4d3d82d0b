// Twenty turns with reasoning, parallel calls, pictures, a resume and a change of model, through every kind, against
// endpoints that refuse whatever real ones refuse.
import assert from "node:assert/strict";
import { assemble } from "../../src/assembly/mod.ts";
import type { Event } from "../../src/contract/event.ts";
import { strictChat, strictMessages, strictResponses } from "../support/strict_endpoints.ts";
import { type KindName, speechOf, type WireSpeech } from "../support/wire_speech.ts";
import { SANDBOX_AS_AVAILABLE } from "../support/programs.ts";
import { eventStream } from "../support/provider_call.ts";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);
const USAGE = { input: 1000, output: 10 };

interface Place {
  readonly kind: KindName;
  readonly settings: string;
  readonly check: ReturnType<typeof strictMessages>;
  /** Earlier thinking of its own goes back in every request. */
  readonly replays: RegExp;
}

/** Providers by name, which is the first part of their path too. */
const PLACES: Readonly<Record<string, Place>> = {
  chat: {
    kind: "openai",
    settings: `reasoning_protocol = "deepseek"\nvision = true`,
    check: strictChat({ reasoning: true }),
    replays: /"reasoning_content":"thought/,
  },
  claude: {
    kind: "anthropic",
    settings: `reasoning_protocol = "anthropic"\nthinking = "adaptive"\nvision = true`,
    check: strictMessages("anthropic"),
    replays: /"signature":"signed:thought/,
  },
  deep: {
    kind: "anthropic",
    settings: `reasoning_protocol = "deepseek"`,
    check: strictMessages("deepseek"),
    replays: /"thinking":"thought/,
  },
  gpt: {
    kind: "responses",
    settings: `reasoning_protocol = "openai"\nvision = true`,
    check: strictResponses,
    replays: /"encrypted_content":"sealed:thought/,
  },
};

type Reply = (say: WireSpeech, id: string) => readonly string[];

const answer: Reply = (say) => [say.text("Done."), say.finish("stop", USAGE), say.mark];
const calling = (...calls: readonly (readonly [name: string, args: string])[]): Reply => (say, id) => [
  ...calls.map(([name, args], at) => say.call(at, `${id}_${at}`, name, [args.slice(0, 3), args.slice(3)])),
  say.finish("tools", USAGE),
  say.mark,
];
const thinking = (reply: Reply): Reply => (say, id) => [say.reasoning(`thought ${id}`), ...reply(say, id)];
const saying = (text: string, reply: Reply): Reply => (say, id) => [say.text(text), ...reply(say, id)];

/** What the person asks and how the model goes about it. */
const TURNS: readonly { readonly prompt: string; readonly replies: readonly Reply[] }[] = [
  {
    prompt: "look around",
    replies: [
      thinking(calling(["ls", '{"path":"."}'], ["read_file", '{"path":"pic.png"}'])),
      thinking(saying("I see.", calling(["read_file", '{"path":"no-such-file"}']))),
      thinking(answer),
    ],
  },
  { prompt: "think about it", replies: [thinking(answer)] },
  { prompt: "again", replies: [saying("\n", calling(["ls", '{"path":"."}'])), answer] },
  { prompt: "what is @pic.png", replies: [thinking(answer)] },
  { prompt: "once more", replies: [saying("Well.", calling(["ls", "{}"], ["ls", '{"path":"."}'])), thinking(answer)] },
];

class Server implements AsyncDisposable {
  readonly refusals: string[] = [];
  readonly requests: { readonly place: string; readonly text: string }[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #replies: Reply[] = [];

  constructor() {
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
      const place = new URL(request.url).pathname.split("/")[1]!;
      const text = await request.text();
      const number = this.requests.push({ place, text });
      const { check, kind } = PLACES[place]!;
      const refusal = check(JSON.parse(text));
      if (refusal !== undefined) {
        this.refusals.push(`${place} #${number}: ${refusal}`);
        return Response.json({ error: { type: "invalid_request_error", message: refusal } }, { status: 400 });
      }
      const say = speechOf(kind);
      return eventStream([say.open, ...this.#replies.shift()!(say, `t${number}`)]);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  expect(replies: readonly Reply[]): void {
    assert.deepEqual(this.#replies, []);
    this.#replies = [...replies];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

async function converse(first: string, second: string): Promise<{ server: Server; events: readonly Event[] }> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
  const events: Event[] = [];
  await using server = new Server();
  try {
    await Promise.all([Deno.mkdir(`${base}/home`), Deno.mkdir(`${base}/ws`)]);
    await Deno.writeFile(`${base}/ws/pic.png`, PNG);
    const providers = Object.entries(PLACES).map(([name, { kind, settings }]) =>
      `[[providers]]\nname = "${name}"\nkind = "${kind}"\nbase_url = "${server.url}/${name}"\nmodel = "m"\n` +
      `api_key_env = ""\n${settings}\n`
    );
    const config = `default_model = "${first}"\n${SANDBOX_AS_AVAILABLE}${providers.join("\n")}`;
    await Deno.writeTextFile(`${base}/home/config.toml`, config);
    const open = async (resume?: "latest") => {
      const { controller } = await assemble({
        directory: `${base}/ws`,
        posture: "auto",
        maxSteps: 0,
        addDirs: [],
        allowedTools: [],
        copy: false,
        takeover: false,
        interactive: true,
        ...(resume ? { resume } : {}),
        environment: (name) => name === "REASONIX_HOME" || name === "HOME" ? `${base}/home` : undefined,
      });
      controller.subscribe((event) => events.push(event));
      return controller;
    };
    let controller = await open();
    for (let turn = 0; turn < 20; turn++) {
      if (turn === 10) {
        await controller.close();
        controller = await open("latest");
      }
      if (turn === 13) await switchTo(controller, `${second}/m`);
      if (turn === 17) await switchTo(controller, `${first}/m`);
      const { prompt, replies } = TURNS[turn % TURNS.length]!;
      server.expect(replies);
      const receipt = controller.send({ kind: "prompt", text: prompt });
      const summary = receipt.accepted ? await receipt.turn : undefined;
      assert.equal(summary?.outcome, "completed", `turn ${turn}: ${server.refusals.join() || JSON.stringify(summary)}`);
    }
    await controller.close();
    return { server, events };
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

async function switchTo(controller: Awaited<ReturnType<typeof assemble>>["controller"], model: string): Promise<void> {
  const receipt = controller.send({ kind: "set_model", model });
  assert.ok(receipt.accepted, model);
  if (receipt.accepted) await receipt.done;
}

for (
  const [first, second] of [["chat", "claude"], ["claude", "gpt"], ["deep", "chat"], ["gpt", "deep"]] as const
) {
  Deno.test(`twenty turns with ${first}, some of them with ${second}, are never refused`, async () => {
    const { server } = await converse(first, second);
    assert.deepEqual(server.refusals, []);
    const { requests } = server;
    assert.deepEqual([...new Set(requests.map(({ place }) => place))], [first, second]);
    for (const place of [first, second]) {
      const last = requests.findLast((one) => one.place === place)!.text;
      assert.match(last, PLACES[place]!.replays);
      const sees = place !== "deep";
      assert.equal(/iVBORw0KGgo/.test(last), sees, `${place} and pictures`);
    }
  });
}
