/**
 * Writes down what a turn takes away, before it is taken away. A checkpoint appears with the first thing there is to
 * note in a turn: conversations that change nothing leave nothing behind. Calls come from tools that may run side by
 * side, so everything here happens one after the other.
 */
import type { CoverageGap, FileChange, FileSnapshots, GapReason } from "../../contract/checkpoint.ts";
import type { ObservedCall } from "../../contract/observer.ts";
import type { Message } from "../../contract/message.ts";
import { FileError } from "../../contract/workspace.ts";
import { errorText } from "../../lib/error_text.ts";
import { dirname, isInside } from "../../lib/path.ts";
import { SerialGate } from "../../lib/serial_gate.ts";
import { decodeText } from "../../lib/text_encoding.ts";
import { toPreview } from "../preview.ts";
import type { Blobs } from "./blobs.ts";
import { ABSENT, type Entry, isSameEntry, kindAt, lookAt } from "./entry.ts";
import { coverageLimits } from "./limits.ts";
import type { CheckpointLog } from "./log_file.ts";
import type { CheckpointRecord } from "./record.ts";

export interface RecorderPorts {
  readonly log: CheckpointLog;
  readonly blobs: Blobs;
  /** Folders whose files can be brought back. Absolute, links resolved. */
  readonly roots: readonly string[];
  readonly messages: readonly Message[];
  /** Hooks run around calls and may write. */
  readonly hooksRun: boolean;
  /** Labels of what runs in the background. */
  running(): readonly string[];
  /** A turn is about to have its first record. */
  opened(): Promise<void>;
}

interface Watched {
  readonly entry: Entry;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export class Recorder implements FileSnapshots {
  readonly #ports: RecorderPorts;
  /** Place of the message the running turn began with. */
  #turn: number | undefined;
  #isOpen = false;
  /** Paths saved in this turn. */
  readonly #saved = new Set<string>();
  readonly #gate = new SerialGate();
  /** What ran when the turn began; noted with the turn's first record. */
  #carried: readonly string[] = [];
  /** Files that held what the agent had left there when the call began: what they hold after it is the call's doing. */
  #watched: ReadonlyMap<string, Watched> = new Map();

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  /** A turn begins whose first message will stand at that place. */
  begin(message: number): Promise<void> {
    return this.#gate.run(() => this.#begin(message));
  }

  /** A call that does not only read. */
  callBegins(call: ObservedCall): Promise<void> {
    return this.#gate.run(() => this.#callBegins(call));
  }

  /** After everything else that writes around calls has done so. */
  callEnded(): Promise<void> {
    return this.#gate.run(() => this.#callEnded());
  }

  async before(change: FileChange): Promise<() => Promise<void>> {
    const paths = await this.#gate.run(() => this.#save(change));
    return async () => {
      // Without this line a later look takes what the agent left for somebody else's work: nothing is lost by it.
      await this.#gate.run(() => this.#noteLeft(paths)).catch(() => {});
    };
  }

  async #begin(message: number): Promise<void> {
    const { log } = this.#ports;
    this.#turn = message;
    this.#isOpen = false;
    this.#saved.clear();
    const { undoable } = log.ledger;
    if (undoable) await log.append([{ type: "state", id: undoable.id, state: "invalidated" }], { sync: false });
    this.#carried = this.#ports.running();
  }

  async #callBegins(call: ObservedCall): Promise<void> {
    const gap = gapOf(call);
    if (gap) await this.#noteGap(gap);
    if (this.#ports.hooksRun) await this.#noteGap({ reason: "hook_write" });
    this.#watched = gap || this.#ports.hooksRun ? await this.#asLeft() : new Map();
  }

  async #callEnded(): Promise<void> {
    const watched = this.#watched;
    this.#watched = new Map();
    const changed: string[] = [];
    const records: CheckpointRecord[] = [];
    for (const [path, { entry: before, bytes }] of watched) {
      const looked = await lookAt(path).catch(() => undefined);
      if (looked === undefined || isSameEntry(looked.entry, before)) continue;
      changed.push(path);
      if (this.#saved.has(path) || (before.kind === "file" && bytes === undefined)) continue;
      if (bytes) await this.#ports.blobs.put(bytes);
      records.push({ type: "file", path, before });
      this.#saved.add(path);
    }
    if (records.length > 0) await this.#append(records, { sync: false });
    await this.#noteLeft(changed);
  }

