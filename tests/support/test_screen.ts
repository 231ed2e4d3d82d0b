/** The terminal UI on a terminal in memory, driven by events of a session that is not there. */
import assert from "node:assert/strict";
import { type CommandAnswer, type Commands, type Receipt, toInboxEntry } from "../../src/controller/mod.ts";
import type { InboxItem, InboxPause, InboxView } from "../../src/contract/inbox.ts";
import type { Event, EventBody, EventListener } from "../../src/contract/event.ts";
import type { Intent } from "../../src/contract/intent.ts";
import type { Message } from "../../src/contract/message.ts";
import type { Servers } from "../../src/contract/servers.ts";
import { runScreen, type TuiEnd, type TuiPorts } from "../../src/frontends/tui/mod.ts";
import { fakeController, fakeTuiPorts } from "./fake_screen.ts";
import { VirtualTerminal } from "./virtual_terminal.ts";

export interface TestScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly ports?: Partial<TuiPorts>;
  readonly settings?: Partial<TuiPorts["settings"]>;
  readonly messages?: readonly Message[];
  readonly inbox?: InboxView;
  readonly commands?: (line: string) => CommandAnswer | Promise<CommandAnswer>;
  readonly servers?: Servers;
}

/** Commands of which each line asks for the help. */
export const help = (): CommandAnswer => ({ kind: "frontend", action: "help", argument: "" });

export class TestScreen implements AsyncDisposable {
  readonly terminal: VirtualTerminal;
  readonly sent: Intent[] = [];
  readonly ended: Promise<TuiEnd>;
  readonly #listeners = new Set<EventListener>();
  /** Answer to the next intents. */
  receipt: Receipt = { accepted: true };
  busy = false;
  /** What waits for the running turn. */
  inbox: InboxView;
  readonly #end = new AbortController();
  #seq = 0;
  #turn = 0;

  constructor(options: TestScreenOptions = {}) {
    this.inbox = options.inbox ?? { items: [] };
    this.terminal = new VirtualTerminal(options.columns ?? 80, options.rows ?? 24);
    // deno-lint-ignore no-this-alias -- the controller below has a `this` of its own
    const screen = this;
    const commands: Commands | undefined = options.commands && {
      list: () => [
        { name: "help", summary: "this text", argumentHint: "", group: "built_in" },
        { name: "model", summary: "use another model", argumentHint: "[MODEL]", group: "built_in" },
        { name: "resume", summary: "open another session", argumentHint: "", group: "built_in" },
      ],
      run: (line) => Promise.resolve(options.commands!(line)),
    };
    const controller = fakeController({
      messages: options.messages ?? [],
      get busy() {
        return screen.busy;
      },
      get inbox() {
        return screen.inbox;
      },
      subscribe: (listener) => {
        screen.#listeners.add(listener);
        return () => screen.#listeners.delete(listener);
      },
      send: (intent) => {
        screen.sent.push(intent);
        return screen.receipt;
      },
      ...(commands ? { commands } : {}),
      ...(options.servers ? { servers: options.servers } : {}),
    });
    const ports = fakeTuiPorts(controller, { ...options.ports, settings: options.settings });
    const { terminal } = this;
    this.ended = runScreen(ports, { terminal, questionGraceMs: 0, signal: this.#end.signal });
  }

  emit(...bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      if (body.kind === "turn_status") this.#turn++;
      const event: Event = { sessionId: "s1", turnId: `t${this.#turn}`, seq: ++this.#seq, ...body };
      for (const listener of this.#listeners) listener(event);
    }
  }

  /** These messages wait from now on. */
  waits(texts: readonly (string | Partial<InboxItem>)[], paused?: InboxPause): void {
    const items = texts.map((given, at): InboxItem => ({
      id: `q${at + 1}`,
      state: "waiting",
      at: 0,
      text: "",
      ...(typeof given === "string" ? { text: given } : given),
    }));
    this.inbox = { items, ...(paused ? { paused } : {}) };
    this.emit({ kind: "inbox_changed", items: items.map(toInboxEntry), ...(paused ? { paused } : {}) });
  }

  /** A turn that has begun. */
  begin(text: string): void {
    this.emit({ kind: "turn_status", status: "queued" }, { kind: "user_message", text }, { kind: "turn_started" });
  }

  done(outcome: "completed" | "cancelled" | "failed" = "completed"): void {
    this.emit({
      kind: "turn_done",
      status: outcome === "cancelled" ? "interrupted" : outcome,
      outcome,
      rounds: 1,
    });
  }

  /** Keys, one after the other; what is longer than a character is one sequence. */
  keys(...keys: readonly string[]): void {
    for (const key of keys) this.terminal.key(key);
  }

  /** Types as a person does: with time between the keys. */
  async type(text: string): Promise<void> {
    for (const char of text) {
      this.terminal.key(char);
      await new Promise((done) => setTimeout(done, 13));
    }
  }

  /** The screen once it shows `what`. */
  async shows(what: string | RegExp): Promise<string> {
    return await this.#until((text) => typeof what === "string" ? text.includes(what) : what.test(text), String(what));
  }

  async hides(what: string): Promise<string> {
    return await this.#until((text) => !text.includes(what), `no ${what}`);
  }

  async #until(holds: (text: string) => boolean, what: string): Promise<string> {
    const limit = Date.now() + 5_000;
    for (;;) {
      await this.terminal.settled();
      const text = this.terminal.screen().join("\n");
      if (holds(text)) return text.trimEnd();
      if (Date.now() > limit) assert.fail(`the screen never showed ${what}:\n${text}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.ended;
  }
}
