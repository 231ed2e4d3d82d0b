import assert from "node:assert/strict";
import { resolvePaths } from "./paths.ts";

const places = (env: Record<string, string>, os: "linux" | "darwin" = "linux") => {
  const { home, state, cache, userConfig, envFile, isolated } = resolvePaths((name) => env[name], { os, cwd: "/cwd" });
  return { home, state, cache, userConfig, envFile, isolated };
};

// proves CFG-02
Deno.test("without variables everything lies in ~/.reasonix and the system's cache", () => {
  assert.deepEqual(places({ HOME: "/h" }), {
    home: "/h/.reasonix",
    state: "/h/.reasonix",
    cache: "/h/.cache/reasonix",
    userConfig: "/h/.reasonix/config.toml",
    envFile: "/h/.reasonix/.env",
    isolated: false,
  });
  assert.equal(places({ HOME: "/h" }, "darwin").cache, "/h/Library/Caches/reasonix");
});

// proves CFG-02
Deno.test("on Windows the home lies in %AppData%", () => {
  const env: Record<string, string> = { USERPROFILE: "C:/U", APPDATA: "C:/U/Roaming", LOCALAPPDATA: "C:/U/Local" };
  // Paths of another system are text here; they are absolute only where Windows runs.
  const paths = resolvePaths((name) => env[name], { os: "windows", cwd: "C:/" });
  assert.deepEqual([paths.home, paths.cache], ["C:/U/Roaming/reasonix", "C:/U/Local/reasonix/cache"]);
});

Deno.test("REASONIX_HOME moves everything and isolates", () => {
  assert.deepEqual(places({ HOME: "/h", REASONIX_HOME: "/r" }), {
    home: "/r",
    state: "/r",
    cache: "/r/cache",
    userConfig: "/r/config.toml",
    envFile: "/r/.env",
    isolated: true,
  });
  assert.equal(places({ REASONIX_HOME: "rel" }).home, "/cwd/rel");
  assert.equal(places({ HOME: "/h", REASONIX_HOME: "~/r" }).home, "/h/r");
});

Deno.test("state and cache move on their own; state never takes settings or keys along", () => {
  const paths = places({ HOME: "/h", REASONIX_HOME: "/r", REASONIX_STATE_HOME: "/s", REASONIX_CACHE_HOME: "/c" });
  assert.deepEqual([paths.home, paths.state, paths.cache, paths.envFile], ["/r", "/s", "/c", "/r/.env"]);
});

Deno.test("blank variables count as unset, a relative XDG_CACHE_HOME is ignored", () => {
  assert.equal(places({ HOME: "/h", REASONIX_HOME: " " }).home, "/h/.reasonix");
  assert.equal(places({ HOME: "/h", XDG_CACHE_HOME: "rel" }).cache, "/h/.cache/reasonix");
  assert.equal(places({ HOME: "/h", XDG_CACHE_HOME: "/x" }).cache, "/x/reasonix");
});

Deno.test("no home at all is said", () => {
  assert.throws(() => places({}), { code: "config.unreadable" });
});
