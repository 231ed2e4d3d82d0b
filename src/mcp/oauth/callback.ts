/** Where the browser comes back to: a page on this machine for one sign-in. */

export interface Callback {
  readonly redirectUri: string;
  /** The parameters the browser brought; those with another state are turned away. */
  readonly parameters: Promise<URLSearchParams>;
  /** For a person whose browser runs elsewhere: the address it ended at. False when that is none of this sign-in. */
  paste(address: string): boolean;
  close(): Promise<void>;
}

export interface CallbackOptions {
  readonly state: string;
  /** Tried first; any free one where it is taken, unless `fixed`. */
  readonly port?: number;
  readonly fixed?: boolean;
}

const PATH = "/oauth/callback";

export function openCallback({ state, port = 0, fixed = false }: CallbackOptions): Callback {
  const arrived = Promise.withResolvers<URLSearchParams>();
  const take = (url: URL): boolean => {
    if (url.pathname !== PATH || url.searchParams.get("state") !== state) return false;
    arrived.resolve(url.searchParams);
    return true;
  };
  const handle = (request: Request) => {
    const url = new URL(request.url);
    if (request.method !== "GET" || !take(url)) return page("This is not the sign-in that was started.", 400);
    const failed = url.searchParams.has("error");
    return page(failed ? "The sign-in was refused. You can close this page." : "Signed in. You can close this page.");
  };
  const listen = (port: number) => Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, handle);
  let server: Deno.HttpServer<Deno.NetAddr>;
  try {
    server = listen(port);
  } catch (error) {
    if (fixed || port === 0) throw error;
    server = listen(0);
  }
  return {
    redirectUri: `http://127.0.0.1:${server.addr.port}${PATH}`,
    parameters: arrived.promise,
    paste: (address) => URL.canParse(address.trim()) && take(new URL(address.trim())),
    close: () => server.shutdown(),
  };
}

function page(text: string, status = 200): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Reasonix</title><p>${text}</p>`;
  return new Response(html, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "connection": "close" },
  });
}
