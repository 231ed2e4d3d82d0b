/**
 * Replaces a small file in one step: a reader sees the old text or the new one. Not flushed: for state that can be
 * rebuilt, where a turn must not wait for the disk.
 */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${Deno.pid}.tmp`;
  try {
    Deno.writeTextFileSync(temporary, text, { mode: 0o600 });
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was never made.
    }
    throw error;
  }
}
