/** Writes the conversation of a transcript whose file was touched from outside into a file of its own. */
import type { MessageLog, Span } from "./message_log.ts";
import type { Holder } from "./ownership.ts";
import { encodeRecord } from "./record.ts";
import { TranscriptFile } from "./transcript_file.ts";

export interface RecoveryBranch {
  readonly file: TranscriptFile;
  /** Where each message lies in it; undefined for one that could not be had. */
  readonly spans: readonly (Span | undefined)[];
  /** Messages whose long or full texts went with the other file. */
  readonly lost: number;
}

/** Throws `session.write_failed` and leaves nothing behind. */
export function writeRecoveryBranch(
  path: string,
  options: { readonly log: MessageLog; readonly holder: Holder },
): RecoveryBranch {
  const { log } = options;
  const file = TranscriptFile.create(path, options.holder);
  try {
    let lost = 0;
    const spans = log.messages.map((_, index) => {
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
