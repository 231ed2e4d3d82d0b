/** The terminal UI with a planted error, for a real terminal: `CRASH` says where. */
import type { EventListener } from "../../src/contract/event.ts";
import { runScreen, type TuiPorts } from "../../src/frontends/tui/mod.ts";
import { fakeController, fakeTuiPorts } from "./fake_screen.ts";

const where = Deno.env.get("CRASH");
let armed = false;
let tell: EventListener = () => {};

const controller = fakeController({
  subscribe: (listener) => {
    tell = listener;
    return () => {};
  },
});

const ports: TuiPorts = {
  ...fakeTuiPorts(controller, {
    settings: {
      get foldAt(): number {
        if (armed && where === "render") throw new Error("planted in render");
        return 0.9;
      },
    },
  }),
  home: Deno.env.get("HOME")!,
  env: (name) => Deno.env.get(name),
  get firstCommand(): undefined {
    setTimeout(() => {
      armed = true;
      if (where === "background") void Promise.reject(new Error("planted in background"));
      else tell({ sessionId: "s1", turnId: "t0", seq: 1, kind: "posture_changed", posture: "ask" });
    }, 1_500);
    return undefined;
  },
};

const end = await runScreen(ports);
for (const line of end.lines) console.error(line);
Deno.exit(end.exitCode);
