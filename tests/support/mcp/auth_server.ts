/** An authorization server on loopback that issues tokens for a protected resource, and can be made to misbehave. */

export interface TokenRequest {
  readonly grant: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | null;
}

export interface AuthServerOptions {
  /** Looks at a token request first; an answer given here is the answer. */
  token?(request: TokenRequest, count: number): Response | undefined;
  /** A refresh answers no new refresh token. */
  readonly keepsRefresh?: boolean;
  /** A second use of a refresh token ends all sign-ins. */
  readonly rotates?: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Held until this settles. */
  readonly slow?: () => Promise<void>;
}

export class AuthServer implements AsyncDisposable {
  readonly origin: string;
  readonly tokens: TokenRequest[] = [];
  readonly authorizations: URLSearchParams[] = [];
  readonly registrations: Record<string, unknown>[] = [];
  /** In force now. */
  access = "none yet";
  refresh = "none yet";
  clients = new Set<string>();
  #issued = 0;
  #code = "";
  #challenge = "";
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #options: AuthServerOptions;

  constructor(options: AuthServerOptions = {}) {
    this.#options = options;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
    this.origin = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** What a person and a browser do: visit the page, come back with a code. */
  async visit(address: string): Promise<void> {
    const response = await fetch(address, { redirect: "manual" });
    await response.body?.cancel();
    await (await fetch(response.headers.get("location")!)).text();
  }

  /** Answers 401 unless the token in force is presented. */
  protect(request: Request): Response | undefined {
    const { pathname, origin } = new URL(request.url);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return Response.json({
        resource: `${origin}/mcp`,
        authorization_servers: [this.origin],
        scopes_supported: ["tools"],
      });
    }
    if (request.headers.get("authorization") === `Bearer ${this.access}`) return undefined;
    const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/.well-known/oauth-authorization-server":
        return Response.json({
          issuer: this.origin,
          authorization_endpoint: `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          registration_endpoint: `${this.origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
          ...this.#options.metadata,
        });
      case "/register": {
        const body = await request.json();
        this.registrations.push(body);
        const client_id = `client-${this.registrations.length}`;
        this.clients.add(client_id);
        return Response.json({ ...body, client_id, client_secret: `secret-of-${client_id}` }, { status: 201 });
      }
      case "/authorize":
        return this.#authorize(searchParams);
      case "/token":
        return await this.#token(request);
      default:
        return new Response(null, { status: 404 });
    }
  }

  #authorize(parameters: URLSearchParams): Response {
    this.authorizations.push(parameters);
    this.#code = `code-${this.authorizations.length}`;
    this.#challenge = parameters.get("code_challenge")!;
    const back = new URL(parameters.get("redirect_uri")!);
    back.searchParams.set("code", this.#code);
    back.searchParams.set("state", parameters.get("state")!);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async #token(request: Request): Promise<Response> {
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    const seen = { grant: form.grant_type!, form, authorization: request.headers.get("authorization") };
    this.tokens.push(seen);
    await this.#options.slow?.();
    const given = this.#options.token?.(seen, this.tokens.length);
    if (given) return given;
    const basic = seen.authorization?.startsWith("Basic ")
      ? atob(seen.authorization.slice(6)).split(":")[0]
      : undefined;
    if (!this.clients.has(basic ?? form.client_id!)) return fault("invalid_client", 401);
    if (form.grant_type === "refresh_token") {
      if (form.refresh_token !== this.refresh) {
        if (this.#options.rotates) this.access = this.refresh = "revoked";
        return fault("invalid_grant");
      }
    } else {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(form.code_verifier));
      const challenge = btoa(String.fromCharCode(...new Uint8Array(digest)))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      if (form.code !== this.#code || challenge !== this.#challenge) return fault("invalid_grant");
    }
    this.#issued++;
    this.access = `access-${this.#issued}`;
    if (!(this.#options.keepsRefresh && form.grant_type === "refresh_token")) this.refresh = `refresh-${this.#issued}`;
    const renews = !(this.#options.keepsRefresh && form.grant_type === "refresh_token");
    return Response.json({
      access_token: this.access,
      token_type: "Bearer",
      expires_in: 3600,
      ...(renews ? { refresh_token: this.refresh } : {}),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

function fault(error: string, status = 400): Response {
  return Response.json({ error }, { status });
}
