import assert from "node:assert/strict";
import { configFiles } from "../../tests/support/config_files.ts";
import { loadConfig } from "./load.ts";
import { agreement, projectDemands } from "./project_demands.ts";
import { forgetFolder, loadFolderTrust, saveFolderTrust, untrustableReason } from "./trusted_folders.ts";

Deno.test("a folder is remembered with what it asked for, and forgotten again", async () => {
  using place = configFiles();
  const file = place.paths.trustedFolders;
  const demands = [{ kind: "setting", name: "sandbox.bash", value: '"off"' }] as const;
  await saveFolderTrust(file, { folder: "/a", answer: "trusted", demands });
  await saveFolderTrust(file, { folder: "/a/b", answer: "declined", demands: [] });
  assert.deepEqual(await loadFolderTrust(file, "/a"), { folder: "/a", answer: "trusted", demands: [...demands] });
  assert.deepEqual(await loadFolderTrust(file, "/a/b"), { folder: "/a/b", answer: "declined", demands: [] });
  assert.equal(await loadFolderTrust(file, "/a/c"), undefined);
  assert.equal(Deno.statSync(file).mode! & 0o777, 0o600);
  assert.equal(await forgetFolder(file, "/a"), true);
  assert.equal(await forgetFolder(file, "/a"), false);
  assert.equal(await loadFolderTrust(file, "/a"), undefined);
});

Deno.test("a file that makes no sense trusts nothing and is started anew", async () => {
  using place = configFiles();
  const file = place.paths.trustedFolders;
  Deno.mkdirSync(place.paths.home, { recursive: true });
  for (const text of ["{", "[]", '{"folders":[{"folder":"/a","answer":"trusted"}]}', '{"folders":{"/a":true}}']) {
    Deno.writeTextFileSync(file, text);
    assert.equal(await loadFolderTrust(file, "/a"), undefined, text);
  }
  await saveFolderTrust(file, { folder: "/a", answer: "trusted", demands: [] });
  assert.equal((await loadFolderTrust(file, "/a"))?.answer, "trusted");
});

Deno.test("home folders, what lies above them and the top of a disk are never trusted", () => {
  const paths = { osHome: "/home/ann", home: "/home/ann/.reasonix" };
  const refused = ["/", "/home", "/home/ann", "/home/ann/.reasonix", "/home/ann/.reasonix/skills", "C:/", "D:\\"];
  assert.deepEqual(refused.filter((folder) => untrustableReason(folder, paths) === undefined), []);
  assert.deepEqual(
    ["/home/ann/work", "/home/annabel", "/srv/x"].map((folder) => untrustableReason(folder, paths)),
    [undefined, undefined, undefined],
  );
});

Deno.test("in a trusted folder what was agreed to holds, and what changed since waits", async () => {
  const before = '[sandbox]\nbash = "off"\n[permissions]\nallow = ["Bash(npm test)"]\n';
  const agreed = async () => {
    using place = configFiles({ project: before });
    return agreement(projectDemands(await loadConfig(place.options)));
  };
  const project = '[sandbox]\nbash = "off"\n[permissions]\nallow = ["Bash"]\n';
  using place = configFiles({ project });
  const loaded = await loadConfig({ ...place.options, trusted: true, agreed: await agreed() });
  assert.deepEqual(loaded.ignored, ["permissions.allow"]);
  assert.equal(loaded.config.sandbox.bash, "off");
  assert.deepEqual(loaded.config.permissions.allow, []);
});

Deno.test("a server that changed since it was agreed to waits where servers need trust", async () => {
  const user = '[security]\nproject_servers = "trusted"\n';
  const servers = (args: string[]) =>
    JSON.stringify({ mcpServers: { s: { command: "c", args }, t: { command: "d" } } });
  const agreed = async () => {
    using place = configFiles({ user, mcpJson: servers(["1"]) });
    return agreement(projectDemands(await loadConfig(place.options)));
  };
  using place = configFiles({ user, mcpJson: servers(["2"]) });
  const loaded = await loadConfig({ ...place.options, trusted: true, agreed: await agreed() });
  assert.deepEqual(loaded.heldServers.map(({ name }) => name), ["s"]);
  assert.deepEqual(loaded.config.plugins.map(({ name }) => name), ["t"]);
});
