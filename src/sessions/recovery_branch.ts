/**
 * Writes the messages of a transcript into a file of its own: all of them when theirs was touched from outside, the
 * first ones when the conversation is to go on in two ways.
 */
import type { MessageLog, Span } from "./message_log.ts";
import type { Holder } from "./ownership.ts";
import { encodeRecord } from "./record.ts";
import { TranscriptFile } from "./transcript_file.ts";

export interface WrittenBranch {
  readonly file: TranscriptFile;
  /** Where each message lies in it; undefined for one that could not be had. */
  readonly spans: readonly (Span | undefined)[];
  /** Messages whose long or full texts went with the other file. */
  readonly lost: number;
}

/** Throws `session.write_failed` and leaves nothing behind. */
export function writeBranch(
  path: string,
  options: { readonly log: MessageLog; readonly holder: Holder; readonly places?: readonly number[] },
): WrittenBranch {
  const { log } = options;
  const file = TranscriptFile.create(path, options.holder);
  try {
    let lost = 0;
    const places = options.places ?? log.messages.map((_, index) => index);
    const spans = places.map((index) => {
      const stored = log.storedLine(index);
      if (stored === undefined && !log.isWhole(index)) lost++;
      const line = stored ?? fromMemory(log, index);
      return line === undefined ? undefined : file.write(line);
    });
    return { file, spans, lost };
  } catch (error) {
    file.discard();
    throw error;
  }
}

function fromMemory(log: MessageLog, index: number): Uint8Array | undefined {
  try {
    return encodeRecord(log.messages[index]!);
  } catch {
    // Its long texts were in the file that is gone.
    return undefined;
  }
}
