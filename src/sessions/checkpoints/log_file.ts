/** The log on disk: whole lines at its end, and a torn last one cut off before the next is written. */
import { toBytes } from "../../lib/bytes.ts";
import { unreadable } from "../session_errors.ts";
import { mustBeOwnFolder, openSideFile, readSideFile, writeAll } from "../side_file.ts";
import { Ledger } from "./ledger.ts";
import { type CheckpointRecord, formatRecord, parseRecord } from "./record.ts";

export class CheckpointLog {
  readonly ledger: Ledger;
  #directory: string;
  readonly #now: () => number;
  /** Bytes of whole lines. */
  #size: number;

  private constructor(directory: string, state: { ledger: Ledger; size: number; now: () => number }) {
    this.#directory = directory;
    this.ledger = state.ledger;
    this.#size = state.size;
    this.#now = state.now;
  }

  /** A log that is not there is empty. Throws `session.unreadable` for one that cannot be read. */
  static open(directory: string, options: { now(): number }): CheckpointLog {
    const ledger = new Ledger();
    const { now } = options;
    let bytes: Uint8Array;
    try {
      mustBeOwnFolder(directory);
      bytes = readSideFile(`${directory}/log.jsonl`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return new CheckpointLog(directory, { ledger, size: 0, now });
      throw unreadable(directory, error);
    }
    const size = bytes.lastIndexOf(10) + 1;
    for (const line of new TextDecoder().decode(bytes.subarray(0, size)).split("\n")) {
      const record = line === "" ? undefined : parseRecord(line);
      if (record) ledger.add(record);
    }
    return new CheckpointLog(directory, { ledger, size, now });
  }

  /** The log lies elsewhere now. */
  relocate(directory: string): void {
    this.#directory = directory;
  }

  /**
   * In one write, all or none. `sync` waits for the disk. Throws what the system answers; then the log is as it was.
   */
  async append(records: readonly CheckpointRecord[], options: { readonly sync: boolean }): Promise<void> {
    if (records.length === 0) return;
    const bytes = toBytes(records.map((record) => formatRecord(record, this.#now())).join(""));
    mustBeOwnFolder(this.#directory);
    await Deno.mkdir(this.#directory, { recursive: true, mode: 0o700 });
    using file = openSideFile(`${this.#directory}/log.jsonl`, { append: true }).file;
    if ((await file.stat()).size !== this.#size) await file.truncate(this.#size);
    try {
      writeAll(file, bytes);
      if (options.sync) await file.syncData();
    } catch (error) {
      await file.truncate(this.#size).catch(() => {});
      throw error;
    }
    this.#size += bytes.length;
    for (const record of records) this.ledger.add(record);
  }
}
