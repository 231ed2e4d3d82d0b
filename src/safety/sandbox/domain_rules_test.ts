import assert from "node:assert/strict";
import { isAllowedTarget, isLocalAddress, parseTarget } from "./domain_rules.ts";

const reaches = (host: string, rules: { allowed?: string[]; denied?: string[] }, port = 443) =>
  isAllowedTarget({ host, port }, { allowed: rules.allowed ?? [], denied: rules.denied ?? [] });

Deno.test("an allowed name is that host alone; a star means those below, a dot both", () => {
  const cases: [string, string, boolean][] = [
    ["example.com", "example.com", true],
    ["example.com", "EXAMPLE.com.", true],
    ["example.com", "a.example.com", false],
    ["example.com", "badexample.com", false],
    ["example.com", "example.com.evil.org", false],
    ["*.example.com", "a.b.example.com", true],
    ["*.example.com", "example.com", false],
    [".example.com", "example.com", true],
    [".example.com", "a.example.com", true],
    [".example.com", "badexample.com", false],
    ["example.com:443", "example.com", true],
    ["example.com:80", "example.com", false],
    ["[::1]:443", "::1", true],
    ["*", "anything", true],
    ["*.", "anything", false],
    ["", "anything", false],
  ];
  for (const [entry, host, expected] of cases) {
    assert.equal(reaches(host, { allowed: [entry] }), expected, `${entry} ${host}`);
  }
});

Deno.test("denied wins, covers what lies below, and alone leaves the rest open", () => {
  assert.equal(reaches("a.evil.org", { denied: ["evil.org"] }), false);
  assert.equal(reaches("evil.org.", { denied: ["evil.org"] }), false);
  assert.equal(reaches("good.org", { denied: ["evil.org"] }), true);
  assert.equal(reaches("x.good.org", { allowed: [".good.org"], denied: ["x.good.org"] }), false);
  assert.equal(reaches("", { denied: ["evil.org"] }), false);
});

Deno.test("targets are read strictly", () => {
  assert.deepEqual(parseTarget("a.b:8080", 443), { host: "a.b", port: 8080 });
  assert.deepEqual(parseTarget("a.b", 443), { host: "a.b", port: 443 });
  assert.deepEqual(parseTarget("[fe80::1]:5", 443), { host: "fe80::1", port: 5 });
  for (const text of ["", "a b", "u@h:1", "h:0", "h:99999", "h:1:2", "a/b", "[::1"]) {
    assert.equal(parseTarget(text, 443), undefined, text);
  }
});

Deno.test("addresses of this machine and of local networks are known in every spelling", () => {
  const local = ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"];
  const more = ["::1", "::", "fd00::1", "fe80::1", "::ffff:127.0.0.1", "::ffff:7f00:1"];
  const public_ = ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "193.168.1.1"];
  for (const address of [...local, ...more]) assert.equal(isLocalAddress(address), true, address);
  for (const address of public_) assert.equal(isLocalAddress(address), false, address);
});
