/**
 * Runs inside the walls when hosts are filtered: a command there knows only TCP, the proxy outside is reached only
 * through a socket file. Listens on the loopback interface of the sandbox, which nobody else sees, and hands each
 * connection to the socket; then starts the command and ends as it ends.
 */
import { copy } from "./relay.ts";

/** Free in every sandbox, as each has a network of its own. */
export const BRIDGE_PORT = 3128;

/** `args`: socket, `--`, program and its arguments. Answers the exit code. */
export async function runSandboxBridge(args: readonly string[]): Promise<number> {
  const [path, dashes, program, ...rest] = args;
  if (path === undefined || dashes !== "--" || program === undefined) return 125;
  const listener = Deno.listen({ hostname: "127.0.0.1", port: BRIDGE_PORT });
  void pass(listener, path);
  const child = new Deno.Command(program, {
    args: rest,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  const { code } = await child.status;
  listener.close();
  return code;
}

async function pass(listener: Deno.Listener, path: string): Promise<void> {
  try {
    for await (const client of listener) {
      void (async () => {
        const server = await Deno.connect({ transport: "unix", path }).catch(() => undefined);
        if (server === undefined) return client.close();
        await Promise.all([copy(client, server), copy(server, client)]);
      })();
    }
  } catch {
    // Closed: the command has ended.
  }
}
