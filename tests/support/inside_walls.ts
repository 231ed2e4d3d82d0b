/**
 * Programs of the project as the walls of commands show them. Inside, `/tmp` is the session's own, so a checkout that
 * lies there is copied to where it can be seen for as long as the tests of one file run.
 */
import { join } from "../../src/lib/path.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
const NEEDED = ["src", "tests/support", "tests/sandbox", "plugins", "deno.json", "deno.lock"];

let copy: string | undefined;

/** A path of the project, by its place in it. */
export function insideWalls(path: string): string {
  return join(ROOT.startsWith("/tmp/") ? copy ??= copyOut() : ROOT, path);
}

function copyOut(): string {
  const folder = Deno.makeTempDirSync({ dir: "/var/tmp", prefix: "reasonix-test-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const args = ["--recursive", "--parents", ...NEEDED, folder];
  const { success, stderr } = new Deno.Command("cp", { args, cwd: ROOT }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return folder;
}
