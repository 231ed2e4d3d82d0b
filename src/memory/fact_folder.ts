/**
 * One store on the disk: a file for each fact, the index, `.archive/` and `.revisions/<id>/`. Only plain files count: a
 * link is neither read nor followed nor written through. Whoever changes something holds the lock of the store, which
 * other programs honour too.
 */
import { toBytes, toText } from "../lib/bytes.ts";
import { replaceFile } from "../lib/atomic_file.ts";
import { errorText } from "../lib/error_text.ts";
import { withFileLock } from "../lib/file_lock.ts";
import { ToolError } from "../contract/errors.ts";
import type { Fact, FactScope } from "./fact.ts";
import { parseFact, toFactText } from "./fact_file.ts";
import { isFactName } from "./fact_name.ts";
import { INDEX_NAME, updateIndex } from "./index_file.ts";

/** A larger file is no fact. Bytes. */
const LARGEST = 256 * 1024;
const LARGEST_INDEX = 16 * 1024 * 1024;
const LOCK_MS = 5_000;

export interface FolderContent {
  readonly facts: readonly Fact[];
  /** Files that are no facts, one line each. */
  readonly problems: readonly string[];
}

interface Known {
  readonly stamp: string;
  readonly fact: Fact | undefined;
}

export class FactFolder {
  readonly scope: FactScope;
  readonly path: string;
  #known = new Map<string, Known>();

  constructor(scope: FactScope, path: string) {
    this.scope = scope;
    this.path = path;
  }

  /** Everything that is active, by name. Files are read again when they have changed. */
  async read(): Promise<FolderContent> {
    const problems: string[] = [];
    const known = new Map<string, Known>();
    let files: string[] = [];
    try {
      files = namesIn(this.path).sort();
    } catch (error) {
      problems.push(`${this.path} cannot be read: ${errorText(error)}`);
    }
    for (const file of files) {
      const name = file.endsWith(".md") ? file.slice(0, -3) : "";
      if (!isFactName(name)) continue;
      const found = lookAt(`${this.path}/${file}`);
      const where = `${this.scope}/${file}`;
      if (found.kind !== "file") {
        if (found.kind === "odd") problems.push(`${where} is ${found.what}`);
        continue;
      }
      const { info } = found;
      const stamp = `${info.size} ${info.mtime?.getTime()} ${info.ino}`;
      const earlier = this.#known.get(name);
      const entry = earlier?.stamp === stamp ? earlier : { stamp, fact: await this.#parse(name, info) };
      known.set(name, entry);
      if (entry.fact === undefined) {
        problems.push(`${where} says nothing: it has neither description nor text, or cannot be read`);
      }
    }
    this.#known = known;
    return { facts: withOwnIds([...known.values()].flatMap(({ fact }) => fact ?? []), problems), problems };
  }

  /** Runs `work` while nobody else changes this store. The folder is made. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    await makeFolder(this.path);
    return await withFileLock(`${this.path}/${INDEX_NAME}`, work, { timeoutMs: LOCK_MS });
  }

  /** The file of a new fact. Refused when there is one of that name, in whatever form. Locked. */
  async create(fact: Fact): Promise<void> {
    if (lookAt(this.#fileOf(fact.name)).kind !== "missing") {
      throw new ToolError(`a file ${this.scope}/${fact.name}.md exists already; nothing was overwritten`);
    }
    await this.#write(fact);
  }

  /** Puts a later revision in the place of the one that is there, which is kept as a snapshot. Locked. */
  async replace(before: Fact, after: Fact): Promise<void> {
    const path = this.#fileOf(before.name);
    await this.snapshot(before, readPlain(path));
    await this.#write(after);
  }

  /** Takes the fact's file out of the store, whole. Answers where it lies now, below the store. Locked. */
  async archive(fact: Fact, now: number): Promise<string> {
    const path = this.#fileOf(fact.name);
    readPlain(path);
    const folder = `${this.path}/.archive`;
    await makeFolder(folder);
    const time = new Date(now).toISOString().replace(/[-:]/g, "").replace("T", "-").replace("Z", "");
    for (let copy = 0;; copy++) {
      const file = `${time}-${fact.name}${copy === 0 ? "" : `-${copy}`}.md`;
      if (lookAt(`${folder}/${file}`).kind !== "missing") continue;
      await Deno.rename(path, `${folder}/${file}`);
      return `.archive/${file}`;
    }
  }

  /** File names, newest first. */
  archived(): string[] {
    const folder = `${this.path}/.archive`;
    if (lookAt(folder).kind !== "folder") return [];
    return namesIn(folder).filter((name) => /^\d{8}-\d{6}\.\d{3}-.+\.md$/.test(name)).sort().reverse();
  }

  /** The archived fact, as active facts are read. Refuses whatever is not a plain file of the archive. */
  async readArchived(file: string): Promise<{ readonly fact: Fact; readonly text: string }> {
    const folder = `${this.path}/.archive`;
    const name = /^\d{8}-\d{6}\.\d{3}-(.+)\.md$/.exec(file)?.[1];
    if (name === undefined || !isFactName(file) || lookAt(folder).kind !== "folder") {
      throw new ToolError(`${file} names no file of the archive`);
    }
    const text = readPlain(`${folder}/${file}`);
    const modifiedMs = Deno.lstatSync(`${folder}/${file}`).mtime?.getTime() ?? 0;
    const own = /^name:[ \t]*(.+)$/m.exec(text)?.[1]?.trim().replace(/^"(.*)"$/, "$1");
    const fact = await parseFact({ scope: this.scope, name: own && isFactName(own) ? own : name, text, modifiedMs });
    if (fact === undefined) throw new ToolError(`${file} holds no fact`);
    return { fact, text };
  }

  /** Kept for good under its revision; the same content is kept once. Locked. */
  async snapshot({ id, revision }: Fact, text: string): Promise<void> {
    const path = await this.#revisionFile(id, revision);
    if (lookAt(path).kind === "missing") await replaceFile(path, toBytes(text), { mode: 0o600 });
  }

  /** Numbers of the snapshots, rising. */
  revisions(id: string): number[] {
    const folder = `${this.path}/.revisions/${id}`;
    if (lookAt(`${this.path}/.revisions`).kind !== "folder" || lookAt(folder).kind !== "folder") return [];
    return namesIn(folder).flatMap((name) => {
      const revision = /^r(\d{1,15})\.md$/.exec(name)?.[1];
      return revision === undefined ? [] : [Number(revision)];
    }).sort((a, b) => a - b);
  }

  async readRevision(fact: Fact, revision: number): Promise<{ readonly fact: Fact; readonly text: string }> {
    const path = `${this.path}/.revisions/${fact.id}/r${revision}.md`;
    if (!this.revisions(fact.id).includes(revision)) {
      throw new ToolError(`${fact.id} has no snapshot of revision ${revision}`);
    }
    const text = readPlain(path);
    const found = await parseFact({ scope: this.scope, name: fact.name, text, modifiedMs: 0 });
    if (found === undefined) throw new ToolError(`the snapshot of revision ${revision} holds no fact`);
    return { fact: found, text };
  }

  /** Text of the fact's file now. */
  textOf(fact: Fact): string {
    return readPlain(this.#fileOf(fact.name));
  }

  /** Brings the index in line with the files; one that is no plain file is left alone. Locked. */
  async writeIndex(): Promise<void> {
    const path = `${this.path}/${INDEX_NAME}`;
    const found = lookAt(path, LARGEST_INDEX);
    if (found.kind !== "file" && found.kind !== "missing") return;
    const text = found.kind === "file" ? toText(Deno.readFileSync(path)) : "";
    const updated = updateIndex(text, (await this.read()).facts);
    if (updated !== text) await replaceFile(path, toBytes(updated), { mode: 0o600 });
  }

  async #write(fact: Fact): Promise<void> {
    await replaceFile(this.#fileOf(fact.name), toBytes(toFactText(fact)), { mode: 0o600 });
  }

  #fileOf(name: string): string {
    if (!isFactName(name)) throw new ToolError(`${name} cannot be the name of a fact`);
    return `${this.path}/${name}.md`;
  }

  async #revisionFile(id: string, revision: number): Promise<string> {
    await makeFolder(`${this.path}/.revisions`);
    await makeFolder(`${this.path}/.revisions/${id}`);
    return `${this.path}/.revisions/${id}/r${revision}.md`;
  }

  async #parse(name: string, info: Deno.FileInfo): Promise<Fact | undefined> {
    try {
      const text = readPlain(`${this.path}/${name}.md`);
      return await parseFact({ scope: this.scope, name, text, modifiedMs: info.mtime?.getTime() ?? 0 });
    } catch {
      // Gone since it was listed, or not for us to read.
      return undefined;
    }
  }
}

