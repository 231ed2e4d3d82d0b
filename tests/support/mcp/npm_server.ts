/** Servers published on npm, run by Deno: fetched into its cache once, and not run when that is not possible. */

/** Arguments for `deno`, or why there are none. */
export async function fetchServer(
  spec: string,
): Promise<{ readonly args: readonly string[] } | { readonly missing: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--no-config", "--no-lock", `npm:${spec}`],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  }).output();
  if (code === 0) return { args: ["run", "-A", "--no-config", "--no-lock", "--no-check", "--quiet", `npm:${spec}`] };
  return { missing: `${spec} cannot be fetched: ${new TextDecoder().decode(stderr).trim().split("\n").at(-1)}` };
}
