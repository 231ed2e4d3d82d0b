/**
 * A server over standard input and output that does what its first argument says. Started by tests as a program of its
 * own; the second argument is a file it appends a line to for each thing that happened.
 */
const [manner = "good", log = ""] = Deno.args;
const encoder = new TextEncoder();

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown };

function raw(text: string): void {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
const say = (message: Record<string, unknown>) => raw(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const note = (text: string): void => {
  if (log) Deno.writeTextFileSync(log, text + "\n", { append: true });
};
const tool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  ...more,
});

note(`start ${Deno.pid}`);
if (manner === "dies at start") {
  console.error("cannot find the frobnicator\nAPI_KEY=" + (Deno.env.get("API_KEY") ?? "none"));
  Deno.exit(3);
}
if (manner === "banner") raw("starting v1\n\ufeff\n\n");
if (manner === "floods") {
  (async () => {
    const line = encoder.encode("x".repeat(65_000) + "\n");
    for (;;) await Deno.stdout.write(line);
  })();
}
if (manner === "grumbles") {
  (async () => {
    const line = encoder.encode("e".repeat(65_000) + "\n");
    for (let i = 0; i < 160; i++) await Deno.stderr.write(line);
  })();
}
if (manner === "stubborn") {
  Deno.addSignalListener("SIGTERM", () => note("SIGTERM"));
  Deno.addSignalListener("SIGHUP", () => {});
  const child = new Deno.Command("sleep", { args: ["300"], stdin: "null", stdout: "null" }).spawn();
  note(`child ${child.pid}`);
}

const TOOLS: Record<string, () => Record<string, unknown>> = {
  "good": () => ({ tools: [tool("echo", { annotations: { readOnlyHint: true } }), tool("write")] }),
  "contradicts": () => ({ tools: [tool("erase", { annotations: { readOnlyHint: true, destructiveHint: true } })] }),
  "pages": () => ({ tools: [tool("t1")], nextCursor: "p2" }),
  "many": () => ({ tools: Array.from({ length: 300 }, (_, i) => tool(`tool-${i}`)) }),
  "odd names": () => ({
    tools: [tool("a b"), tool("a_b"), tool("bad\u0007\u001b[2Jname"), tool(""), tool("x".repeat(100)), tool("a b")],
  }),
};

function list(params: Record<string, unknown>): Record<string, unknown> {
  note(`list ${JSON.stringify(params.cursor) ?? ""}`);
  switch (manner) {
    case "pages":
      return params.cursor === "p2" ? { tools: [tool("t2"), tool("t1")] } : TOOLS["pages"]!();
    case "empty cursor":
      return params.cursor === "" ? { tools: [tool("t2")] } : { tools: [tool("t1")], nextCursor: "" };
    case "cursor loop":
      return { tools: [tool("t1")], nextCursor: "again" };
    case "endless pages":
      return { tools: [tool(`t${params.cursor ?? 0}`)], nextCursor: String(Number(params.cursor ?? 0) + 1) };
    case "grows":
    case "turns": {
      const later = starts() > 1;
      const hint = { annotations: { readOnlyHint: manner === "grows" || !later } };
      const inputSchema = {
        type: "object",
        properties: { text: { type: "string" }, ...(later ? { more: { type: "string" } } : {}) },
      };
      return { tools: [tool("echo", { ...hint, inputSchema })] };
    }
    default:
      return (TOOLS[manner] ?? TOOLS["good"]!)();
  }
}

function starts(): number {
  return Deno.readTextFileSync(log).split("\n").filter((line) => line.startsWith("start")).length;
}

