// Packs as they lie in a folder.
import assert from "node:assert/strict";
import { Script } from "node:vm";
import { deflateRawSync } from "node:zlib";
import { boot, thisRuntime } from "./boot.ts";

let made = 0;

/** Another one each time: what an engine has compiled it knows without a cache. */
const text = (name: string, does: string) =>
  `(function(setTimeout){"use strict";return{"${name}.js":function(module, require){${does}}}})/*${made++}*/`;

/** Boots a pack of each kind; answers what was opened, and whether the engine took a cache with it. */
async function opened(
  { deflated = false, runtime = thisRuntime(), cache }: {
    readonly deflated?: boolean;
    readonly runtime?: string;
    readonly cache?: (source: string) => Uint8Array;
  },
): Promise<[string, boolean][]> {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-boot-" });
  try {
    const packs = {
      first: text("main", `require("./a.js");require("./own.js")`),
      screen: text("a", ""),
      own: text("own", ""),
    };
    for (const [pack, source] of Object.entries(packs)) {
      const write = async (file: string, bytes: Uint8Array) => {
        await Deno.writeFile(`${folder}/${file}`, deflated && pack !== "first" ? deflateRawSync(bytes) : bytes);
      };
      await write(`${pack}.txt`, new TextEncoder().encode(source));
      if (pack === "own" || !cache) continue;
      await write(`${pack}.cache`, cache(source));
    }
    const seen: [string, boolean][] = [];
    const plan = { groups: { first: "main.js", screen: "a.js" }, base: "file:///program/", deflated, runtime };
    boot(plan, folder, (pack, _script, taken) => seen.push([pack, taken]));
    return seen;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** As another program of this engine records it: here the source would be known. */
function recorded(source: string): Uint8Array {
  const code = `import { Script } from "node:vm";
    Deno.stdout.writeSync(new Script(${JSON.stringify(source)}).createCachedData());`;
  return new Deno.Command(Deno.execPath(), { args: ["eval", code] }).outputSync().stdout;
}

const NONE = [["first", false], ["screen", false], ["own", false]];

for (const deflated of [false, true]) {
  Deno.test(`the engine takes caches that lie ${deflated ? "deflated" : "as they are"}`, async () => {
    assert.deepEqual(await opened({ deflated, cache: recorded }), [["first", true], ["screen", true], ["own", false]]);
  });
}

Deno.test("a cache that does not fit is refused, and the program runs all the same", async () => {
  const cache = () => new Script("1").createCachedData();
  assert.deepEqual(await opened({ cache }), NONE);
});

Deno.test("caches of another runtime are not even read", async () => {
  const seen = await opened({ runtime: "15.0 another-processor" });
  assert.deepEqual(seen, NONE);
});
