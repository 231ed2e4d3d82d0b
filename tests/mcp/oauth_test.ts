// Signing in to remote servers and staying signed in, against an authorization server on loopback.
import assert from "node:assert/strict";
import { ToolError } from "../../src/contract/errors.ts";
import { signIn, SignInStore, stateFolder } from "../../src/mcp/mod.ts";
import { AuthServer, type AuthServerOptions } from "../support/mcp/auth_server.ts";
import { HttpMcpServer } from "../support/mcp/http_server.ts";
import { openTestHost, settings, type TestHost } from "../support/mcp/test_host.ts";

const ECHO = "mcp__remote__echo";

class Bed implements AsyncDisposable {
  readonly auth: AuthServer;
  readonly server: HttpMcpServer;
  test!: TestHost;

  private constructor(options: AuthServerOptions) {
    this.auth = new AuthServer(options);
    this.server = new HttpMcpServer({ session: true, intercept: (request) => this.auth.protect(request) });
  }

  static async open(options: AuthServerOptions = {}): Promise<Bed> {
    const bed = new Bed(options);
    bed.test = await openTestHost([settings("remote", { kind: "http", url: bed.server.url, headers: {} })]);
    return bed;
  }

  get settings() {
    return this.test.host.find("remote")!.settings;
  }

  async folder(): Promise<string> {
    return await stateFolder(this.test.stateRoot, "remote");
  }

  async kept(): Promise<Record<string, unknown>> {
    return JSON.parse(await Deno.readTextFile(`${await this.folder()}/oauth.json`));
  }

  async signIn(more: Partial<Parameters<typeof signIn>[0]> = {}): Promise<void> {
    await signIn({
      settings: this.settings,
      folder: await this.folder(),
      fetch,
      open: (address) => this.auth.visit(address),
      signal: AbortSignal.timeout(10_000),
      ...more,
    });
  }

  /** Signed in and connected. */
  async ready(): Promise<void> {
    await this.signIn();
    await this.test.host.reconnect("remote");
    await this.test.call(ECHO);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    await this.auth[Symbol.asyncDispose]();
  }
}

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(() => assert.fail("it was to fail"), (error) => error);
  assert.ok(error instanceof ToolError, String(error));
  return error.message;
};

