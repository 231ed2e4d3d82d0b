/** Writes that leave nothing half behind when the disk is full. */

export interface CreateOptions {
  readonly mode?: number;
}

/** A new file, whole or not at all. Throws what the system answers, `AlreadyExists` among it. */
export async function createFile(
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  { mode }: CreateOptions = {},
): Promise<void> {
  const file = await Deno.open(path, { write: true, createNew: true, ...(mode === undefined ? {} : { mode }) });
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  } finally {
    file.close();
  }
}

/** `file` is open for appending. What went in of bytes that did not all go in is cut off again; the error is thrown. */
export function appendWhole(file: Deno.FsFile, bytes: Uint8Array): void {
  let at = 0;
  try {
    while (at < bytes.length) at += file.writeSync(bytes.subarray(at));
  } catch (error) {
    if (at > 0) cutBack(file, at);
    throw error;
  }
}

function cutBack(file: Deno.FsFile, count: number): void {
  try {
    file.truncateSync(file.statSync().size - count);
  } catch {
    // A pipe takes nothing back.
  }
}