let pendingForm: number | undefined;
let calls = 0;
function answer({ id, method, params = {}, ...answered }: Message): void {
  if (id === undefined) return note(`${method} ${JSON.stringify(params)}`);
  if (method === undefined && manner === "form" && pendingForm !== undefined) {
    say({ id: pendingForm, result: { content: [{ type: "text", text: JSON.stringify(answered.result) }] } });
    pendingForm = undefined;
    return;
  }
  if (method === undefined) return note(`answer ${id} ${JSON.stringify(answered.result ?? answered.error)}`);
  if (method === "initialize") {
    if (manner === "never answers") return;
    const version = manner === "future" ? "2031-01-01" : "2025-06-18";
    const capabilities = {
      tools: { listChanged: true },
      ...(manner === "changes" ? { prompts: { listChanged: true }, resources: { listChanged: true } } : {}),
    };
    return say({ id, result: { protocolVersion: version, capabilities, serverInfo: { name: "odd", version: "1" } } });
  }
  if (method === "tools/list") {
    if (manner === "NaN") {
      return raw(
        `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"nan","inputSchema":{"type":"object","properties":{"a":{"type":"number","default":NaN}}}}]}}\n`,
      );
    }
    if (manner === "slow") return void setTimeout(() => say({ id, result: list(params) }), 1_500);
    return say({ id, result: list(params) });
  }
  if (manner === "never answers a call" && method === "resources/read") return note(method);
  if (manner === "changes" && method === "prompts/list") {
    return say({ id, result: { prompts: calls > 0 ? [{ name: "later" }] : [] } });
  }
  if (manner === "changes" && method === "resources/list") {
    return say({ id, result: { resources: calls > 0 ? [{ uri: "odd://later", name: "later" }] : [] } });
  }
  if (method !== "tools/call") return say({ id, error: { code: -32601, message: `no ${method}` } });
  note(`call ${JSON.stringify(params)}`);
  call(id, params);
}

function call(id: number, params: Record<string, unknown>): void {
  calls++;
  const text = (said: string) => say({ id, result: { content: [{ type: "text", text: said }] } });
  const meta = params._meta as Record<string, unknown>;
  switch (manner) {
    case "dies in the first call":
      if (log && Deno.readTextFileSync(log).split("\n").filter((line) => line.startsWith("call")).length === 1) {
        Deno.exit(7);
      }
      return text("ok");
    case "never answers a call":
    case "stubborn":
      return;
    case "huge":
      return text("y".repeat(10 << 20));
    case "beyond all bounds":
      raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
      for (let i = 0; i < 20; i++) raw("z".repeat(1 << 20));
      return raw(`"}]}}\n`);
    case "banner": {
      raw("[db] ok\r\n");
      say({ id: 9_999, result: {} });
      const reply = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "split" }] } });
      raw(reply.slice(0, 20));
      return void setTimeout(() => raw(reply.slice(20) + "\r\n"), 30);
    }
    case "progress":
      say({
        method: "notifications/progress",
        params: { progressToken: meta.progressToken, progress: 1, total: 4, message: "one" },
      });
      say({ method: "notifications/progress", params: { progressToken: "someone else", progress: 2 } });
      return text("done");
    case "asks":
      say({ id: 70, method: "roots/list" });
      say({ id: 71, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
      return void setTimeout(() => text("asked"), 100);
    case "form":
      pendingForm = id;
      return say({
        id: 80,
        method: "elicitation/create",
        params: {
          message: "Which colour?",
          requestedSchema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
        },
      });
    case "overlap":
      note("begin");
      return void setTimeout(() => {
        note("end");
        text("ok");
      }, 500);
    case "changes":
      TOOLS["changes"] = () => ({ tools: [tool("echo"), tool("fresh")] });
      text(`call ${calls}`);
      for (const what of ["tools", "prompts", "resources"]) say({ method: `notifications/${what}/list_changed` });
      return;
    case "writes": {
      const places = (params.arguments as { places: string[] }).places;
      return text(
        places.map((place) => {
          try {
            Deno.writeTextFileSync(place, "x");
            return "written";
          } catch (error) {
            return (error as Error).name;
          }
        }).join(" "),
      );
    }
    case "refuses":
      return say({ id, error: { code: -32602, message: "no such thing" } });
    case "fails":
      return say({ id, result: { isError: true, content: [{ type: "text", text: "it did not work" }] } });
    default:
      return text(JSON.stringify(params));
  }
}

const decoder = new TextDecoder();
let unfinished = "";
for await (const bytes of Deno.stdin.readable) {
  const lines = (unfinished + decoder.decode(bytes, { stream: true })).split("\n");
  unfinished = lines.pop()!;
  for (const line of lines) answer(JSON.parse(line));
}
note("end of input");
if (manner === "stubborn") await new Promise((done) => setTimeout(done, 300_000));