// proves MCP-10, MCP-11, MCP-12, MCP-14
Deno.test("a server that wants a sign-in says so, and after one by the person's wish its tools work", async () => {
  await using bed = await Bed.open();
  assert.match(await failure(bed.test.call("mcp-tool:remote/echo")), /sign in first: reasonix mcp auth remote/);
  assert.equal(bed.test.host.list()[0]!.state, "needs_sign_in");
  assert.deepEqual([bed.auth.authorizations.length, bed.auth.registrations.length], [0, 0]);
  await bed.ready();
  const [asked] = bed.auth.authorizations;
  assert.deepEqual(
    ["response_type", "client_id", "code_challenge_method", "scope", "resource"].map((name) => asked!.get(name)),
    ["code", "client-1", "S256", "tools", bed.server.url],
  );
  assert.match(asked!.get("redirect_uri")!, /^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
  assert.ok(asked!.get("state")!.length >= 43);
  const [exchange] = bed.auth.tokens;
  assert.equal(exchange!.form.resource, bed.server.url);
  assert.equal(exchange!.form.code_verifier!.length, 86);
  assert.equal(exchange!.authorization, `Basic ${btoa("client-1:secret-of-client-1")}`);
  const { redirect_uris: _, ...registration } = bed.auth.registrations[0]!;
  assert.deepEqual(registration, {
    client_name: "Reasonix",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "native",
    token_endpoint_auth_method: "client_secret_basic",
    scope: "tools",
  });
  // What is remembered of the server is on the disk then.
  await bed.test.host.close();
  for await (const entry of Deno.readDir(await bed.folder())) {
    const { mode } = await Deno.stat(`${await bed.folder()}/${entry.name}`);
    assert.equal(mode! & 0o777, 0o600, entry.name);
  }
  assert.equal((await Deno.stat(await bed.folder())).mode! & 0o777, 0o700);
});

// proves MCP-13
Deno.test("an ended token is renewed once, with the resource named, and the new refresh token is kept", async () => {
  await using bed = await Bed.open();
  await bed.ready();
  bed.auth.access = "replaced on the other side";
  assert.equal((await Promise.all([1, 2, 3].map(() => bed.test.call(ECHO)))).length, 3);
  assert.deepEqual(bed.auth.tokens.slice(1).map(({ grant, form }) => [grant, form.refresh_token, form.resource]), [
    ["refresh_token", "refresh-1", bed.server.url],
  ]);
  const kept = await bed.kept();
  assert.deepEqual([kept.access_token, kept.refresh_token], ["access-2", "refresh-2"]);
});

Deno.test("a fault of the sign-in server that passes is waited for, and nothing is deleted", async () => {
  await using bed = await Bed.open({
    token: (_request, count) => count === 2 ? new Response("busy", { status: 503 }) : undefined,
  });
  await bed.ready();
  bed.auth.access = "ended";
  await bed.test.call(ECHO);
  assert.equal(bed.auth.tokens.length, 3);
});

Deno.test("a fault that does not pass costs the call and keeps the sign-in", async () => {
  let broken = false;
  await using bed = await Bed.open({ token: () => broken ? new Response("busy", { status: 503 }) : undefined });
  await bed.ready();
  bed.auth.access = "ended";
  broken = true;
  await failure(bed.test.call(ECHO));
  assert.equal((await bed.kept()).refresh_token, "refresh-1");
  broken = false;
  await bed.test.call(ECHO);
});

Deno.test("a refresh token that is no longer valid asks for one new sign-in, with the same client", async () => {
  await using bed = await Bed.open();
  await bed.ready();
  bed.auth.access = "ended";
  bed.auth.refresh = "another";
  assert.match(await failure(bed.test.call(ECHO)), /sign in first/);
  assert.equal((await bed.kept()).access_token, undefined);
  await failure(bed.test.call(ECHO));
  assert.equal(bed.auth.tokens.length, 2);
  await bed.ready();
  assert.equal(bed.auth.registrations.length, 1);
});

Deno.test("a client the server has forgotten is registered again by the next sign-in", async () => {
  await using bed = await Bed.open();
  await bed.ready();
  bed.auth.access = "ended";
  bed.auth.clients.clear();
  assert.match(await failure(bed.test.call(ECHO)), /sign in first/);
  await bed.ready();
  assert.equal(bed.auth.registrations.length, 2);
});

Deno.test("a client that turns out to be forgotten in the middle of a sign-in is registered once more", async () => {
  await using bed = await Bed.open();
  await bed.ready();
  bed.auth.clients.clear();
  await bed.signIn();
  assert.equal(bed.auth.registrations.length, 2);
});

Deno.test("an answer without a new refresh token keeps the old one", async () => {
  await using bed = await Bed.open({ keepsRefresh: true });
  await bed.ready();
  for (const access of ["access-2", "access-3"]) {
    bed.auth.access = "ended";
    await bed.test.call(ECHO);
    const kept = await bed.kept();
    assert.deepEqual([kept.access_token, kept.refresh_token], [access, "refresh-1"]);
  }
});

Deno.test("two processes that find the token ended use its refresh token once", async () => {
  await using bed = await Bed.open({ rotates: true, slow: () => new Promise((done) => setTimeout(done, 150)) });
  await bed.ready();
  bed.auth.access = "ended";
  const worker = decodeURIComponent(new URL("../support/mcp/refresh_worker.ts", import.meta.url).pathname);
  const run = async () => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--quiet", worker, await bed.folder(), bed.server.url],
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  };
  assert.deepEqual(await Promise.all([run(), run(), run()]), ["access-2", "access-2", "access-2"]);
  assert.equal(bed.auth.tokens.filter(({ grant }) => grant === "refresh_token").length, 1);
});

// proves MCP-15
Deno.test("a token is sent to the address it was issued for and to no other", async () => {
  await using bed = await Bed.open();
  await bed.ready();
  await using elsewhere = new HttpMcpServer();
  const moved = await bed.test.again([settings("remote", { kind: "http", url: elsewhere.url, headers: {} })]);
  await moved.host.find("remote")!.settled();
  assert.ok(elsewhere.seen.length > 0);
  assert.ok(elsewhere.seen.every(({ headers }) => headers.get("authorization") === null));
  await moved[Symbol.asyncDispose]();
});

