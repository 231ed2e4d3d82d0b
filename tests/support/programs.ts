/** What of the machine tests may use. A test that lacks a program is ignored and names the Debian package. */

/** Whether a command starts and ends well. `spawn` of a missing program throws at once, outside any promise. */
export function works(program: string, ...args: readonly string[]): boolean {
  try {
    return new Deno.Command(program, { args: [...args], stdin: "null", stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

export const hasRg = works("rg", "--version");
export const hasGit = works("git", "--version");
export const hasOpenssl = works("openssl", "version");

/** A bubblewrap that is there and may make namespaces. */
export const hasBwrap = Deno.build.os === "linux" &&
  works(
    "bwrap",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-user",
    "--unshare-pid",
    "--",
    "true",
  );

/** Settings that let commands run at all where there is no sandbox. */
export const SANDBOX_AS_AVAILABLE = hasBwrap ? "" : '[sandbox]\nbash = "off"\n';
