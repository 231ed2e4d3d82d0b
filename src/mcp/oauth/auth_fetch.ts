/**
 * `fetch` for sign-in requests: encrypted unless the host is this machine, at most 30 s and 1 MiB, and no redirect to
 * another origin, which could carry a secret there.
 */
import { readBounded } from "../../lib/read_body.ts";

const LIMIT_MS = 30_000;
const LARGEST = 1 << 20;
const REDIRECTS = 3;

/** What is read of a request's options, whose type differs between versions of Deno. */
interface Asked {
  signal?: AbortSignal | null;
  method?: string;
}

export function authFetch(inner: typeof fetch, signal?: AbortSignal): typeof fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    const limit = AbortSignal.timeout(LIMIT_MS);
    const { signal: asked, method = "GET" }: Asked = init ?? {};
    const stop = AbortSignal.any([limit, ...(signal ? [signal] : []), ...(asked ? [asked] : [])]);
    for (let hops = 0;; hops++) {
      assertSecure(url);
      const response = await inner(url, { ...init, redirect: "manual", signal: stop });
      const next = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || next === null) return await bounded(response, stop);
      await response.body?.cancel();
      const target = new URL(next, url);
      const follows = target.origin === url.origin && method === "GET" && hops < REDIRECTS;
      if (!follows) {
        throw new Error(`${url.origin} redirects to ${target.origin}, which is not followed during a sign-in`);
      }
      url = target;
    }
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

export function assertSecure(url: URL): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return;
  throw new Error(`${url.protocol}//${url.host} is not encrypted; a sign-in needs https`);
}

async function bounded(response: Response, signal: AbortSignal): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    await body.cancel();
    return new Response(null, { status, statusText, headers });
  }
  const bytes = await readBounded(body, { most: LARGEST, signal });
  if (bytes === undefined) throw new Error("the answer of the sign-in server is too large");
  const isBare = status === 204 || status === 205 || status === 304;
  return new Response(isBare ? null : bytes, { status, statusText, headers });
}
