import assert from "node:assert/strict";
import fc from "fast-check";
import { sharedPath } from "../../tests/support/shared.ts";
import { sha256, toBytes } from "./bytes.ts";
import { decodeText, encodeText, markOf, type TextEncoding } from "./text_encoding.ts";

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(" ", "").match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

async function reencode(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const decoded = await decodeText(bytes);
  if (decoded.kind !== "text") return undefined;
  const content = await encodeText(decoded.text, decoded.encoding);
  return content === undefined ? undefined : Uint8Array.from([...markOf(decoded.encoding), ...content]);
}

Deno.test("marks are recognised, kept out of the text and written back", async () => {
  const cases: [string, string, TextEncoding][] = [
    ["EF BB BF 61", "a", { name: "utf-8", bom: true, writable: true }],
    ["FF FE 61 00 2D 4E", "a中", { name: "utf-16le", bom: true, writable: true }],
    ["FE FF 00 61 4E 2D", "a中", { name: "utf-16be", bom: true, writable: true }],
    ["61", "a", { name: "utf-8", bom: false, writable: true }],
    ["", "", { name: "utf-8", bom: false, writable: true }],
  ];
  for (const [hex, text, encoding] of cases) {
    assert.deepEqual(await decodeText(bytesOf(hex)), { kind: "text", text, encoding });
    assert.deepEqual(await reencode(bytesOf(hex)), bytesOf(hex));
  }
});

Deno.test("a marked file with bytes that are not valid is shown but never written", async () => {
  for (const hex of ["EF BB BF 61 FF 62", "FF FE 61 00 00 D8 62 00", "FF FE 61 00 62"]) {
    const decoded = await decodeText(bytesOf(hex));
    assert.ok(decoded.kind === "text");
    assert.equal(decoded.encoding.writable, false);
    assert.ok(decoded.text.startsWith("a"));
    assert.equal(await encodeText(decoded.text, decoded.encoding), undefined);
  }
});

Deno.test("UTF-16 without a mark is text only when nothing speaks against it", async () => {
  const wide = (text: string, little: boolean) =>
    Uint8Array.from([...text].flatMap((c) => little ? [c.charCodeAt(0), 0] : [0, c.charCodeAt(0)]));
  for (const little of [true, false]) {
    const decoded = await decodeText(wide("Windows Registry Editor\r\n\r\n", little));
    assert.deepEqual(decoded, {
      kind: "text",
      text: "Windows Registry Editor\r\n\r\n",
      encoding: { name: little ? "utf-16le" : "utf-16be", bom: false, writable: true },
    });
  }
  const png = bytesOf("89504E470D0A1A0A0000000D49484452" + "00AA".repeat(64));
  assert.deepEqual(await decodeText(png), { kind: "image", format: "PNG" });
  const headless = bytesOf("8850" + "00AA".repeat(64));
  assert.deepEqual(await decodeText(headless), { kind: "binary" });
  const numbers = new Uint8Array(Uint16Array.from({ length: 400 }, (_, i) => i).buffer);
  assert.deepEqual(await decodeText(numbers), { kind: "binary" });
  assert.deepEqual(await decodeText(wide("odd", true).subarray(0, 5)), { kind: "binary" });
});

Deno.test("a NUL byte in the first 8 KiB makes a file binary, a later one does not", async () => {
  const text = "x".repeat(9000);
  const early = toBytes(`${text.slice(0, 8191)}\0${text}`);
  assert.deepEqual(await decodeText(early), { kind: "binary" });
  const late = toBytes(`${text}\0`);
  assert.equal((await decodeText(late)).kind, "text");
});

Deno.test("images are told by what they start with", async () => {
  const heads = {
    PNG: "89504E470D0A1A0A",
    JPEG: "FFD8FFE0",
    GIF: "474946383961",
    WebP: "524946460000000057454250",
  };
  for (const [format, hex] of Object.entries(heads)) {
    assert.deepEqual(await decodeText(bytesOf(hex)), { kind: "image", format });
  }
});

