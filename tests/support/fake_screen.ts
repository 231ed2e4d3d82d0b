/** What the terminal UI is given, without a session behind it: tests put in what they look at. */
import type { Controller } from "../../src/controller/mod.ts";
import type { Processes } from "../../src/contract/workspace.ts";
import type { TuiPorts, TuiSettings } from "../../src/frontends/tui/mod.ts";

/** It takes everything and does nothing. */
export function fakeController(more: Partial<Controller> & Pick<Controller, "subscribe">): Controller {
  return over<Controller>({
    sessionId: "s1",
    sessionPath: "/nowhere/s1.jsonl",
    messages: [],
    model: { ref: "local/scripted", contextWindow: 64_000 },
    posture: "ask",
    mode: "normal",
    preset: "balanced",
    inbox: { items: [] },
    notices: [],
    busy: false,
    subscribe: more.subscribe,
    send: () => ({ accepted: true }),
    close: () => Promise.resolve(),
  }, more);
}

export function fakeTuiPorts(
  controller: Controller,
  { settings = {}, ...more }: Partial<Omit<TuiPorts, "settings">> & { readonly settings?: Partial<TuiSettings> } = {},
): TuiPorts {
  return {
    controller,
    settings: over<TuiSettings>({
      theme: "dark",
      accent: "",
      diffFences: false,
      diffOutput: false,
      notifications: { enabled: false, turnDone: true, approvalRequest: true, askRequest: true },
      statusCommand: "",
      language: "en",
      cursorShape: "bar",
      showUsage: true,
      showReasoning: false,
      plain: false,
      foldAt: 0.9,
    }, settings),
    root: "/nowhere",
    home: "/nowhere/home",
    redact: (text) => text,
    version: "1.2.3",
    listFolder: () => Promise.resolve([]),
    processes: {} as Processes,
    env: () => undefined,
    resumeCommand: (id) => `reasonix --resume ${id}`,
    ...more,
  };
}

/** Getters of `more` stay getters. */
function over<T extends object>(base: T, more: Partial<T>): T {
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(more));
}
