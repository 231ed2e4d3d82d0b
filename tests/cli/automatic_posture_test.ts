// The program as a process, against an endpoint on loopback.
import assert from "node:assert/strict";
import { makePlace, startEndpoint } from "../../scripts/endpoint.ts";

const program = decodeURIComponent(new URL("../../main.ts", import.meta.url).pathname);

for (const flags of [["--auto"], ["-y"], ["--permission-mode", "auto"]]) {
  // proves PERM-42
  Deno.test(`run ${flags.join(" ")} lets an ordinary writer run without a question`, async () => {
    const endpoint = startEndpoint([
      { tool: "write_file", args: { path: "note.txt", content: "written\n" } },
      { text: "Done." },
    ]);
    const place = await makePlace(endpoint);
    try {
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", program, "run", ...flags, "-p", "write the note"],
        cwd: place.workspace,
        clearEnv: true,
        env: { ...place.env, DENO_DIR: moduleCache() },
        stdin: "null",
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      assert.deepEqual(
        { code, stdout: text(stdout), stderr: text(stderr) },
        { code: 0, stdout: "Done.\n", stderr: "" },
      );
      assert.equal(await Deno.readTextFile(`${place.workspace}/note.txt`), "written\n");
    } finally {
      await endpoint.stop();
      await place.remove();
    }
  });
}

/** The program's modules are ready there, whatever home it is given. */
function moduleCache(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
}
