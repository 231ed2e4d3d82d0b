import assert from "node:assert/strict";
import { parseEnv } from "./env_file.ts";
import { saveKeys } from "./key_store.ts";

async function withFile(text: string | undefined, work: (file: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  const file = `${folder}/home/.env`;
  try {
    if (text !== undefined) {
      Deno.mkdirSync(`${folder}/home`);
      Deno.writeTextFileSync(file, text, { mode: 0o644 });
    }
    await work(file);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("a saved key makes a private file in a private folder", () =>
  withFile(undefined, async (file) => {
    await saveKeys(file, { K: " sk-1\n" });
    assert.equal(Deno.readTextFileSync(file), "K=sk-1\n");
    assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
    assert.equal(Deno.statSync(file.replace("/.env", "")).mode! & 0o777, 0o700);
  }));

Deno.test("other lines stay, a key keeps its place, an open file becomes private", () =>
  withFile("# mine\nexport A=1\nB=2\nA=3\n", async (file) => {
    await saveKeys(file, { A: 'x "y"', C: "c" });
    assert.equal(Deno.readTextFileSync(file), '# mine\nA="x \\"y\\""\nB=2\nC=c\n');
    assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
  }));

Deno.test("a removed key leaves a mark, a new one takes its place", () =>
  withFile("A=1\n", async (file) => {
    await saveKeys(file, { A: undefined });
    assert.equal(Deno.readTextFileSync(file), "# reasonix-cleared A\n");
    await saveKeys(file, { A: "2" });
    assert.deepEqual([...parseEnv(Deno.readTextFileSync(file)).values], [["A", "2"]]);
  }));

Deno.test("a bad name, an empty value and several lines are refused before anything is written, without showing it", () =>
  withFile("A=1\n", async (file) => {
    for (const keys of [{ "BAD NAME": "x" }, { "1A": "x" }, { B: "secret\nline" }, { B: "  " }, { B: "a\u0000" }]) {
      await assert.rejects(() => saveKeys(file, { C: "c", ...keys }), (error: Error & { code: string }) => {
        assert.equal(error.code, "config.write_failed");
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
    assert.equal(Deno.readTextFileSync(file), "A=1\n");
  }));

Deno.test("keys saved at the same time are all there", () =>
  withFile(undefined, async (file) => {
    const names = Array.from({ length: 12 }, (_, i) => `K${i}`);
    await Promise.all(names.map((name) => saveKeys(file, { [name]: "v" })));
    assert.deepEqual([...parseEnv(Deno.readTextFileSync(file)).values.keys()].sort(), names.sort());
  }));