Deno.test("metadata that speaks for another server ends the sign-in before anything is registered", async () => {
  await using auth = new AuthServer();
  await using server = new HttpMcpServer({
    intercept: (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
        return Response.json({ resource: "https://bank.example/mcp", authorization_servers: [auth.origin] });
      }
      return new Response(null, { status: 401 });
    },
  });
  await using test = await openTestHost([settings("remote", { kind: "http", url: server.url, headers: {} })]);
  await assert.rejects(
    signIn({
      settings: test.host.find("remote")!.settings,
      folder: await stateFolder(test.stateRoot, "remote"),
      fetch,
      open: () => assert.fail("no page was to be opened"),
      signal: AbortSignal.timeout(5_000),
    }),
    /its metadata is about another server \(https:\/\/bank\.example\/mcp\)/,
  );
  assert.equal(auth.registrations.length, 0);
});

Deno.test("a challenge that points to metadata on another origin is not followed there", async () => {
  await using stranger = new HttpMcpServer();
  await using bed = await Bed.open();
  const server = new HttpMcpServer({
    intercept: (request) => {
      if (new URL(request.url).pathname.startsWith("/.well-known")) return bed.auth.protect(request);
      const challenge = `Bearer resource_metadata="${stranger.origin}/.well-known/oauth-protected-resource"`;
      return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
    },
  });
  try {
    await bed.signIn({ settings: settings("remote", { kind: "http", url: server.url, headers: {} }) });
    assert.deepEqual(stranger.seen, []);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

Deno.test("an authorization server that names another issuer is not trusted", async () => {
  await using bed = await Bed.open({ metadata: { issuer: "https://somebody.example" } });
  await assert.rejects(bed.signIn(), /issuer/i);
  assert.equal(bed.auth.registrations.length, 0);
});

Deno.test("endpoints that are not encrypted are refused", async () => {
  await using bed = await Bed.open({ metadata: { token_endpoint: "http://login.example/token" } });
  await assert.rejects(bed.signIn(), /not encrypted; a sign-in needs https/);
});

// proves MCP-17
Deno.test("a sign-in that is cleared while the browser is open leaves nothing behind", async () => {
  await using bed = await Bed.open();
  await assert.rejects(
    bed.signIn({
      open: async (address) => {
        await new SignInStore(await bed.folder()).clear();
        await bed.auth.visit(address);
      },
    }),
    /cleared while it was under way/,
  );
  await assert.rejects(bed.kept(), Deno.errors.NotFound);
});

Deno.test("a callback with another state is turned away, and the person may paste the address instead", async () => {
  await using bed = await Bed.open();
  const pasted = Promise.withResolvers<string>();
  await bed.signIn({
    pasted: pasted.promise,
    open: async (address) => {
      const forged = new URL(new URL(address).searchParams.get("redirect_uri")!);
      forged.searchParams.set("code", "stolen");
      forged.searchParams.set("state", "guessed");
      const response = await fetch(forged);
      await response.body?.cancel();
      assert.equal(response.status, 400);
      const page = await fetch(address, { redirect: "manual" });
      await page.body?.cancel();
      pasted.resolve(page.headers.get("location")!);
    },
  });
  assert.equal((await bed.kept()).access_token, "access-1");
});

Deno.test("a person who says no, and one who leaves, end the sign-in with a clear word", async () => {
  await using bed = await Bed.open();
  await assert.rejects(
    bed.signIn({
      open: async (address) => {
        const { searchParams } = new URL(address);
        const back = new URL(searchParams.get("redirect_uri")!);
        back.searchParams.set("error", "access_denied");
        back.searchParams.set("state", searchParams.get("state")!);
        await (await fetch(back)).text();
      },
    }),
    /the sign-in was refused: access_denied/,
  );
  const stop = new AbortController();
  await assert.rejects(bed.signIn({ open: () => stop.abort(new Error("stopped")), signal: stop.signal }), /stopped/);
});

Deno.test("a fixed client is used as it is", async () => {
  await using bed = await Bed.open();
  bed.auth.clients.add("mine");
  const target = {
    kind: "http",
    url: bed.server.url,
    headers: {},
    oauth: { clientId: "mine", clientSecret: "hush", scope: "all" },
  } as const;
  await bed.signIn({ settings: settings("remote", target) });
  assert.equal(bed.auth.registrations.length, 0);
  assert.equal(bed.auth.authorizations[0]!.get("scope"), "all");
  assert.equal(bed.auth.tokens[0]!.authorization, `Basic ${btoa("mine:hush")}`);
});

Deno.test("a wrong client of the settings is no reason to register another", async () => {
  await using bed = await Bed.open();
  const target = { kind: "http", url: bed.server.url, headers: {}, oauth: { clientId: "unknown" } } as const;
  await assert.rejects(bed.signIn({ settings: settings("remote", target) }));
  assert.equal(bed.auth.registrations.length, 0);
});
