/**
 * Signing in to a server, by the person's own wish: what the server and its authorization server say of themselves, a
 * client of our own, the browser, the code, the tokens. Nothing is kept before all of it has succeeded.
 */
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { untilAborted } from "../../lib/waiting.ts";
import { toBase64Url } from "./base64url.ts";
import { assertSecure, authFetch } from "./auth_fetch.ts";
import { type Callback, openCallback } from "./callback.ts";
import { clientOf, metadataOf, renewed } from "./credentials.ts";
import { type FixedOAuth, hasAuthorization, type ServerSettings } from "../settings.ts";
import { type SignIn, SignInStore } from "./store.ts";

export interface SignInOptions {
  readonly settings: ServerSettings;
  /** The server's private folder. */
  readonly folder: string;
  readonly fetch: typeof fetch;
  /** Rights to ask for beside those given before; the server's own wish when absent. */
  readonly scope?: string;
  /** Shows the address to the person, or opens it. */
  open(address: string): void | Promise<void>;
  /** An address the person copied from a browser that cannot reach this machine. */
  readonly pasted?: Promise<string>;
  readonly signal: AbortSignal;
}

/** Throws an `Error` whose message is for people. */
export async function signIn(options: SignInOptions): Promise<void> {
  const { settings: { target } } = options;
  if (target.kind === "stdio") throw new Error("it is a local program and needs no sign-in");
  if (hasAuthorization(target.headers)) {
    throw new Error("its Authorization header is configured; take it out to sign in");
  }
  assertSecure(new URL(target.url));
  const store = new SignInStore(options.folder);
  const generation = await store.generation();
  const before = await store.load(target.url);
  const found = await discover(options, target);
  let kept: SignIn;
  try {
    kept = await attempt(found, { before, target, options });
  } catch (error) {
    // A client that was forgotten there is registered once more, not for ever.
    if (!isForgotten(error) || before === undefined || target.oauth?.clientId !== undefined) throw error;
    kept = await attempt(found, { before: undefined, target, options });
  }
  if (!await store.save(kept, generation)) throw new Error("the sign-in was cleared while it was under way");
}

interface Attempt {
  /** What the last sign-in left. */
  readonly before: SignIn | undefined;
  readonly target: Remote;
  readonly options: SignInOptions;
}

async function attempt(found: Found, { before, target, options }: Attempt): Promise<SignIn> {
  const state = random(32);
  const callback = openCallback({ state, ...portFor(before, target.oauth) });
  try {
    const client = await withClient(found, { before, redirectUri: callback.redirectUri, target, options });
    return await authorize(client, { found, state, callback, options });
  } finally {
    await callback.close();
  }
}

interface Found {
  readonly metadata: AuthorizationServerMetadata;
  readonly resource: string;
  readonly scope?: string;
}

type Remote = Extract<ServerSettings["target"], { kind: "http" | "sse" }>;

async function discover(options: SignInOptions, target: Remote): Promise<Found> {
  const sdk = await import("@modelcontextprotocol/client");
  const fetchFn = authFetch(options.fetch, options.signal);
  const challenge = await probe(target, fetchFn);
  const asked = challenge ? sdk.extractWWWAuthenticateParams(challenge) : {};
  // Metadata from another origin could speak for a server that is not its own.
  const sameOrigin = asked.resourceMetadataUrl?.origin === new URL(target.url).origin;
  const info = await serverInfo(target.url, {
    ...(sameOrigin && asked.resourceMetadataUrl ? { resourceMetadataUrl: asked.resourceMetadataUrl } : {}),
    fetchFn,
  });
  const { resourceMetadata } = info;
  const own = sdk.resourceUrlFromServerUrl(target.url);
  if (
    resourceMetadata &&
    !sdk.checkResourceAllowed({ requestedResource: own, configuredResource: resourceMetadata.resource })
  ) {
    throw new Error(`its metadata is about another server (${resourceMetadata.resource})`);
  }
  const metadata = withFixed(info.authorizationServerMetadata ?? defaults(info.authorizationServerUrl), target.oauth);
  assertSecure(new URL(metadata.authorization_endpoint));
  assertSecure(new URL(metadata.token_endpoint));
  const wanted = options.scope ?? target.oauth?.scope ?? asked.scope ?? resourceMetadata?.scopes_supported?.join(" ");
  const offline = wanted && metadata.scopes_supported?.includes("offline_access") ? "offline_access" : undefined;
  const scope = sdk.computeScopeUnion(wanted || undefined, offline);
  return { metadata, resource: resourceMetadata?.resource ?? own.href, ...(scope ? { scope } : {}) };
}

