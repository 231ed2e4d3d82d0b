/** What the executable runs when it is started as the bridge inside the walls. */
import { runSandboxBridge } from "../../src/safety/sandbox/bridge.ts";

Deno.exit(await runSandboxBridge(Deno.args));
