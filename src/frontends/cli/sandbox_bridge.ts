/** Hidden: this program as the bridge between a sandbox without network and the proxy that filters hosts. */
import { runSandboxBridge } from "../../assembly/mod.ts";
import type { CommandContext } from "./commands.ts";

export async function run(context: CommandContext): Promise<number> {
  return await runSandboxBridge(context.argv);
}
