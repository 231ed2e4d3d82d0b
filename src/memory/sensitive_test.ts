import assert from "node:assert/strict";
import { sensitiveIn } from "./sensitive.ts";

Deno.test("keys, passwords and addresses are seen, also when something invisible stands in them", () => {
  const texts = [
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "sk-proj-abcdefghij1234567890",
    "s\u200bk-abcdefghijklmnop1234",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x",
    "Authorization: Bearer abcdef1234567890",
    "postgres://app:hunter2@db/prod",
    "DB_PASSWORD=correcthorse",
    'api_key: "abcdef123456"',
    "the password is swordfish99",
    "密码：swordfish",
    "ask li.wei@例子.公司",
    "ann.b+x@mail.example.co.uk",
    "token w9Kd82LmQpX4vB7nR1sT6yU3zA5cE0fG",
  ];
  assert.deepEqual(texts.filter((text) => sensitiveIn(text) === undefined), []);
});

Deno.test("ordinary facts are not taken for secrets", () => {
  const texts = [
    "The commit 3f786850e387550fdab836ed7e6dc881de23001b broke it",
    "src/main/java/com/example/AbstractSingletonProxyFactoryBean2.java",
    "Tokens are counted per request; the token budget is 8000",
    "Use @scope/package and user@host style refs only in docs",
    "https://example.com/a:b/c?x=1",
    "Passwords are hashed with argon2",
    "set MAX_CONNECTIONS_PER_WORKER_PROCESS_AND_HOST to 40",
    "密码用 argon2 保存",
  ];
  assert.deepEqual(
    texts.filter((text) => sensitiveIn(text) !== undefined).map((text) => [text, sensitiveIn(text)]),
    [],
  );
});
