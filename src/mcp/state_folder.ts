/** Where a server's private state lies: tokens, and what it offered last. Outside every workspace, for its owner alone. */
import { sha256 } from "../lib/bytes.ts";

/** Readable, and different for different names whatever they hold. */
export async function stateFolder(stateRoot: string, server: string): Promise<string> {
  const readable = server.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, 40);
  return `${stateRoot}/${readable}-${(await sha256(server)).slice(0, 8)}`;
}
