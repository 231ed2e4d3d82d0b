/** Writes the conversation of a transcript whose file was touched from outside into a file of its own. */
import type { MessageLog, Span } from "./message_log.ts";
import type { Holder } from "./ownership.ts";
import { encodeRecord } from "./record.ts";
import { TranscriptFile } from "./transcript_file.ts";

export interface RecoveryBranch {
  readonly file: TranscriptFile;
  /** Where each message lies in it; undefined for one that could not be had. */
  readonly spans: readonly (Span | undefined)[];
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
    const spans = log.messages.map((_, index) => {
      const line = lineOf(log, index);
      return line === undefined ? undefined : file.write(line);
    });
    return { file, spans, lost: spans.filter((span) => span === undefined).length };
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** The stored line where it still is what it was, full texts included; else what memory holds. */
function lineOf(log: MessageLog, index: number): Uint8Array | undefined {
  try {
    return log.storedLine(index) ?? encodeRecord(log.messages[index]!);
  } catch {
    return undefined;
  }
}
