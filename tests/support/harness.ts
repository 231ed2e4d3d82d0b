/**
 * A whole session in a temporary home and workspace, entered by the public door: intents in, events out, and the
 * requests a model behind real HTTP was sent. Nothing of the machine's own settings is read.
 */
import { assemble, type SessionRequest } from "../../src/assembly/mod.ts";
import type { TurnSummary } from "../../src/agent/mod.ts";
import type { Event } from "../../src/contract/event.ts";
import type { Controller } from "../../src/controller/mod.ts";
import { ModelServer, type WireAnswer, type WireBody, type WireStep } from "./model_server.ts";
import { SANDBOX_AS_AVAILABLE } from "./programs.ts";

export interface HarnessOptions {
  /** Files of the workspace, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** More lines of the user's config. */
  readonly config?: string;
  /** More lines of the provider's table. */
  readonly provider?: string;
  readonly request?: Partial<SessionRequest>;
  /** Answers requests for a summary. */
  readonly summarize?: (body: WireBody) => WireAnswer;
}

export class Harness implements AsyncDisposable {
  readonly events: Event[] = [];
  readonly model: ModelServer;
  readonly root: string;
  readonly home: string;
  controller!: Controller;
  #options: HarnessOptions;

  private constructor(model: ModelServer, base: string, options: HarnessOptions) {
    this.model = model;
    this.root = `${base}/ws`;
    this.home = `${base}/home`;
    this.#options = options;
  }

  static async start(script: readonly WireStep[], options: HarnessOptions = {}): Promise<Harness> {
    const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-test-" }));
    const harness = new Harness(new ModelServer(script, options), base, options);
    await Promise.all([Deno.mkdir(harness.root), Deno.mkdir(harness.home)]);
    for (const [path, text] of Object.entries(options.files ?? {})) await harness.put(path, text);
    await Deno.writeTextFile(
      `${harness.home}/config.toml`,
      `default_model = "local/test-model"\n${options.config ?? ""}
${options.config?.includes("[sandbox]") ? "" : SANDBOX_AS_AVAILABLE}[[providers]]
name = "local"
base_url = "${harness.model.url}/v1"
model = "test-model"
api_key_env = ""
${options.provider ?? ""}
`,
    );
    await harness.open({});
    return harness;
  }

  /** Opens the session again, as another start of the program would. */
  async open(request: Partial<SessionRequest>): Promise<void> {
    const { controller } = await assemble({
      directory: this.root,
      posture: "auto",
      maxSteps: 0,
      addDirs: [],
      allowedTools: [],
      copy: false,
      takeover: false,
      interactive: false,
      environment: (name) => name === "REASONIX_HOME" ? this.home : name === "HOME" ? this.home : undefined,
      ...this.#options.request,
      ...request,
    });
    this.controller = controller;
    controller.subscribe(this.model.watch);
    controller.subscribe((event) => this.events.push(event));
  }

  async prompt(text: string): Promise<TurnSummary> {
    const receipt = this.controller.send({ kind: "prompt", text });
    if (!receipt.accepted || !receipt.turn) throw new Error("the session did not take the prompt");
    return await receipt.turn;
  }

  async put(path: string, text: string): Promise<void> {
    const full = `${this.root}/${path}`;
    await Deno.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(full, text);
  }

  text(path: string): Promise<string> {
    return Deno.readTextFile(`${this.root}/${path}`);
  }

  /** Texts of the tool results in the newest request. */
  get results(): string[] {
    const messages = this.model.requests.at(-1)?.body.messages ?? [];
    return messages.filter((message: { role: string }) => message.role === "tool").map((message: { content: string }) =>
      message.content
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.controller.close();
    await this.model[Symbol.asyncDispose]();
    await Deno.remove(this.root.slice(0, -3), { recursive: true });
  }
}