/**
 * The issuer has to be the one the metadata was asked of. A server of the first revision is its own authorization server
 * and may keep it below a path: there the same origin is enough, since nobody else could speak for it.
 */
async function serverInfo(url: string, how: { readonly resourceMetadataUrl?: URL; readonly fetchFn: typeof fetch }) {
  const sdk = await import("@modelcontextprotocol/client");
  try {
    return await sdk.discoverOAuthServerInfo(url, how);
  } catch (error) {
    if (!(error instanceof sdk.IssuerMismatchError)) throw error;
    const info = await sdk.discoverOAuthServerInfo(url, { ...how, skipIssuerMetadataValidation: true });
    const { issuer = "", authorization_endpoint = "", token_endpoint = "" } = info.authorizationServerMetadata ?? {};
    const { origin } = new URL(url);
    const own = [issuer, authorization_endpoint, token_endpoint].every((one) =>
      URL.canParse(one) && new URL(one).origin === origin
    );
    if (info.resourceMetadata === undefined && own) return info;
    throw error;
  }
}

/** Undefined when the server lets us in, or answers nothing that helps. */
async function probe(target: Remote, fetchFn: typeof fetch): Promise<Response | undefined> {
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "reasonix", version: "1" } },
  };
  const request = target.kind === "http" ? { method: "POST", body: JSON.stringify(initialize) } : {};
  const stop = new AbortController();
  try {
    const headers = new Headers({ ...target.headers, accept: "application/json, text/event-stream" });
    if (target.kind === "http") headers.set("content-type", "application/json");
    const response = await fetchFn(target.url, { ...request, headers, signal: stop.signal });
    return response.status === 401 || response.status === 403 ? response : undefined;
  } catch {
    return undefined;
  } finally {
    stop.abort();
  }
}

/** Servers from before the metadata existed have their endpoints at known places. */
function defaults(server: string | URL): AuthorizationServerMetadata {
  const at = (path: string) => new URL(path, server).href;
  return {
    issuer: new URL(server).origin,
    authorization_endpoint: at("/authorize"),
    token_endpoint: at("/token"),
    registration_endpoint: at("/register"),
    response_types_supported: ["code"],
  };
}

function withFixed(metadata: AuthorizationServerMetadata, fixed: FixedOAuth | undefined): AuthorizationServerMetadata {
  return {
    ...metadata,
    ...(fixed?.authorizationEndpoint ? { authorization_endpoint: fixed.authorizationEndpoint } : {}),
    ...(fixed?.tokenEndpoint ? { token_endpoint: fixed.tokenEndpoint } : {}),
  };
}

function portFor(before: SignIn | undefined, fixed: FixedOAuth | undefined) {
  if (fixed?.callbackPort !== undefined) return { port: fixed.callbackPort, fixed: true };
  // The client was registered with this one.
  return before?.redirect_uri === undefined ? {} : { port: Number(new URL(before.redirect_uri).port) };
}

interface ClientContext extends Attempt {
  readonly redirectUri: string;
}

/** The client of the last sign-in where it still fits, a configured one, or a new one. */
async function withClient(found: Found, { before, redirectUri, target, options }: ClientContext): Promise<SignIn> {
  const { metadata, resource } = found;
  const place = {
    version: 1,
    resource: target.url,
    resource_indicator: resource,
    issuer: metadata.issuer,
    authorization_endpoint: metadata.authorization_endpoint,
    token_endpoint: metadata.token_endpoint,
    ...(metadata.registration_endpoint ? { registration_endpoint: metadata.registration_endpoint } : {}),
    redirect_uri: redirectUri,
  } as const;
  const fixed = target.oauth;
  if (fixed?.clientId !== undefined) {
    return { ...place, ...client(metadata, { client_id: fixed.clientId, client_secret: fixed.clientSecret }) };
  }
  if (fixed?.clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true) {
    return { ...place, client_id: fixed.clientMetadataUrl, token_endpoint_auth_method: "none" };
  }
  if (before?.client_id && before.issuer === metadata.issuer && before.redirect_uri === redirectUri) {
    const { access_token: _access, refresh_token: _refresh, expiry: _expiry, ...rest } = before;
    return { ...rest, ...place };
  }
  if (!metadata.registration_endpoint) {
    throw new Error("its authorization server takes no new clients; set client_id in [plugins.oauth]");
  }
  return { ...place, ...await register(found, redirectUri, options) };
}

