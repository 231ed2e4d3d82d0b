import assert from "node:assert/strict";
import type { ProviderPorts, ProviderSettings } from "../contract/provider.ts";
import { balanceUrl, fetchBalance, parseBalance } from "./balance.ts";

const settings = { name: "paid", baseUrl: "https://api.example.com/v1", apiKey: "sk-secret", headers: {} };
const paid = { ...settings, proxy: { mode: "direct" } } as unknown as ProviderSettings;

Deno.test("a balance is asked for at balance_url, else where the vendor of the host has it, else nowhere", () => {
  const url = (changes: Partial<ProviderSettings>, configured?: string) =>
    balanceUrl({ ...paid, ...changes }, configured)?.href;
  assert.equal(url({}, "https://api.example.com/me"), "https://api.example.com/me");
  assert.equal(url({ baseUrl: "https://api.deepseek.com/anthropic" }), "https://api.deepseek.com/user/balance");
  assert.equal(url({}), undefined);
  assert.equal(url({ baseUrl: "https://constructor/v1" }), undefined);
  assert.throws(() => url({}, "ftp://example.com"), { code: "config.type" });
});

Deno.test("the forms of several vendors are read, and nothing is made of anything else", () => {
  const infos = [{ currency: "CNY", total_balance: "110.00", granted_balance: "10.00" }, { currency: "USD" }];
  assert.deepEqual(parseBalance({ is_available: true, balance_infos: infos }), {
    amounts: [{ amount: 110, currency: "CNY" }],
  });
  assert.deepEqual(parseBalance({ is_available: false, balance_infos: infos })?.exhausted, true);
  assert.deepEqual(parseBalance({ data: { total_credits: 10, total_usage: 2.5 } }), {
    amounts: [{ amount: 7.5, currency: "USD" }],
  });
  assert.deepEqual(parseBalance({ code: 0, data: { available_balance: 49.58, voucher_balance: 46 } }), {
    amounts: [{ amount: 49.58 }],
  });
  assert.deepEqual(parseBalance({ balance: "3", currency: "\u001b[2J" }), { amounts: [{ amount: 3 }] });
  const many = { balance_infos: Array(10_000).fill({ total_balance: 1 }) };
  assert.equal(parseBalance(many)?.amounts.length, 8);
  for (const other of [{ balance: 1e300 }, { balance: "-1e12" }]) assert.equal(parseBalance(other), undefined);
  for (const other of [undefined, null, [], "12", { error: "no" }, { balance: "" }, { balance: "NaN" }]) {
    assert.equal(parseBalance(other), undefined, JSON.stringify(other));
  }
});

Deno.test("the key goes with the question, and an answer that is none names the setting to look at", async () => {
  const asked: Request[] = [];
  const ports = (body: string): ProviderPorts => ({
    fetch: (url: URL, init: RequestInit) => {
      asked.push(new Request(url, init));
      return Promise.resolve(new Response(body));
    },
    now: () => 0,
  } as unknown as ProviderPorts);
  const options = { url: new URL("https://api.example.com/me"), signal: new AbortController().signal };
  assert.deepEqual(await fetchBalance(paid, ports('{"balance":2}'), options), { amounts: [{ amount: 2 }] });
  assert.equal(asked[0]?.headers.get("authorization"), "Bearer sk-secret");
  await assert.rejects(fetchBalance(paid, ports("<html>log in</html>"), options), {
    message: "paid at api.example.com: an HTML page came in place of a balance",
    remedy: "Check balance_url of provider paid.",
  });
});
