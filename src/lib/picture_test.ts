import assert from "node:assert/strict";
import { toDataUrl } from "./picture.ts";

Deno.test("a picture of any size becomes the URL of its bytes", async () => {
  for (const size of [0, 1, 2, 3, 24_575, 24_576, 24_577, 100_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, at) => at * 7 % 256);
    const url = toDataUrl(bytes, "PNG");
    const back = new Uint8Array(await (await fetch(url)).arrayBuffer());
    assert.deepEqual(back, bytes);
    assert.ok(url.startsWith("data:image/png;base64,"));
  }
});
