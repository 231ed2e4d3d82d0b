/** Servers published on npm, run by Deno: fetched into its cache once, and not run when that is not possible. */

/** A registry may have a bad moment. */
const TRIES = 3;

/** Arguments for `deno`, or why there are none. */
export async function fetchServer(
  spec: string,
): Promise<{ readonly args: readonly string[] } | { readonly missing: string }> {
  const fetchOnce = () =>
    new Deno.Command(Deno.execPath(), {
      args: ["cache", "--no-config", "--no-lock", `npm:${spec}`],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    }).output();
  let { code, stderr } = await fetchOnce();
  for (let tries = 1; code !== 0 && tries < TRIES; tries++) {
    await new Promise((rested) => setTimeout(rested, 2_000));
    ({ code, stderr } = await fetchOnce());
  }
  if (code === 0) return { args: ["run", "-A", "--no-config", "--no-lock", "--no-check", "--quiet", `npm:${spec}`] };
  return { missing: `${spec} cannot be fetched: ${new TextDecoder().decode(stderr).trim().split("\n").at(-1)}` };
}
