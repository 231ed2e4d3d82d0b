/**
 * The client the conformance suite drives: our own host, as a session uses it. The suite starts a server, appends its
 * address, and judges what it saw on the wire. In place of a person and a browser: forms are sent back empty, so that
 * defaults fill them, and the sign-in page is fetched and its redirect followed to our callback.
 */
import { ToolError } from "../../src/contract/errors.ts";
import { openHost, type ServerSettings, signIn, stateFolder } from "../../src/mcp/mod.ts";

const [url = ""] = Deno.args;
const context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}") as Record<string, string | undefined>;
/** Sign-ins until the server is taken to want the impossible. */
const SIGN_INS = 2;
const DOCUMENT = "https://conformance-test.local/client-metadata.json";

const base = await Deno.makeTempDir({ prefix: "reasonix-conformance-" });
const oauth = {
  clientMetadataUrl: DOCUMENT,
  ...(context.client_id ? { clientId: context.client_id } : {}),
  ...(context.client_secret ? { clientSecret: context.client_secret } : {}),
};
const settings: ServerSettings = {
  name: "under-test",
  target: { kind: "http", url, headers: {}, oauth },
  startupMs: 20_000,
  callMs: 20_000,
  toolMs: {},
  concurrency: "parallel",
  enabled: true,
  autoStart: true,
  required: false,
  load: "auto",
  notes: [],
};
const host = await openHost({
  servers: [settings],
  stateRoot: base,
  ports: {
    open: () => Promise.reject(new Error("no programs here")),
    fetch,
    root: base,
    version: "conformance",
    elicit: () => Promise.resolve({ action: "accept", content: {} }),
    now: () => performance.now(),
  },
});
const server = host.find("under-test")!;
let code = 1;
try {
  await visit();
  code = 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await host.close();
  await Deno.remove(base, { recursive: true });
}
Deno.exit(code);

/** Lists, then calls every tool with small numbers; signs in when that is asked for. */
async function visit(): Promise<void> {
  await server.reconnect();
  for (let signIns = 0;; signIns++) {
    try {
      await callEverything();
      return;
    } catch (error) {
      if (server.state !== "needs_sign_in" || signIns >= SIGN_INS) throw error;
      await signInWithoutBrowser();
      await server.reconnect();
    }
  }
}

async function callEverything(): Promise<void> {
  const signal = AbortSignal.timeout(25_000);
  await server.ready(signal);
  for (const tool of server.tools!.values()) {
    const properties = Object.keys((tool.schema["properties"] ?? {}) as Record<string, unknown>);
    const args = Object.fromEntries(properties.map((name, at) => [name, at + 2]));
    try {
      console.error(tool.name, await server.callTool({ tool: tool.name, args }, signal));
    } catch (error) {
      // What the tool itself says is an answer.
      if (!(error instanceof ToolError) || server.state !== "ready") throw error;
      console.error(tool.name, error.message);
    }
  }
}

async function signInWithoutBrowser(): Promise<void> {
  await signIn({
    settings,
    folder: await stateFolder(base, settings.name),
    fetch,
    ...(server.signInScope ? { scope: server.signInScope } : {}),
    open: async (address) => {
      const response = await fetch(address, { redirect: "manual" });
      await response.body?.cancel();
      const back = response.headers.get("location");
      if (back === null) throw new Error(`the sign-in page answered ${response.status}`);
      await (await fetch(back)).text();
    },
    signal: AbortSignal.timeout(20_000),
  });
}
