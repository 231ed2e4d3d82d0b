// Error answers that others recorded get the code that fits them, whichever kind meets them.
import assert from "node:assert/strict";
import { createProvider } from "../../src/providers/mod.ts";
import { gather, providerSettings, scriptedFetch, testPorts } from "../support/provider_call.ts";
import { sharedPath } from "../support/shared.ts";
import { KINDS } from "../support/wire_speech.ts";

interface Recorded {
  readonly id: string;
  readonly status: number;
  readonly endpoint?: string | null;
  readonly headers: Record<string, string>;
  readonly body: { readonly error: { readonly code?: unknown; readonly type?: unknown } };
  readonly retryable: boolean;
}

const folder = sharedPath("fixtures/streams/errors");
const read = (name: string) => JSON.parse(Deno.readTextFileSync(`${folder}/${name}`));
const ignore = folder === undefined;

async function failureOf(kind: string, status: number, body: string, headers: Record<string, string> = {}) {
  const { fetch, bodies } = scriptedFetch([() => new Response(body, { status, headers })]);
  const { error } = await gather(await createProvider(providerSettings({ kind }), testPorts({ fetch })));
  return { error, requests: bodies.length };
}

function expectedCode({ status, body, retryable }: Recorded): string {
  if (body.error.code === "insufficient_quota" || body.error.type === "insufficient_quota") return "provider.quota";
  if (status === 429) return "provider.rate_limited";
  return retryable ? "provider.transient" : "provider.rejected";
}

function kindOf(endpoint: string | null | undefined): readonly string[] {
  if (!endpoint) return KINDS;
  if (endpoint.endsWith("/messages")) return ["anthropic"];
  return endpoint.endsWith("/responses") ? ["responses"] : ["openai"];
}

Deno.test({
  name: "recorded error answers are typed, and asked again only where that may help",
  ignore,
  async fn() {
    const recorded: readonly Recorded[] = read("http-errors.json");
    assert.ok(recorded.length > 20);
    for (const one of recorded) {
      for (const kind of kindOf(one.endpoint)) {
        const { error, requests } = await failureOf(kind, one.status, JSON.stringify(one.body), one.headers);
        assert.equal(error?.code, expectedCode(one), `${one.id} ${kind}: ${error?.message}`);
        assert.equal(requests, one.retryable ? 11 : 1, `${one.id} ${kind}`);
      }
    }
  },
});

interface Overflow {
  readonly provider: string;
  readonly message: string | null;
  readonly isContextOverflow: boolean | null;
}

/**
 * Told by nothing but an empty 400, which says nothing of the kind; taken for one, every empty refusal would cost a
 * summary of the conversation.
 */
const UNTOLD = "400 status code (no body)";

Deno.test({
  name: "each wording for an input that is too long is known",
  ignore,
  async fn() {
    const { cases }: { cases: readonly Overflow[] } = read("context-overflow.json");
    for (const { message, isContextOverflow } of cases) {
      if (message === null || message === UNTOLD) continue;
      const [, bare] = /^(\d{3}) status code/.exec(message) ?? [];
      const body = bare ? "" : JSON.stringify({ error: { message } });
      for (const kind of KINDS) {
        const { error } = await failureOf(kind, bare ? Number(bare) : 400, body);
        assert.equal(error?.code === "context.exhausted", isContextOverflow, `${kind}: ${message}`);
      }
    }
  },
});
