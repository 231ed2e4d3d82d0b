/**
 * The words of past conversations in SQLite FTS5: a cache beside the transcripts, which can be deleted at any time. It
 * follows files that grow by reading what was added, and reads others anew. Texts are split by `toTerms`, as facts are.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { sameBytes } from "../../lib/bytes.ts";
import { toTerms } from "../../lib/search_terms.ts";
import { parseRecord } from "../record.ts";
import { scanLines } from "../scan.ts";
import { isPlainFile, openSideFile } from "../side_file.ts";
import { exists, removeQuietly } from "../state_file.ts";
import { readSpan } from "../transcript_file.ts";
import { type Kind, KINDS, searchableOf } from "./entries.ts";

const VERSION = 1;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS session (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, inode INTEGER NOT NULL, size INTEGER NOT NULL,
    modified INTEGER NOT NULL, done INTEGER NOT NULL, messages INTEGER NOT NULL, seam BLOB NOT NULL
  );
  CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, message INTEGER NOT NULL, part INTEGER NOT NULL,
    offset INTEGER NOT NULL, bytes INTEGER NOT NULL, kind INTEGER NOT NULL, tool TEXT, terms INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS entry_of_session ON entry (session, message);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    terms, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 tokenchars '_'"
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS known USING fts5vocab(words, 'row');
  PRAGMA user_version = ${VERSION};
`;

/** Where an entry stands. */
export interface Place {
  readonly path: string;
  /** Number of the message in its file, from 0. */
  readonly message: number;
  /** Number of the entry within its message. */
  readonly part: number;
  readonly offset: number;
  readonly bytes: number;
  readonly kind: Kind;
  readonly tool: string | undefined;
  /** How many terms the entry has. */
  readonly terms: number;
}

export interface Statistics {
  readonly entries: number;
  readonly averageTerms: number;
  /** Of a term: how many entries have it. */
  readonly having: ReadonlyMap<string, number>;
}

export interface Filter {
  readonly paths: readonly string[];
  readonly kinds: readonly Kind[];
  readonly tool?: string;
  readonly limit: number;
}

/** Bytes before the place where reading goes on: other ones there mean another file. */
const SEAM = 64;
/** Entries ranked for one query at most, as long as rarer words suffice. */
const RANKED = 10_000;
const BUSY_MS = 1_000;
const BATCH = 500;

