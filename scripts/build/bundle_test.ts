// The launcher of a bundle, with a `deno` in the PATH that says what it was called with.
import assert from "node:assert/strict";
import { writeLaunchers } from "./bundle.ts";

const ignore = Deno.build.os === "windows";

Deno.test("the launcher starts the program of its own folder, however it is called", { ignore }, async () => {
  const folder = await Deno.makeTempDir({ prefix: "reasonix-launcher-" });
  const bundle = `${folder}/a b/bundle`;
  const links = `${folder}/links`;
  try {
    for (const path of [bundle, links]) await Deno.mkdir(path, { recursive: true });
    await Deno.writeTextFile(`${links}/deno`, `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 });
    await writeLaunchers(`${bundle}/reasonix`, "run --flag", "boot.js");
    await Deno.symlink("../a b/bundle/reasonix", `${links}/relative`);
    await Deno.symlink(`${links}/relative`, `${links}/absolute`);
    const called = async (command: string, cwd: string) => {
      const { stdout } = await new Deno.Command("sh", {
        args: ["-c", `${command} run "two words"`],
        cwd,
        env: { PATH: `${links}:${Deno.env.get("PATH")}` },
      }).output();
      const [run, flag, config, settings, main, ...args] = new TextDecoder().decode(stdout).trimEnd().split("\n");
      const files = [settings!, main!].map((path) => Deno.realPathSync(path.startsWith("/") ? path : `${cwd}/${path}`));
      return [run, flag, config, ...files, ...args];
    };
    await Deno.writeTextFile(`${bundle}/deno.json`, "");
    await Deno.writeTextFile(`${bundle}/boot.js`, "");
    const program = await Deno.realPath(bundle);
    const expected = ["run", "--flag", "--config", `${program}/deno.json`, `${program}/boot.js`, "run", "two words"];
    for (
      const [command, cwd] of [
        [`'${bundle}/reasonix'`, folder],
        ["./reasonix", bundle],
        ["sh reasonix", bundle],
        ["'a b/bundle/reasonix'", folder],
        ["relative", folder],
        ["absolute", bundle],
        ["links/absolute", folder],
      ] as const
    ) assert.deepEqual(await called(command, cwd), expected, command);

    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: [`${bundle}/reasonix`, "run"],
      clearEnv: true,
      env: { PATH: bundle },
    }).output();
    assert.deepEqual([code, stdout.length], [1, 0]);
    assert.match(new TextDecoder().decode(stderr), /^reasonix: .*no deno in the PATH.*\nInstall it.*\n$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
