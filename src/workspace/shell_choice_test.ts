import assert from "node:assert/strict";
import { chooseShell } from "./shell_choice.ts";

const place = { root: "/nowhere", env: { PATH: "/usr/bin:/bin" } };

Deno.test("an explicit shell wins and is named for its program", () => {
  // proves CFG-34
  assert.deepEqual(chooseShell({ prefer: "bash", path: "/opt/My Shells/ZSH" }, place), {
    name: "zsh",
    path: "/opt/My Shells/ZSH",
  });
  assert.equal(chooseShell({ path: "C:\\Program Files\\PowerShell\\7\\pwsh.exe" }, place).name, "pwsh");
});

Deno.test(
  "bash unless another is preferred, and never one from the workspace",
  { ignore: Deno.build.os === "windows" },
  async () => {
    assert.equal(chooseShell({}, place).name, "bash");
    const root = await Deno.realPath(await Deno.makeTempDir());
    try {
      for (const folder of ["inside", "inside/bin"]) await Deno.mkdir(`${root}/${folder}`);
      await Deno.writeTextFile(`${root}/inside/bin/pwsh`, "#!/bin/sh\n", { mode: 0o755 });
      const env = { PATH: `${root}/inside/bin` };
      const wanted = (workspace: string) => chooseShell({ prefer: "pwsh" }, { root: workspace, env });
      assert.deepEqual(wanted("/nowhere"), { name: "pwsh", path: `${root}/inside/bin/pwsh` });
      assert.equal(wanted(`${root}/inside`).name, "bash");
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
);
