/**
 * The one writer of one session. Each message is one write of one whole line; only `sync` waits for the disk. Before each
 * write the file is looked at: if anybody else touched it, the conversation moves to a recovery branch of its own and
 * nothing is overwritten.
 */
import { ReasonixError } from "../contract/errors.ts";
import type { InterruptedTurn, Message } from "../contract/message.ts";
import type { Transcript } from "../contract/session.ts";
import type { ResultStore } from "../contract/tool.ts";
import { dirname } from "../lib/path.ts";
import { ConversationView } from "./conversation.ts";
import { copyProjection } from "./copy.ts";
import { unreadable } from "./session_errors.ts";
import { isUserTurn, MessageLog, type Span } from "./message_log.ts";
import { saveMeta, type SessionMeta } from "./meta.ts";
import type { Holder } from "./ownership.ts";
import { newSessionId, transcriptPath } from "./paths.ts";
import { encodeRecord, MAX_RECORD_BYTES } from "./record.ts";
import { toPreview } from "./preview.ts";
import { writeBranch } from "./recovery_branch.ts";
import { removeSession } from "./remove_session.ts";
import { type Intrusion, TranscriptFile } from "./transcript_file.ts";

export interface TranscriptPorts {
  readonly holder: Holder;
  /** Text held in memory at most, roughly. Bytes. */
  readonly residentBytes: number;
  /** Unix time in milliseconds. */
  now(): number;
  /** Something happened to the session that the person should know: one sentence. */
  notify(text: string): void;
}

export interface OpenedSession {
  readonly file: TranscriptFile;
  readonly log: MessageLog;
  readonly view: ConversationView;
  readonly interrupted?: InterruptedTurn;
}

export class SessionTranscript implements Transcript {
  readonly #ports: TranscriptPorts;
  readonly #log: MessageLog;
  readonly #view: ConversationView;
  #path: string;
  #meta: SessionMeta;
  /** The meta file does not tell all. */
  #metaStale = false;
  /** Undefined until a new session has its first message. */
  #file: TranscriptFile | undefined;
  #interrupted: InterruptedTurn | undefined;
  #closed = false;