/** `path` of the cache; its folder exists. A cache that is damaged or of another version is made anew. */
export async function openHistoryIndex(path: string): Promise<HistoryIndex> {
  const { DatabaseSync } = await import("node:sqlite");
  for (const place of [path, path, ":memory:"]) {
    let database: DatabaseSync | undefined;
    try {
      if (place !== ":memory:") makePlain(place);
      database = new DatabaseSync(place);
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`);
      const version = database.prepare("PRAGMA user_version").get()?.user_version;
      if (version === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
      else if (version !== VERSION) throw new Error(`version ${version}`);
      database.prepare("SELECT count(*) FROM session").get();
      return new HistoryIndex(database);
    } catch (error) {
      database?.close();
      // One that is being made by another program is left alone; a damaged or older one is of no use to anybody.
      const isUseless = place !== ":memory:" && !isLocked(error);
      for (const end of isUseless ? ["", "-wal", "-shm"] : []) removeQuietly(place + end);
    }
  }
  throw new Error("SQLite cannot be used");
}

/** SQLite follows links: it would write wherever one leads. */
function makePlain(path: string): void {
  openSideFile(path, { append: true }).file.close();
  for (const end of ["-wal", "-shm"]) if (!isPlainFile(path + end)) removeQuietly(path + end);
}

export class HistoryIndex {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Until something is added. */
  #size: { readonly entries: number; readonly total: number; readonly last: number } | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** Lets go of files that are no longer there. */
  forgetMissing(): void {
    const gone = (this.#run("SELECT id, path FROM session").all() as unknown as readonly Session[])
      .filter(({ path }) => !exists(path));
    if (gone.length === 0) return;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
    } catch {
      return;
    }
    this.#size = undefined;
    for (const { id } of gone) this.#drop(id);
    this.#database.exec("COMMIT");
  }

  /** Takes in what is new in these files. False when another program is writing: then what is there must do. */
  async follow(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
    for (const path of paths) {
      signal.throwIfAborted();
      let info: Deno.FileInfo;
      try {
        info = Deno.lstatSync(path);
      } catch {
        continue;
      }
      const inode = info.ino ?? 0;
      const modified = info.mtime?.getTime() ?? 0;
      const known = this.#run("SELECT * FROM session WHERE path = ?").get(path) as Session | undefined;
      if (known && known.size === info.size && known.modified === modified && known.inode === inode) continue;
      if (!info.isFile || !await this.#read(path, { inode, modified, size: info.size, known }, signal)) return false;
    }
    return true;
  }

  /** Rarest words first: of words that nearly everything has none is needed to rank. */
  statistics(terms: readonly string[]): Statistics {
    const { entries, total } = this.#measure();
    const having = new Map<string, number>();
    const count = this.#run("SELECT doc FROM known WHERE term = ?");
    for (const term of terms) having.set(term, Number(count.get(term)?.doc ?? 0));
    return { entries, averageTerms: entries === 0 ? 1 : Math.max(1, total / entries), having };
  }

  /** The entries that fit best, in no reliable order: scores are the caller's. */
  candidates(terms: readonly string[], statistics: Statistics, filter: Filter): readonly Place[] {
    const known = terms.filter((term) => (statistics.having.get(term) ?? 0) > 0)
      .sort((a, b) => statistics.having.get(a)! - statistics.having.get(b)!);
    let ranked = 0;
    const asked = known.filter((term, at) => {
      ranked += statistics.having.get(term)!;
      return at === 0 || ranked <= RANKED;
    });
    if (asked.length === 0 || filter.paths.length === 0) return [];
    // Of a word that is nearly everywhere the latest are as good as any.
    const rarest = statistics.having.get(asked[0]!)!;
    const from = rarest > RANKED ? Math.floor(this.#measure().last * (1 - RANKED / rarest)) : 0;
    const match = asked.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ");
    const rows = this.#run(`
      SELECT session.path, entry.message, entry.part, entry.offset, entry.bytes, entry.kind, entry.tool, entry.terms
      FROM words JOIN entry ON entry.id = words.rowid JOIN session ON session.id = entry.session
      WHERE words MATCH ? AND words.rowid > ?
        AND entry.kind IN (SELECT value FROM json_each(?))
        AND session.path IN (SELECT value FROM json_each(?))
        AND (? IS NULL OR entry.tool = ?)
      ORDER BY bm25(words) LIMIT ?`).all(
      match,
      from,
      JSON.stringify(filter.kinds.map((kind) => KINDS.indexOf(kind))),
      JSON.stringify(filter.paths),
      filter.tool ?? null,
      filter.tool ?? null,
      filter.limit,
    );
    return rows.map((row) =>
      ({ ...row, kind: KINDS[Number(row.kind)], tool: row.tool ?? undefined }) as unknown as Place
    );
  }

  /** The last entry at or before a message: where to begin to read. Undefined: at the start of the file. */
  before(path: string, message: number): { readonly message: number; readonly offset: number } | undefined {
    return this.#run(`
      SELECT message, offset FROM entry JOIN session ON session.id = entry.session
      WHERE session.path = ? AND message <= ? ORDER BY message DESC LIMIT 1`).get(path, message) as
      | { message: number; offset: number }
      | undefined;
  }

  #measure() {
    return this.#size ??= this.#run(
      "SELECT count(*) AS entries, coalesce(sum(terms), 0) AS total, coalesce(max(id), 0) AS last FROM entry",
    ).get() as { entries: number; total: number; last: number };
  }

  async #read(path: string, now: FileState, signal: AbortSignal): Promise<boolean> {
    using file = Deno.openSync(path, { read: true });
    const { known } = now;
    const goesOn = known !== undefined && known.inode === now.inode && now.size >= known.done &&
      sameBytes(known.seam, seamAt(file, known.done));
    try {
      this.#database.exec("BEGIN IMMEDIATE");
    } catch {
      return false;
    }
    this.#size = undefined;
    try {
      if (known && !goesOn) this.#drop(known.id);
      const id = goesOn ? known.id : Number(
        this.#run(
          "INSERT INTO session (path, inode, size, modified, done, messages, seam) VALUES (?, 0, 0, 0, 0, 0, x'')",
        )
          .run(path).lastInsertRowid,
      );
      let done = goesOn ? known.done : 0;
      let messages = goesOn ? known.messages : 0;
      let batch = 0;
      await scanLines(file, ({ offset, length, bytes, ended }) => {
        // What has no line end is being written.
        if (!ended) return;
        if (++batch % BATCH === 0) signal.throwIfAborted();
        const record = bytes === undefined ? undefined : parseRecord(bytes);
        if (record?.kind === "message") {
          this.#add(id, messages++, { offset, bytes: length, entries: searchableOf(record.message) });
        }
        done = offset + length + 1;
      }, done);
      this.#run("UPDATE session SET inode = ?, size = ?, modified = ?, done = ?, messages = ?, seam = ? WHERE id = ?")
        .run(now.inode, now.size, now.modified, done, messages, seamAt(file, done), id);
      this.#database.exec("COMMIT");
      return true;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #add(
    session: number,
    message: number,
    { offset, bytes, entries }: {
      readonly offset: number;
      readonly bytes: number;
      readonly entries: ReturnType<typeof searchableOf>;
    },
  ): void {
    const addEntry = this.#run(
      "INSERT INTO entry (session, message, part, offset, bytes, kind, tool, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    const addWords = this.#run("INSERT INTO words (rowid, terms) VALUES (?, ?)");
    for (const [part, { kind, text, tool }] of entries.entries()) {
      const terms = toTerms(text);
      if (terms.length === 0) continue;
      const { lastInsertRowid } = addEntry.run(
        session,
        message,
        part,
        offset,
        bytes,
        KINDS.indexOf(kind),
        tool ?? null,
        terms.length,
      );
      addWords.run(lastInsertRowid, terms.join(" "));
    }
  }

  #drop(session: number): void {
    this.#run("DELETE FROM words WHERE rowid IN (SELECT id FROM entry WHERE session = ?)").run(session);
    this.#run("DELETE FROM entry WHERE session = ?").run(session);
    this.#run("DELETE FROM session WHERE id = ?").run(session);
  }

  #run(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }
}

interface Session {
  readonly id: number;
  readonly path: string;
  readonly inode: number;
  readonly size: number;
  readonly modified: number;
  /** Bytes taken in: whole lines. */
  readonly done: number;
  readonly messages: number;
  readonly seam: Uint8Array;
}

interface FileState {
  readonly inode: number;
  readonly modified: number;
  readonly size: number;
  readonly known: Session | undefined;
}

function seamAt(file: Deno.FsFile, done: number): Uint8Array<ArrayBuffer> {
  const length = Math.min(SEAM, done);
  return readSpan(file, { offset: done - length, length });
}

/** True for an error of the database itself. */
export function isOfDatabase(error: unknown): boolean {
  return typeof (error as { errcode?: unknown } | null)?.errcode === "number";
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
function isLocked(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" && ((code & 0xff) === 5 || (code & 0xff) === 6);
}
