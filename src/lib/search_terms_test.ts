import assert from "node:assert/strict";
import { toTerms } from "./search_terms.ts";

Deno.test("words are lower-cased runs of letters and digits", () => {
  assert.deepEqual(toTerms("Hello, World — it's 42!"), ["hello", "world", "it", "s", "42"]);
  assert.deepEqual(toTerms("Größe naïve Ελλάδα"), ["größe", "naïve", "ελλάδα"]);
  assert.deepEqual(toTerms(""), []);
});

Deno.test("identifiers count whole and in their parts", () => {
  assert.deepEqual(toTerms("readFile"), ["readfile", "read", "file"]);
  assert.deepEqual(toTerms("MAX_RETRY_count"), ["max_retry_count", "max", "retry", "count"]);
  assert.deepEqual(toTerms("parseHTMLText2"), ["parsehtmltext2", "parse", "html", "text"]);
  assert.deepEqual(toTerms("__init__"), ["init"]);
});

Deno.test("scripts without blanks are overlapping pairs", () => {
  assert.deepEqual(toTerms("数据库"), ["数据", "据库"]);
  assert.deepEqual(toTerms("用 PostgreSQL数据库"), ["用", "postgresql", "postgre", "sql", "数据", "据库"]);
  assert.deepEqual(toTerms("テスト"), ["テス", "スト"]);
  assert.deepEqual(toTerms("데이터베이스"), ["데이", "이터", "터베", "베이", "이스"]);
});

Deno.test("full-width forms are the plain ones, and a blob is one term", () => {
  assert.deepEqual(toTerms("ＡＰＩ　１２"), ["api", "12"]);
  assert.deepEqual(toTerms("aB".repeat(500)), ["ab".repeat(32)]);
});