/** Two files with one id are a copy somebody made: the one later by name gets an id of its own, always the same. */
function withOwnIds(facts: readonly Fact[], problems: string[]): Fact[] {
  const owners = new Map<string, string>();
  return facts.map((fact) => {
    const owner = owners.get(fact.id);
    owners.set(fact.id, owner ?? fact.name);
    if (owner === undefined) return fact;
    problems.push(`${fact.scope}/${fact.name}.md has the id of ${fact.scope}/${owner}.md`);
    return { ...fact, id: `copy-${fact.name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 60)}-${fact.id}`.slice(0, 100) };
  });
}

type Look =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly info: Deno.FileInfo }
  | { readonly kind: "folder" }
  | { readonly kind: "odd"; readonly what: string };

function lookAt(path: string, largest = LARGEST): Look {
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "missing" };
    return { kind: "odd", what: errorText(error) };
  }
  if (info.isSymlink) return { kind: "odd", what: "a link, which is not followed" };
  if (info.isDirectory) return { kind: "folder" };
  if (!info.isFile) return { kind: "odd", what: "no plain file" };
  if (info.size > largest) return { kind: "odd", what: `larger than ${largest / 1024} KiB` };
  return { kind: "file", info };
}

function readPlain(path: string): string {
  const found = lookAt(path);
  if (found.kind === "file") return toText(Deno.readFileSync(path));
  throw new ToolError(
    `${path} is ${found.kind === "odd" ? found.what : found.kind === "folder" ? "a folder" : "gone"}`,
  );
}

function namesIn(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** For this person alone. The last part of the path may not be a link. */
async function makeFolder(path: string): Promise<void> {
  const found = lookAt(path);
  if (found.kind === "missing") await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  else if (found.kind !== "folder") throw new ToolError(`${path} is no folder`);
}