type Client = Pick<SignIn, "client_id" | "client_secret" | "token_endpoint_auth_method">;

async function register(found: Found, redirectUri: string, options: SignInOptions): Promise<Client> {
  const { metadata, scope } = found;
  const sdk = await import("@modelcontextprotocol/client");
  const registered = await sdk.registerClient(metadata.issuer, {
    metadata,
    clientMetadata: {
      client_name: "Reasonix",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
      token_endpoint_auth_method: authMethod(metadata, true),
    },
    ...(scope === undefined ? {} : { scope }),
    fetchFn: authFetch(options.fetch, options.signal),
  });
  return client(metadata, registered);
}

/** Authenticates as it was told to, else as the server likes best. */
function client(
  metadata: AuthorizationServerMetadata,
  known: { readonly [K in keyof Client]: Client[K] | undefined } & { readonly client_id: string },
): Client {
  const { client_id, client_secret, token_endpoint_auth_method } = known;
  return {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    token_endpoint_auth_method: token_endpoint_auth_method ?? authMethod(metadata, client_secret !== undefined),
  };
}

function authMethod(metadata: AuthorizationServerMetadata, hasSecret: boolean): string {
  const supported = metadata.token_endpoint_auth_methods_supported ?? (hasSecret ? ["client_secret_basic"] : ["none"]);
  const wanted = hasSecret ? ["client_secret_basic", "client_secret_post", "none"] : ["none"];
  return wanted.find((method) => supported.includes(method)) ?? wanted.at(-1)!;
}

interface Authorization {
  readonly found: Found;
  readonly state: string;
  readonly callback: Callback;
  readonly options: SignInOptions;
}

async function authorize(kept: SignIn, { found, state, callback, options }: Authorization): Promise<SignIn> {
  const { metadata, scope } = found;
  const sdk = await import("@modelcontextprotocol/client");
  if (metadata.code_challenge_methods_supported && !metadata.code_challenge_methods_supported.includes("S256")) {
    throw new Error("its authorization server does not support PKCE with S256");
  }
  const verifier = random(64);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const address = new URL(metadata.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: kept.client_id,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    redirect_uri: callback.redirectUri,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(scope?.split(" ").includes("offline_access") ? { prompt: "consent" } : {}),
    resource: kept.resource_indicator ?? kept.resource,
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  await options.open(address.href);
  const brought = await arrival(callback, options);
  const refused = brought.get("error");
  if (refused !== null) throw new SignInRefused(refused, brought.get("error_description"));
  const code = brought.get("code");
  if (code === null) throw new Error("the browser came back without a code");
  const tokens = await sdk.exchangeAuthorization(metadata.issuer, {
    // The methods the client was registered for, so that the request authenticates as the server expects.
    metadata: { ...metadata, ...metadataOf(kept) },
    clientInformation: clientOf(kept),
    authorizationCode: code,
    ...(brought.get("iss") === null ? {} : { iss: brought.get("iss")! }),
    codeVerifier: verifier,
    redirectUri: callback.redirectUri,
    resource: new URL(kept.resource_indicator ?? kept.resource),
    fetchFn: authFetch(options.fetch, options.signal),
  });
  return renewed({ ...kept, ...(scope === undefined ? {} : { scope }) }, tokens);
}

async function arrival(callback: Callback, { pasted, signal }: SignInOptions): Promise<URLSearchParams> {
  const typed = pasted?.then((address) => {
    if (!callback.paste(address)) throw new Error("this address is not the one the sign-in ends at");
    return callback.parameters;
  });
  return await untilAborted(Promise.race([callback.parameters, ...(typed ? [typed] : [])]), signal);
}

class SignInRefused extends Error {
  readonly code: string;

  constructor(code: string, description: string | null) {
    super(`the sign-in was refused: ${description ?? code}`);
    this.code = code;
  }
}

function isForgotten(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "invalid_client" || code === "unauthorized_client";
}

function random(bytes: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}
