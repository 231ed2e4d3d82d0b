// Certificates, proxies and name servers between Reasonix and a model.
import assert from "node:assert/strict";
import type { ProxySettings } from "../../src/contract/provider.ts";
import { createPorts, createProvider, listModels } from "../../src/providers/mod.ts";
import { type Certificates, createCertificates, hasOpenssl } from "../support/certificates.ts";
import { chatEvent, gather, providerSettings, testPorts } from "../support/provider_call.ts";
import { type RawHandler, RawServer } from "../support/raw_server.ts";

const STREAM = chatEvent({ delta: { content: "Hi" } }) + chatEvent({ delta: {}, finish_reason: "stop" }) +
  "data: [DONE]\n\n";

const model: RawHandler = async (exchange) => {
  await exchange.stream();
  await exchange.send(STREAM);
};

type Env = Readonly<Record<string, string>>;

async function call(
  url: string,
  options: { readonly proxy?: ProxySettings; readonly env?: Env; readonly caFile?: string } = {},
) {
  const proxy = options.proxy ?? { mode: "direct" };
  const ports = createPorts({
    proxy,
    env: (name) => options.env?.[name],
    ...(options.caFile === undefined ? {} : { caFile: options.caFile }),
  });
  const settings = providerSettings({ baseUrl: `${url}/v1`, proxy });
  return await gather(await createProvider(settings, testPorts({ fetch: ports.fetch })));
}

const tls = (name: string, fn: (certificates: Certificates) => Promise<void>) =>
  Deno.test({
    name,
    ignore: !hasOpenssl,
    async fn() {
      const folder = await Deno.makeTempDir();
      try {
        await fn(await createCertificates(folder));
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });

tls("an authority that nobody trusts is named with the way out, and the check stays on", async (certificates) => {
  await using server = new RawServer(model, { tls: certificates });
  const { error } = await call(server.url);
  assert.equal(error?.code, "provider.tls");
  assert.match(error.message, /^acme \(chat completions\) at 127\.0\.0\.1:\d+: its TLS certificate is not trusted$/);
  assert.match(error.remedy!, /SSL_CERT_FILE/);
  assert.deepEqual(server.bodies, []);
});

for (const variable of ["REASONIX_CA_FILE", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"]) {
  tls(`an authority named by ${variable} is trusted`, async (certificates) => {
    await using server = new RawServer(model, { tls: certificates });
    const { answer, error } = await call(server.url, { env: { [variable]: certificates.caFile } });
    assert.equal(answer?.text, "Hi", error?.message);
  });
}

tls("a file of authorities that is missing or no PEM is named", async (certificates) => {
  await using server = new RawServer(model, { tls: certificates });
  for (
    const [file, why] of [[`${certificates.caFile}.no`, /cannot be read/], [
      "/dev/null",
      /holds no PEM certificate/,
    ]] as const
  ) {
    const { error } = await call(server.url, { caFile: file });
    assert.equal(error?.code, "provider.tls");
    assert.match(error.message, why);
    assert.ok(error.message.includes(file));
  }
});

Deno.test("https towards a server without TLS is named as that", async () => {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => new Response(STREAM));
  const { error } = await call(`https://127.0.0.1:${server.addr.port}`);
  await server.shutdown();
  assert.equal(error?.code, "provider.tls");
  assert.match(error.message, /does not speak TLS/);
});

/** Answers plain requests itself, as if it had passed them on. */
const forwarding: RawHandler = async (exchange) => {
  await exchange.stream();
  await exchange.send(STREAM);
};

Deno.test("a custom proxy gets the request with user name and password", async () => {
  await using proxy = new RawServer(forwarding);
  const { answer } = await call("http://model.invalid", {
    proxy: { mode: "custom", url: proxy.url, username: "ann", password: "s3cret pass", noProxy: [] },
  });
  assert.equal(answer?.text, "Hi");
  assert.match(proxy.heads[0]!, /^POST http:\/\/model\.invalid\/v1\/chat\/completions HTTP/);
  assert.ok(
    proxy.heads[0]!.toLowerCase().includes(`proxy-authorization: basic ${btoa("ann:s3cret pass").toLowerCase()}`),
  );
});

Deno.test("hosts of no_proxy go past a custom proxy", async () => {
  await using server = new RawServer(model);
  await using proxy = new RawServer(forwarding);
  const { answer } = await call(server.url, {
    proxy: { mode: "custom", url: proxy.url, noProxy: ["127.0.0.1", ".local"] },
  });
  assert.equal(answer?.text, "Hi");
  assert.equal(server.bodies.length, 1);
  assert.deepEqual(proxy.bodies, []);
});

for (const scheme of ["http", "https"]) {
  Deno.test(`407 of a proxy for ${scheme} says proxy and shows no password`, async () => {
    await using proxy = new RawServer((exchange) =>
      exchange.send("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    );
    const { error } = await call(`${scheme}://model.invalid`, {
      proxy: { mode: "custom", url: proxy.url, username: "ann", password: "s3cret-pass", noProxy: [] },
    });
    assert.equal(error?.code, "provider.proxy");
    assert.match(error.message, /model\.invalid|407/);
    assert.match(error.message + error.remedy, /proxy/);
    assert.doesNotMatch(JSON.stringify([error.message, error.remedy, String(error.cause)]), /s3cret|sk-test/);
  });
}

Deno.test("a proxy that is not there is named", async () => {
  // A port that nobody is given.
  const port = 2;
  const { error } = await call("https://model.invalid", {
    proxy: { mode: "custom", url: `http://127.0.0.1:${port}`, username: "ann", password: "s3cret", noProxy: [] },
  });
  assert.equal(error?.code, "provider.unreachable");
  assert.match(error.message, new RegExp(`model\\.invalid.*refused \\(through the proxy 127\\.0\\.0\\.1:${port}\\)`));
  assert.doesNotMatch(error.message, /s3cret/);
});

Deno.test("a proxy address that is none is named before anything is sent", async () => {
  const { error } = await call("https://model.invalid", { proxy: { mode: "custom", url: "ftp://x", noProxy: [] } });
  assert.equal(error?.code, "provider.proxy");
  assert.match(error.remedy!, /proxy_url/);
});

/** Runs a call in a process of its own, whose environment is `env`. */
async function callWithEnvironment(url: string, proxy: ProxySettings, env: Env): Promise<string> {
  const code = `
    import { createPorts, createProvider } from ${
    JSON.stringify(new URL("../../src/providers/mod.ts", import.meta.url).href)
  };
    const settings = ${JSON.stringify(providerSettings({ baseUrl: url, proxy }))};
    const provider = await createProvider(settings, createPorts({ proxy: settings.proxy }));
    const request = { system: "", tools: [], messages: [{ role: "user", content: "hi" }] };
    for await (const chunk of provider.stream(request, new AbortController().signal)) {
      if (chunk.type === "done") console.log(chunk.answer.text);
      if (chunk.type === "error") console.log(chunk.error.message);
    }`;
  const inherited = Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => !/_proxy$/i.test(name)),
  );
  const config = decodeURIComponent(new URL("../../deno.json", import.meta.url).pathname);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--config",
      config,
      "--ext=ts",
      `data:application/typescript,${encodeURIComponent(code)}`,
    ],
    env: { ...inherited, ...env },
    clearEnv: true,
  }).output();
  return new TextDecoder().decode(stdout).trim() || new TextDecoder().decode(stderr);
}

