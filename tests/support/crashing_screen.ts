/** The terminal UI with a planted error, for a real terminal: `CRASH` says where. */
import type { Controller } from "../../src/controller/mod.ts";
import type { EventListener } from "../../src/contract/event.ts";
import type { Processes } from "../../src/contract/workspace.ts";
import { runScreen } from "../../src/frontends/tui/mod.ts";

const where = Deno.env.get("CRASH");
let armed = false;
let tell: EventListener = () => {};

const controller: Controller = {
  sessionId: "s1",
  sessionPath: "/nowhere",
  messages: [],
  model: { ref: "local/scripted", contextWindow: 0 },
  posture: "ask",
  mode: "normal",
  preset: "balanced",
  inbox: { items: [] },
  notices: [],
  busy: false,
  subscribe: (listener) => {
    tell = listener;
    return () => {};
  },
  send: () => ({ accepted: true }),
  close: () => Promise.resolve(),
};

const end = await runScreen({
  controller,
  settings: {
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
    get foldAt(): number {
      if (armed && where === "render") throw new Error("planted in render");
      return 0.9;
    },
  },
  root: "/nowhere",
  home: Deno.env.get("HOME")!,
  redact: (text) => text,
  version: "0",
  listFolder: () => Promise.resolve([]),
  processes: {} as Processes,
  env: (name) => Deno.env.get(name),
  resumeCommand: (id) => `reasonix --resume ${id}`,
  get firstCommand(): undefined {
    setTimeout(() => {
      armed = true;
      if (where === "background") void Promise.reject(new Error("planted in background"));
      else tell({ sessionId: "s1", turnId: "t0", seq: 1, kind: "posture_changed", posture: "ask" });
    }, 1_500);
    return undefined;
  },
});
for (const line of end.lines) console.error(line);
Deno.exit(end.exitCode);
