/**
 * The token of a server that was signed in to, kept fresh. One refresh at a time over all processes: where the
 * refresh token changes with each use, a second use would end the sign-in for both. A fault that may pass deletes
 * nothing; no call ever opens a browser.
 */
import type { AuthProvider } from "@modelcontextprotocol/client";
import { authFetch } from "./auth_fetch.ts";
import { expiryOf, type SignIn, type SignInStore } from "./store.ts";

export interface CredentialOptions {
  readonly store: SignInStore;
  /** The configured address. */
  readonly resource: string;
  readonly fetch: typeof fetch;
}

/** A token is renewed this long before its end. Milliseconds. */
const EARLY = 30_000;
/** Waits between tries while the sign-in server has a fault. Milliseconds. */
const PAUSES = [250, 1_000];

export function createCredentials({ store, resource, fetch }: CredentialOptions): AuthProvider {
  let refreshing: Promise<void> | undefined;
  let used: string | undefined;
  /** Shared by all calls of this process, and locked against other processes. */
  const refresh = () => {
    const stale = used;
    return refreshing ??= refreshOnce({ store, resource, fetch, stale }).finally(() => refreshing = undefined);
  };
  return {
    async token() {
      let kept = await store.load(resource);
      if (kept?.refresh_token !== undefined && isEnding(kept)) {
        used = kept.access_token;
        // The server has the last word on a token that could not be renewed in time.
        await refresh().catch(() => {});
        kept = await store.load(resource);
      }
      return used = kept?.access_token;
    },
    async onUnauthorized() {
      await refresh();
    },
  };
}

function isEnding({ expiry }: SignIn): boolean {
  return expiry !== undefined && Date.parse(expiry) - EARLY < Date.now();
}

async function refreshOnce(
  { store, resource, fetch, stale }: CredentialOptions & { readonly stale: string | undefined },
): Promise<void> {
  const sdk = await import("@modelcontextprotocol/client");
  await store.locked(async () => {
    const kept = await store.load(resource);
    if (kept?.access_token !== undefined && kept.access_token !== stale) return;
    if (kept?.refresh_token === undefined) throw new sdk.UnauthorizedError();
    for (let tries = 0;; tries++) {
      try {
        await store.write(renewed(kept, await ask(kept)));
        return;
      } catch (error) {
        const code = error instanceof sdk.OAuthError ? error.code : undefined;
        if (code === sdk.OAuthErrorCode.InvalidClient || code === sdk.OAuthErrorCode.UnauthorizedClient) {
          await store.write(withoutTokens(kept, { client: true }));
          throw new sdk.UnauthorizedError();
        }
        if (code === sdk.OAuthErrorCode.InvalidGrant) {
          await store.write(withoutTokens(kept));
          throw new sdk.UnauthorizedError();
        }
        if (tries >= PAUSES.length) throw error;
        await new Promise((rested) => setTimeout(rested, PAUSES[tries]));
      }
    }
  });

  /** With what the sign-in found out: what a server says of itself today sends no old token elsewhere. */
  async function ask(kept: SignIn) {
    return await sdk.refreshAuthorization(kept.issuer, {
      metadata: metadataOf(kept),
      clientInformation: clientOf(kept),
      refreshToken: kept.refresh_token!,
      resource: new URL(kept.resource_indicator ?? kept.resource),
      fetchFn: authFetch(fetch),
    });
  }
}

export function clientOf({ client_id, client_secret, token_endpoint_auth_method, redirect_uri }: SignIn) {
  return {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
    redirect_uris: redirect_uri === undefined ? [] : [redirect_uri],
  };
}

export function metadataOf({ issuer, authorization_endpoint, token_endpoint, token_endpoint_auth_method }: SignIn) {
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    response_types_supported: ["code"],
    ...(token_endpoint_auth_method === undefined
      ? {}
      : { token_endpoint_auth_methods_supported: [token_endpoint_auth_method] }),
  };
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly token_type?: string | undefined;
  readonly expires_in?: number | undefined;
  readonly scope?: string | undefined;
}

/** A refresh token that is not answered stays the one in force. */
export function renewed(kept: SignIn, tokens: Tokens): SignIn {
  const { expiry: _old, ...rest } = kept;
  const refresh_token = tokens.refresh_token ?? kept.refresh_token;
  return {
    ...rest,
    access_token: tokens.access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(tokens.token_type === undefined ? {} : { token_type: tokens.token_type }),
    ...(tokens.scope === undefined ? {} : { scope: tokens.scope }),
    ...expiryOf(tokens.expires_in),
  };
}

/** A client that the server has forgotten is registered again by the next sign-in. */
function withoutTokens(kept: SignIn, options: { readonly client?: boolean } = {}): SignIn {
  const { access_token: _access, refresh_token: _refresh, expiry: _expiry, ...rest } = kept;
  return options.client ? { ...rest, client_id: "" } : rest;
}