Deno.test("the proxy of the environment is obeyed, and so are its exceptions", async () => {
  await using server = new RawServer(model);
  await using proxy = new RawServer(forwarding);
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1,.local" };
  assert.equal(await callWithEnvironment("http://model.invalid", { mode: "env" }, env), "Hi");
  assert.match(proxy.heads[0] ?? "", /model\.invalid/);
  assert.equal(await callWithEnvironment(server.url, { mode: "env" }, env), "Hi");
  assert.equal(server.bodies.length, 1);
});

Deno.test("a provider that goes past the proxy does so whatever the environment says", async () => {
  await using server = new RawServer(model);
  assert.equal(await callWithEnvironment(server.url, { mode: "direct" }, { HTTP_PROXY: "http://127.0.0.1:9" }), "Hi");
  assert.equal(server.bodies.length, 1);
});

const list = (answer: string, type = "application/json"): RawHandler => (exchange) =>
  exchange.send(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${answer.length}\r\nconnection: close\r\n\r\n${answer}`,
  );

const listed = (baseUrl: string, changes = {}) =>
  listModels(providerSettings({ baseUrl, ...changes }), testPorts(), { signal: new AbortController().signal });
const models = async (baseUrl: string, changes = {}) => (await listed(baseUrl, changes)).map(({ id }) => id);

for (
  const [form, body] of [
    ["OpenAI's", '{"data":[{"id":"b"},{"id":"a"},{"id":"b"}]}'],
    ["Gemini's", '{"models":[{"name":"models/b"},{"name":"models/a"}]}'],
    ["a bare list's", '["b","a"]'],
  ] as const
) {
  Deno.test(`a list of models in ${form} form gives the ids in the endpoint's order`, async () => {
    await using server = new RawServer(list(body));
    assert.deepEqual(await models(`${server.url}/v1`), ["b", "a"]);
    assert.match(server.heads[0]!, /^GET \/v1\/models HTTP[^]*authorization: Bearer sk-test/);
  });
}

// proves CFG-21
// proves CFG-21
Deno.test("models_url is asked to the letter", async () => {
  await using server = new RawServer(list('{"data":[]}'));
  assert.deepEqual(await models("http://127.0.0.1:1", { modelsUrl: `${server.url}/x/list?all=1` }), []);
  assert.match(server.heads[0]!, /^GET \/x\/list\?all=1 HTTP/);
});

for (
  const [what, handler, code] of [
    ["401", (exchange) => exchange.send("HTTP/1.1 401 no\r\ncontent-length: 0\r\n\r\n"), "provider.auth"],
    ["an HTML page", list("<html></html>", "text/html"), "provider.bad_response"],
    ["another document", list('{"ok":true}'), "provider.bad_response"],
    ["a broken connection", () => {}, "provider.transient"],
  ] as readonly (readonly [string, RawHandler, string])[]
) {
  Deno.test(`${what} in place of a list of models is a typed error`, async () => {
    await using server = new RawServer(handler);
    await assert.rejects(models(server.url), { name: "ReasonixError", code });
  });
}

Deno.test("a list of models may say how many tokens each takes, under several names; nonsense is no answer", async () => {
  const told = [
    { id: "a", context_window: 131072 },
    { id: "b", context_length: 64000, max_context_length: 1 },
    { id: "c", max_model_len: 4096 },
    { id: "d", loaded_context_length: 8192, max_context_length: 131072 },
    { id: "e", context_window: "big", context_length: -1, max_input_tokens: 200000 },
    { id: "f" },
  ];
  await using server = new RawServer(list(JSON.stringify({ data: told })));
  assert.deepEqual(await listed(`${server.url}/v1`), [
    { id: "a", contextWindow: 131072 },
    { id: "b", contextWindow: 64000 },
    { id: "c", contextWindow: 4096 },
    { id: "d", contextWindow: 8192 },
    { id: "e", contextWindow: 200000 },
    { id: "f" },
  ]);
});

Deno.test("a provider without a list of models says so", async () => {
  await assert.rejects(models("", { kind: "demo" }), { code: "config.type" });
});
