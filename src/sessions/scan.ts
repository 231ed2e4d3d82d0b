/**
 * Reads a file line by line in pieces of a megabyte, so that its size does not matter. Positions are bytes. A line that
 * is longer than any record may be is passed on without its bytes.
 */
import { concatBytes, LF } from "../lib/bytes.ts";
import { MAX_RECORD_BYTES } from "./record.ts";

const PIECE = 1024 * 1024;

export interface Line {
  readonly offset: number;
  /** Without the `\n`. */
  readonly length: number;
  /** Valid during the call only. Undefined for a line too long to hold. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** False for what stands after the last `\n`. */
  readonly ended: boolean;
}

/**
 * Calls `onLine` for every line, blank ones included, from byte `start` of the file, where a line begins; answers where the
 * file ends.
 */
export async function scanLines(file: Deno.FsFile, onLine: (line: Line) => void, start = 0): Promise<number> {
  await file.seek(start, Deno.SeekMode.Start);
  const piece = new Uint8Array(PIECE);
  let held: Uint8Array<ArrayBuffer>[] = [];
  let heldBytes = 0;
  let lineStart = start;
  let position = start;

  const emit = (rest: Uint8Array<ArrayBuffer>, ended: boolean) => {
    const length = heldBytes + rest.length;
    const bytes = length >= MAX_RECORD_BYTES ? undefined : heldBytes === 0 ? rest : concatBytes(...held, rest);
    onLine({ offset: lineStart, length, bytes, ended });
    held = [];
    heldBytes = 0;
  };

  for (;;) {
    const read = await file.read(piece);
    if (read === null) break;
    let from = 0;
    for (;;) {
      const end = piece.subarray(0, read).indexOf(LF, from);
      if (end < 0) break;
      emit(piece.subarray(from, end), true);
      from = end + 1;
      lineStart = position + from;
    }
    if (from < read) {
      if (heldBytes < MAX_RECORD_BYTES) held.push(piece.slice(from, read));
      else held = [];
      heldBytes += read - from;
    }
    position += read;
  }
  if (heldBytes > 0) emit(new Uint8Array(0), false);
  return position;
}
