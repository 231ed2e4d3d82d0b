import assert from "node:assert/strict";
import { basename, dirname, extension, isInside, join, normalize, relativeTo } from "./path.ts";

Deno.test("join() lets an absolute part start anew and removes dots", () => {
  assert.equal(join("/a/b", "../c", "./d"), "/a/c/d");
  assert.equal(join("/a", "/b"), "/b");
  assert.equal(join("a", "..", "..", "b"), "../b");
  assert.equal(join(""), ".");
});

Deno.test("normalize() never climbs above the root", () => {
  assert.equal(normalize("/../../etc"), "/etc");
  assert.equal(normalize("//a//b/"), "/a/b");
});

Deno.test("isInside() compares by segment", () => {
  assert.equal(isInside("/p/app", "/p/app"), true);
  assert.equal(isInside("/p/app/x", "/p/app"), true);
  assert.equal(isInside("/p/app-private/k", "/p/app"), false);
  assert.equal(isInside("/x", "/"), true);
});

Deno.test("names of parts", () => {
  assert.equal(dirname("/a/b"), "/a");
  assert.equal(dirname("/a"), "/");
  assert.equal(dirname("a"), ".");
  assert.equal(basename("/a/b/"), "b");
  assert.equal(extension("/a/B.Ts"), ".ts");
  assert.equal(extension(".env"), "");
  assert.equal(relativeTo("/p/app/x/y", "/p/app"), "x/y");
  assert.equal(relativeTo("/q", "/p"), "/q");
});
