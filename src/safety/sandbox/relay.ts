/** Bytes from one connection to another. */

/** Copies to the end of `from` and closes the writing half of `to`. */
export async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
      await writeAll(to, buffer.subarray(0, count));
    }
    await to.closeWrite();
  } catch {
    // Either side has gone: nothing more will pass.
    try {
      to.close();
    } catch {
      // Closed already.
    }
  }
}

export async function writeAll(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}
