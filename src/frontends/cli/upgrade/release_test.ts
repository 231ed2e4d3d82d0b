import assert from "node:assert/strict";
import {
  assetName,
  baseVersion,
  checksumFor,
  compareVersions,
  newestRelease,
  parseVersion,
  safeUrl,
} from "./release.ts";

const INDEX = "https://releases.example/x/index.json";

// proves DIST-06
Deno.test("only tags of the exact form vX.Y.Z are releases", () => {
  const odd = ["1.2.3", "v1.2", "v1.2.3-rc1", "v01.2.3", "v1.2.3.4", "v1.2.3+b", "V1.2.3", "v1.2.3 ", "latest", ""];
  assert.deepEqual(odd.map(parseVersion), odd.map(() => undefined));
  assert.deepEqual(parseVersion("v10.0.3"), [10, 0, 3]);
});

// proves DIST-06
Deno.test("the newest release wins by number, not by place; drafts and previews are none", () => {
  const index = [
    { tag_name: "v1.9.0" },
    { tag_name: "v1.10.0" },
    { tag_name: "v3.0.0", draft: true },
    { tag_name: "v2.0.0", prerelease: true },
    { tag_name: "v9.0.0-canary" },
    "v8.0.0",
  ];
  assert.equal(newestRelease(index, INDEX)?.tag, "v1.10.0");
  assert.equal(newestRelease({ releases: [{ tag: "v0.1.0" }] }, INDEX)?.tag, "v0.1.0");
  assert.equal(newestRelease([], INDEX), undefined);
  assert.throws(() => newestRelease("<html>", INDEX), { code: "provider.bad_response" });
});

Deno.test("files lie where the index says, else beside it in the folder of the tag", () => {
  const url = "https://cdn.example/a";
  const named = newestRelease([{ tag_name: "v1.0.0", assets: [{ name: "a", browser_download_url: url }] }], INDEX)!;
  assert.deepEqual([named.asset("a"), named.asset("b")], [url, undefined]);
  assert.equal(newestRelease([{ tag: "v1.0.0" }], INDEX)!.asset("a"), "https://releases.example/x/v1.0.0/a");
});

Deno.test("nothing is fetched without encryption but from this machine", () => {
  assert.equal(safeUrl("http://127.0.0.1:8/i"), "http://127.0.0.1:8/i");
  for (const url of ["http://releases.example/i", "file:///etc/passwd", "ftp://h/x", "nonsense"]) {
    assert.throws(() => safeUrl(url), { code: "cli.usage" }, url);
  }
  const index = [{ tag_name: "v1.0.0", assets: [{ name: "a", url: "http://elsewhere.example/a" }] }];
  assert.throws(() => newestRelease(index, INDEX)!.asset("a"), { code: "cli.usage" });
});

Deno.test("a build after a release counts as that release", () => {
  assert.deepEqual(baseVersion("v1.2.3-14-gdeadbee"), [1, 2, 3]);
  assert.deepEqual(baseVersion("v1.2.3"), [1, 2, 3]);
  assert.equal(baseVersion("dev"), undefined);
  assert.ok(compareVersions([1, 2, 10], [1, 2, 9]) > 0);
});

Deno.test("hashes are found by the whole name of the file", () => {
  const [a, b] = ["a".repeat(64), "B".repeat(64)];
  const sums = `${a}  reasonix-linux-amd64.exe\n${b} *reasonix-linux-amd64\r\nnoise\n`;
  assert.equal(checksumFor(sums, "reasonix-linux-amd64"), "b".repeat(64));
  assert.equal(checksumFor(sums, "linux-amd64"), undefined);
});

Deno.test("the executable of a release is named as the build names it", () => {
  assert.deepEqual([assetName("linux", "x86_64"), assetName("windows", "aarch64")], [
    "reasonix-linux-amd64",
    "reasonix-windows-arm64.exe",
  ]);
});