Deno.test("short Chinese texts in GBK are GB18030, accented European ones are not", async () => {
  const gb18030 = { name: "gb18030", bom: false, writable: true };
  assert.deepEqual(await decodeText(bytesOf("D6D0CEC4")), { kind: "text", text: "中文", encoding: gb18030 });
  const comment = bytesOf("2F2F20D6D0CEC4D7A2CACD0A696E7420783B0A");
  assert.deepEqual(await decodeText(comment), { kind: "text", text: "// 中文注释\nint x;\n", encoding: gb18030 });
  for (const hex of ["636166E92061", "E9636F6C65", "6E61EF7665", "FC626572", "61E4F6FC62"]) {
    const decoded = await decodeText(bytesOf(hex));
    assert.deepEqual(decoded.kind === "text" && decoded.encoding, {
      name: "windows-1252",
      bom: false,
      writable: false,
    });
  }
});

Deno.test("UTF-8 with a few bad bytes is shown as UTF-8 but not written", async () => {
  const bytes = Uint8Array.from([...toBytes("中文注释\n"), 0xe4, 0xb8]);
  assert.deepEqual(await decodeText(bytes), {
    kind: "text",
    text: "中文注释\n\ufffd",
    encoding: { name: "utf-8", bom: false, writable: false },
  });
});

Deno.test("a large legacy file is judged by its first lines that are not ASCII", async () => {
  const line = [...bytesOf("D6D0CEC4"), 0x0a];
  const ascii = toBytes("plain\n".repeat(20_000));
  const bytes = new Uint8Array(ascii.length + line.length * 20_000);
  bytes.set(ascii);
  for (let i = 0; i < 20_000; i++) bytes.set(line, ascii.length + i * line.length);
  const decoded = await decodeText(bytes);
  assert.deepEqual(decoded.kind === "text" && decoded.encoding, { name: "gb18030", bom: false, writable: true });
  assert.deepEqual(await reencode(bytes), bytes);
});

Deno.test("what an encoding cannot hold is not encoded", async () => {
  const unpaired = "a\ud800b";
  for (const name of ["utf-8", "utf-16le", "utf-16be", "gb18030"]) {
    assert.equal(await encodeText(unpaired, { name, bom: false, writable: true }), undefined);
  }
  assert.equal(await encodeText("a", { name: "koi8-r", bom: false, writable: false }), undefined);
});

Deno.test("decoded and encoded again, every text that may be written has the bytes it had", async () => {
  const encodings = ["utf-8", "utf-16le", "utf-16be"].flatMap((name) => [
    { name, bom: true, writable: true },
    { name, bom: false, writable: true },
  ]);
  const text = fc.string({ unit: "binary", maxLength: 60 });
  await fc.assert(fc.asyncProperty(text, fc.constantFrom(...encodings), async (content, encoding) => {
    const encoded = await encodeText(content, encoding);
    assert.ok(encoded !== undefined);
    const bytes = Uint8Array.from([...markOf(encoding), ...encoded]);
    const again = await reencode(bytes);
    if (again !== undefined) assert.deepEqual(again, bytes);
  }));
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
    const again = await reencode(bytes);
    if (again !== undefined) assert.deepEqual(again, bytes);
  }));
});

interface ExpectedEncoding {
  readonly file: string;
  readonly charset: string;
  readonly utf8Sha256: string;
  readonly sameAsUtf8Twin: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  cp737: "cp737",
  euc_jp: "euc-jp",
  cp932: "shift_jis",
  euc_kr: "euc-kr",
  cp1250: "windows-1250",
  iso8859_2: "iso-8859-2",
  koi8_r: "koi8-r",
  cp1251: "windows-1251",
  big5: "big5",
  gb2312: "gb18030",
  iso8859_9: "windows-1254",
  iso8859_1: "windows-1252",
};

const folder = sharedPath("fixtures/edit/encodings");

Deno.test({
  name: "texts of thirteen legacy charsets are named, shown right, and only the Chinese one may be written",
  ignore: folder === undefined,
  fn: async () => {
    const expected = JSON.parse(await Deno.readTextFile(`${folder}/expected.json`)) as ExpectedEncoding[];
    for (const { file, charset, utf8Sha256, sameAsUtf8Twin } of expected) {
      const bytes = await Deno.readFile(`${folder}/${file}`);
      const decoded = await decodeText(bytes);
      assert.ok(decoded.kind === "text", file);
      assert.deepEqual(decoded.encoding, {
        name: NAMES[charset],
        bom: false,
        writable: charset === "gb2312",
      }, file);
      if (sameAsUtf8Twin) assert.equal(await sha256(decoded.text), utf8Sha256, file);
      assert.deepEqual(await reencode(bytes), charset === "gb2312" ? bytes : undefined, file);
    }
  },
});