  constructor(path: string, meta: SessionMeta, ports: TranscriptPorts, opened?: OpenedSession) {
    this.#path = path;
    this.#meta = meta;
    this.#ports = ports;
    this.#file = opened?.file;
    this.#interrupted = opened?.interrupted;
    const readSpan = (span: Span) => this.#file!.read(span);
    opened?.log.readFrom(readSpan);
    this.#log = opened?.log ?? new MessageLog({
      readSpan,
      residentBytes: ports.residentBytes,
      unreadable: (cause) => unreadable(this.#path, cause),
    });
    this.#view = opened?.view ?? new ConversationView(this.#log.messages);
  }

  get id(): string {
    return this.#meta.id;
  }

  get path(): string {
    return this.#path;
  }

  get messages(): readonly Message[] {
    return this.#view.messages;
  }

  get lastRewind(): string | undefined {
    return this.#view.lastMark;
  }

  get title(): string | undefined {
    return this.#meta.title;
  }

  rename(title: string): void {
    this.#meta = { ...this.#meta, title };
    this.#saveMeta();
  }

  rewind(keep: number, { id }: { readonly id: string }): void {
    if (keep < 0 || keep > this.messages.length) {
      throw new Error(`a conversation of ${this.messages.length} has no ${keep}`);
    }
    this.append({ role: "assistant", local_only: true, rewind: { id, keep }, createdAt: this.#ports.now() });
    this.#interrupted = undefined;
    this.endTurn();
  }

  undoRewind({ id }: { readonly id: string }): boolean {
    const undoes = this.#view.undoable;
    if (undoes === undefined) return false;
    this.append({ role: "assistant", local_only: true, rewind: { id, undoes }, createdAt: this.#ports.now() });
    this.endTurn();
    return true;
  }

  async branch(
    keep: number,
    { title }: { readonly title?: string },
  ): Promise<{ readonly id: string; readonly path: string }> {
    const id = newSessionId(this.#ports.now());
    const path = transcriptPath(dirname(this.#path), id);
    const places = this.messages.slice(0, keep).map((_, index) => this.#view.placeOf(index));
    const { file } = writeBranch(path, { log: this.#log, holder: this.#ports.holder, places });
    try {
      const { model, workspaceRoot } = this.#meta;
      const kept = this.messages.slice(0, keep).filter(isUserTurn);
      saveMeta(path, {
        id,
        createdAt: this.#ports.now(),
        updatedAt: this.#ports.now(),
        parentId: this.id,
        turns: kept.length,
        preview: toPreview(kept[0]?.raw_content ?? kept[0]?.content ?? ""),
        bytes: file.size,
        ...(model === undefined ? {} : { model }),
        ...(workspaceRoot === undefined ? {} : { workspaceRoot }),
        ...(title === undefined ? {} : { title }),
        unknown: {},
      });
      copyProjection(this.#path, path);
      await file.sync();
    } finally {
      file.close();
    }
    return { id, path };
  }

  async discard(): Promise<void> {
    const path = this.#path;
    const isStored = this.#file !== undefined;
    await this.close();
    if (isStored) removeSession(path);
  }

  get results(): ResultStore {
    return this.#log.results;
  }

  get interrupted(): InterruptedTurn | undefined {
    return this.#interrupted;
  }

  append(message: Message): void {
    if (this.#closed) throw new Error(`append to the closed session ${this.id}`);
    const line = this.#encode(message);
    if (this.#file === undefined) this.#appendFirst(message, line);
    else {
      const intrusion = this.#file.intrusion();
      if (intrusion !== undefined) this.#branch(this.#file, intrusion);
      this.#add(message, this.#file.write(line));
      this.#metaStale = true;
    }
  }

  #appendFirst(message: Message, line: Uint8Array): void {
    const file = TranscriptFile.create(this.#path, this.#ports.holder);
    try {
      this.#add(message, file.write(line));
    } catch (error) {
      file.discard();
      throw error;
    }
    this.#file = file;
    this.#saveMeta();
  }

  #add(message: Message, span: Span): void {
    this.#log.add({ ...message }, span);
    this.#view.add(this.#log.messages.at(-1)!);
  }

  #encode(message: Message): Uint8Array {
    try {
      const line = encodeRecord(message);
      if (line.length <= MAX_RECORD_BYTES) return line;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    throw new ReasonixError("session.write_failed", `a message of this size cannot be stored in session ${this.id}`);
  }

  beginTurn(turn: { readonly id: string }): void {
    this.#interrupted = undefined;
    const inFlight = { id: turn.id, startMessageIndex: this.messages.length, startedAt: this.#ports.now() };
    this.#meta = { ...this.#meta, inFlight };
    this.#saveMeta();
  }

  endTurn(): void {
    const { inFlight: _, ...rest } = this.#meta;
    this.#meta = rest;
    this.#saveMeta();
  }

  get importedFrom(): string | undefined {
    return this.#meta.importedFrom;
  }

  /** Remembers that what `source` holds is here now, or in a session beside. */
  markImported(source: string): void {
    this.#meta = { ...this.#meta, importedFrom: source };
    this.#saveMeta();
  }

  async sync(): Promise<void> {
    await this.#file?.sync();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#file?.sync();
    } finally {
      if (this.#metaStale) this.#saveMeta();
      this.#file?.close();
    }
  }

  /** A meta file that cannot be written stops nothing: all it tells can be told by the transcript. */
  #saveMeta(): void {
    if (this.#file === undefined) return;
    this.#meta = {
      ...this.#meta,
      updatedAt: this.#ports.now(),
      turns: this.#log.turns,
      preview: this.#log.preview,
      bytes: this.#file.size,
    };
    try {
      saveMeta(this.#path, this.#meta);
      this.#metaStale = false;
    } catch {
      this.#metaStale = true;
    }
  }

  #branch(from: TranscriptFile, reason: Intrusion): void {
    const parent = this.#meta;
    const id = newSessionId(this.#ports.now());
    const path = transcriptPath(dirname(this.#path), id);
    const branch = writeBranch(path, { log: this.#log, holder: this.#ports.holder });
    this.#log.relocate(branch.spans);
    try {
      copyProjection(this.#path, path);
    } catch {
      // It is made anew when it is missed.
    }
    from.close();
    this.#file = branch.file;
    this.#path = path;
    this.#meta = {
      ...parent,
      id,
      parentId: parent.id,
      recovered: true,
      recoveryReason: reason,
      recoveryDepth: (parent.recoveryDepth ?? 0) + 1,
      recoveryRootId: parent.recoveryRootId ?? parent.id,
    };
    this.#saveMeta();
    const lost = branch.lost === 0 ? "" : ` Long texts of ${branch.lost} of its messages were lost with that file.`;
    this.#ports.notify(
      `session ${parent.id} was ${reason} by another program; the conversation goes on in ${id} ` +
        `and the other file is left as it is.${lost}`,
    );
  }
}
