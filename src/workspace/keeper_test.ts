import assert from "node:assert/strict";
import fc from "fast-check";
import { canKeep, encodeFields, KeeperWords, NO_COMMAND, OutputUntil, parseEnd, requestFields } from "./keeper.ts";

const NONCE = "7b0c2d7e-0000-4000-8000-00000000feed";
const bytes = (text: string) => new TextEncoder().encode(text);

function pieces(text: string, cuts: readonly number[]): Uint8Array[] {
  const all = bytes(text);
  const at = [...cuts.map((cut) => cut % (all.length + 1)), 0, all.length].sort((a, b) => a - b);
  return at.slice(1).map((end, i) => all.slice(at[i], end)).filter((piece) => piece.length > 0);
}

Deno.test("output comes out whole and without the mark, in whatever pieces it arrives", () => {
  const mark = `\x1e${NONCE}`;
  // Much of what could be taken for a beginning of the mark.
  const word = fc.constantFrom("a", "\x1e", mark.slice(0, 9), mark.slice(0, -1), mark.slice(2), "\n", "é");
  fc.assert(fc.property(fc.array(word), fc.array(fc.nat()), (words, cuts) => {
    const text = words.join("");
    let seen: number[] = [];
    const output = new OutputUntil(NONCE, (piece) => void (seen = [...seen, ...piece]));
    for (const piece of pieces(text + mark, cuts)) {
      assert.equal(output.done, false);
      output.add(piece);
    }
    assert.equal(output.done, true);
    assert.deepEqual(Uint8Array.from(seen), bytes(text));
  }));
});

Deno.test("what comes after the mark is no command's, and is told", () => {
  const mark = `\x1e${NONCE}`;
  fc.assert(fc.property(fc.array(fc.nat()), (cuts) => {
    let seen = "";
    const output = new OutputUntil(NONCE, (piece) => void (seen += new TextDecoder().decode(piece)));
    for (const piece of pieces(`a\x1e${mark}\x1eb`, cuts)) output.add(piece);
    assert.deepEqual([seen, output.done, output.strays], ["a\x1e", true, true]);
  }));
});

Deno.test("what was held back is given on when no mark will come", () => {
  let seen = "";
  const output = new OutputUntil(NONCE, (piece) => void (seen += new TextDecoder().decode(piece)));
  output.add(bytes(`a\x1e${NONCE.slice(0, 5)}`));
  assert.equal(seen, "a");
  output.release();
  output.add(bytes("\x1e"));
  assert.equal(seen, `a\x1e${NONCE.slice(0, 5)}\x1e`);
});

Deno.test("an end is a code and what the stages of a pipeline said", () => {
  assert.deepEqual(parseEnd("3 pipe 1 0"), { code: 3, stages: "pipe 1 0" });
  assert.deepEqual(parseEnd("130 "), { code: 130, stages: "" });
});

Deno.test("only lines with the nonce are the keeper's, whatever stands around them", () => {
  const said = (text: string, cuts: readonly number[] = []) => {
    const words = new KeeperWords(NONCE);
    const heard = pieces(text, cuts).flatMap((piece) => words.add(new TextDecoder().decode(piece)));
    return heard.map(({ word, text }) => [word, text]);
  };
  const flood = "x".repeat(200_000);
  const text = `begun ${NONCE}\nended 0\nended other 0\nKilled\n${flood}\nended ${NONCE} 3 pipe 1 0 \n`;
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 5 }), (cuts) => {
      assert.deepEqual(said(text, cuts), [["begun", ""], ["ended", "3 pipe 1 0 "]]);
    }),
    { numRuns: 50 },
  );
  assert.deepEqual(said(`ended ${NONCE} 3`), []);
});

Deno.test("a request is its fields, each with a NUL behind it", () => {
  const sent = (fields: readonly string[]) => new TextDecoder().decode(encodeFields(fields));
  const fields = requestFields({ reporter: "", argv: ["/bin/bash", "-c", "a\nb"] });
  assert.equal(sent(["n", ...fields]), "n\0\x003\0/bin/bash\0-c\0a\nb\0");
  assert.equal(sent(NO_COMMAND), "\x000\0");
});

Deno.test("environments that change how a shell reads get no room", () => {
  const fit: Record<string, string>[] = [{}, { LANG: "C" }, { LC_ALL: "de_DE.UTF-8", LANG: "ja_JP.SJIS" }, {
    LC_CTYPE: "C.utf8",
  }, { LANG: "" }];
  const unfit: Record<string, string>[] = [
    { TMOUT: "5" },
    { POSIXLY_CORRECT: "" },
    { GLOBIGNORE: "*" },
    { BASHOPTS: "x" },
    { BASH_ARGV0: "x" },
    { reasonix_nonce: "" },
    { LANG: "ja_JP.SJIS" },
    {
      LC_ALL: "zh_CN.GBK",
      LANG: "C",
    },
  ];
  assert.deepEqual(fit.map(canKeep), fit.map(() => true));
  assert.deepEqual(unfit.map(canKeep), unfit.map(() => false));
});
