/** A model endpoint on loopback with fixed answers, and a home whose settings point at it: to try a program from outside. */

/** What one answer holds: text, or one tool call. */
export type Answer =
  | { readonly text: string }
  | { readonly tool: string; readonly args: Record<string, unknown> };

/** What a script may look at. */
export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
}

export interface Endpoint {
  readonly url: string;
  /** When the headers of each request were there (Unix ms), and its body. */
  readonly requests: { readonly at: number; readonly body: unknown }[];
  stop(): Promise<void>;
}

/**
 * Answers the n-th request with the n-th answer of `script`, later ones with the last; or as a function of the request.
 * Emptying `requests` rewinds. Asked for its models it offers one.
 */
export function startEndpoint(script: readonly Answer[] | ((body: ChatRequest) => Answer)): Endpoint {
  const requests: Endpoint["requests"] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const at = Date.now();
    if (request.method === "GET") return Response.json({ data: [{ id: "m" }] });
    const body: ChatRequest = await request.json();
    requests.push({ at, body });
    const answer = typeof script === "function"
      ? script(body)
      : script[Math.min(requests.length, script.length) - 1] ?? { text: "" };
    return new Response(toEvents(answer, `call_${requests.length}`), {
      headers: { "content-type": "text/event-stream" },
    });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/v1`, requests, stop: () => server.shutdown() };
}

function toEvents(answer: Answer, id: string): string {
  const delta = "text" in answer ? { content: answer.text } : {
    tool_calls: [{
      index: 0,
      id,
      type: "function",
      function: { name: answer.tool, arguments: JSON.stringify(answer.args) },
    }],
  };
  const events = [
    { choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] },
    {
      choices: [{ index: 0, delta: {}, finish_reason: "text" in answer ? "stop" : "tool_calls" }],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    },
  ];
  return events.map((event) => `data: ${JSON.stringify({ id: "r", model: "m", ...event })}\n\n`).join("") +
    "data: [DONE]\n\n";
}

export interface Place {
  readonly folder: string;
  readonly workspace: string;
  /** The whole environment of the program: nothing of this machine's settings reaches it. */
  readonly env: Record<string, string>;
  remove(): Promise<void>;
}

/** A temporary home and workspace in which the model `local` is the endpoint. */
export async function makePlace(endpoint: Endpoint): Promise<Place> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-place-" }));
  const settings = `${folder}/home/.reasonix`;
  const workspace = `${folder}/workspace`;
  for (const path of [settings, workspace]) await Deno.mkdir(path, { recursive: true });
  const provider = { name: "local", kind: "openai", base_url: endpoint.url, model: "m", api_key_env: "LOCAL_API_KEY" };
  const lines = Object.entries(provider).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  await Deno.writeTextFile(`${settings}/config.toml`, `default_model = "local"\n\n[[providers]]\n${lines.join("")}`);
  await Deno.writeTextFile(`${settings}/.env`, "LOCAL_API_KEY=local\n");
  const env = {
    HOME: `${folder}/home`,
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    TMPDIR: folder,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
  };
  return { folder, workspace, env, remove: () => Deno.remove(folder, { recursive: true }) };
}
