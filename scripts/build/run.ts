/** Runs a Deno, this one if no other is named; throws with what it said on standard error. */
export async function deno(
  args: readonly string[],
  options: { readonly cwd: string; readonly program?: string; readonly env?: Readonly<Record<string, string>> },
): Promise<void> {
  const { success, stderr } = await new Deno.Command(options.program ?? Deno.execPath(), {
    args: [...args],
    cwd: options.cwd,
    env: { NO_COLOR: "1", ...options.env },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`deno ${args[0]}: ${new TextDecoder().decode(stderr).trim()}`);
}