  async #asLeft(): Promise<ReadonlyMap<string, Watched>> {
    const { ledger } = this.#ports.log;
    const found = new Map<string, Watched>();
    let room = coverageLimits.watchedBytes;
    for (const path of [...ledger.touched].slice(-coverageLimits.watched)) {
      const looked = await lookAt(path).catch(() => undefined);
      if (looked === undefined || !ledger.isAsLeft(path, looked.entry)) continue;
      const { entry, bytes } = looked;
      const fits = bytes !== undefined && bytes.length <= room;
      if (fits) room -= bytes.length;
      found.set(path, fits ? { entry, bytes } : { entry });
    }
    return found;
  }

  async #noteGap(gap: CoverageGap): Promise<void> {
    const { log } = this.#ports;
    if (this.#isOpen && log.ledger.hasGap(gap)) return;
    await this.#append([{ type: "gap", ...gap }], { sync: false });
  }

  /** Makes room for what is about to be saved: before that, for it would be taken for what nobody needs. */
  async #makeRoom(): Promise<void> {
    if (!this.#isOpen) await this.#ports.opened();
  }

  async #append(records: readonly CheckpointRecord[], options: { readonly sync: boolean }): Promise<void> {
    await this.#makeRoom();
    await this.#ports.log.append([...this.#isOpen ? [] : this.#opening(), ...records], options);
    this.#isOpen = true;
    this.#carried = [];
  }

  #opening(): CheckpointRecord[] {
    const message = this.#turn ?? Math.max(0, this.#ports.messages.length - 1);
    const said = this.#ports.messages[message];
    const carried = this.#carried.map((subject): CheckpointRecord => ({
      type: "gap",
      reason: "background_writer_cross_turn",
      subject,
    }));
    return [{
      type: "checkpoint",
      message,
      at: said?.createdAt ?? 0,
      prompt: toPreview(said?.raw_content ?? said?.content ?? ""),
    }, ...carried];
  }

  /** Answers the paths that the change touches. */
  async #save(change: FileChange): Promise<readonly string[]> {
    try {
      const paths = await pathsOf(change);
      const fresh = paths.filter((path) => !this.#saved.has(path));
      if (fresh.length === 0) return paths;
      await this.#makeRoom();
      const records: CheckpointRecord[] = [];
      for (const path of fresh) records.push(...await this.#capture(path));
      await this.#append(records, { sync: true });
      for (const path of fresh) this.#saved.add(path);
      return paths;
    } catch (error) {
      if (error instanceof FileError) throw error;
      const [path] = change.kind === "move" ? [change.from] : [change.path];
      const reason = errorText(error);
      const full = (error as { code?: string }).code === "ENOSPC";
      throw new FileError(
        full ? "no_space" : "failed",
        path,
        `${path} was left alone: what it holds could not be saved first, so the change could not be taken back (${reason})`,
        { cause: error },
      );
    }
  }

  async #capture(path: string): Promise<CheckpointRecord[]> {
    if (!this.#ports.roots.some((root) => isInside(path, root))) {
      return [{ type: "gap", reason: "outside_workspace", subject: path }];
    }
    let looked: Awaited<ReturnType<typeof lookAt>>;
    try {
      looked = await lookAt(path);
    } catch {
      const gap = { type: "gap", reason: "unreadable", subject: path } as const;
      return [{ type: "file", path, before: { kind: "other" }, unsaved: "unreadable" }, gap];
    }
    const { entry, bytes, hardLinked } = looked;
    const gaps: CheckpointRecord[] = hardLinked ? [{ type: "gap", reason: "hardlink", subject: path }] : [];
    if (entry.kind !== "file") return [{ type: "file", path, before: entry }, ...gaps];
    if (bytes === undefined || bytes.length > coverageLimits.fileBytes) {
      return [
        { type: "file", path, before: entry, unsaved: "oversized" },
        { type: "gap", reason: "oversized", subject: path },
        ...gaps,
      ];
    }
    await this.#ports.blobs.put(bytes);
    const encoding = await encodingOf(bytes);
    return [{ type: "file", path, before: entry, ...(encoding ? { encoding } : {}) }, ...gaps];
  }

  async #noteLeft(paths: readonly string[]): Promise<void> {
    const { log, roots } = this.#ports;
    const records: CheckpointRecord[] = [];
    for (const path of paths) {
      if (!roots.some((root) => isInside(path, root))) continue;
      const after: Entry = await lookAt(path).then(({ entry }) => entry, () => ({ kind: "other" }));
      const known = log.ledger.left(path);
      if (known === undefined || !isSameEntry(known, after)) records.push({ type: "left", path, after });
    }
    await log.append(records, { sync: false });
  }
}

/** What cannot be seen beforehand. */
function gapOf({ tool }: ObservedCall): CoverageGap | undefined {
  const reason: GapReason | undefined = tool === "bash"
    ? "bash_side_effect"
    : tool.startsWith("mcp__")
    ? "mcp_external"
    : undefined;
  return reason && { reason, ...(tool === "bash" ? {} : { subject: tool }) };
}

/** Everything the change may make, replace or take away, folders that would be made included. */
async function pathsOf(change: FileChange): Promise<readonly string[]> {
  if (change.kind === "remove") return [change.path];
  if (change.kind === "write") return [...await missingFolders(change.path), change.path];
  const { from, to } = change;
  // Refused: nothing is replaced by a move.
  if (await kindAt(to) !== ABSENT.kind) return [];
  const below = await kindAt(from) === "folder" ? await tree(from) : [];
  return [
    ...await missingFolders(to),
    ...[from, ...below].flatMap((path) => [path, to + path.slice(from.length)]),
  ];
}

async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (await kindAt(folder) !== ABSENT.kind) break;
    missing.unshift(folder);
  }
  return missing;
}

async function tree(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const open = [folder]; open.length > 0;) {
    const next = open.pop()!;
    for await (const entry of Deno.readDir(next)) {
      const path = `${next}/${entry.name}`;
      found.push(path);
      if (found.length > coverageLimits.movedEntries) {
        throw new FileError(
          "too_large",
          folder,
          `${folder} holds more than ${coverageLimits.movedEntries} entries and is not moved as one: it could not be taken back`,
        );
      }
      if (entry.isDirectory) open.push(path);
    }
  }
  return found;
}

/** Larger files are not looked at for this: it is a label. Bytes. */
const NAMED_UP_TO = 1024 * 1024;

async function encodingOf(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.length > NAMED_UP_TO) return undefined;
  const decoded = await decodeText(bytes);
  if (decoded.kind !== "text") return undefined;
  return decoded.encoding.bom ? `${decoded.encoding.name} with mark` : decoded.encoding.name;
}
