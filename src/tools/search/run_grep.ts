/**
 * The search behind `grep`, line by line. RE2 decides every match, so that no pattern can hang a search and the answers
 * do not depend on the machine; `rg`, where it is found, only narrows down a large tree.
 */
import { ToolError } from "../../contract/errors.ts";
import type { ToolContext, ToolOutput, ToolPorts } from "../../contract/tool.ts";
import { FileError, type Files } from "../../contract/workspace.ts";
import { append } from "../../lib/append.ts";
import { inOrder } from "../../lib/in_order.ts";
import { showPath } from "../../lib/shown_path.ts";
import { relativeTo } from "../../lib/path.ts";
import { decodeText } from "../../lib/text_encoding.ts";
import { candidatePatterns } from "./candidate_pattern.ts";
import { findPath } from "../find_path.ts";
import { type LinePattern, linePattern } from "../line_pattern.ts";
import { matchingLines } from "./line_search.ts";
import { leftOutLines, type Limit, timeLimit, unnameableLines } from "./reply.ts";
import { type SieveBatch, sift } from "./rg.ts";
import { emptyReport, type FoundFile, type FoundFolder, walkFolders, type WalkReport } from "./walk.ts";
import { PatternError, Wildcard } from "./wildcard.ts";

const MATCH_LIMIT = 200;
/** Of a larger file the start is searched. Bytes. */
const FILE_LIMIT = 64 << 20;
/** Files read ahead of the one being searched, unless they are larger than this. Bytes. */
const READS_AHEAD = 16;
const READ_AHEAD_LIMIT = 1 << 20;
/** The first files of a tree are searched at once, without `rg`: a small tree has no others. */
const FIRST_FILES = 256;
/** Then `rg` gets so many at a time, or so many characters of arguments. */
const BATCH_FILES = 16_384;
const BATCH_CHARACTERS = 24_000;
/** Or what was found so far, where a disk is slow. Milliseconds. */
const BATCH_TIME = 150;

export async function runGrep(
  ports: ToolPorts,
  args: Record<string, unknown>,
  { signal }: ToolContext,
): Promise<ToolOutput> {
  const { files } = ports.workspace;
  const source = args.pattern as string;
  const pattern = await linePattern(source);
  const path = await findPath(files, (args.path as string | undefined) ?? ".");
  const chosen = parseFilter(args.glob as string | undefined, path, ports.workspace.root);
  const limit = timeLimit((args.timeout_seconds as number | undefined) ?? 30, signal);
  const stat = await files.stat(path);
  if (stat === undefined) throw new ToolError(`${showPath(path)} does not exist`);
  const search = new Search(ports, { source, pattern, limit });
  if (stat.kind === "directory") await search.tree(path, chosen);
  else await search.file(path);
  signal.throwIfAborted();
  return { text: search.reply() };
}

/** Which files of the tree below `path` does `glob` mean? */
function parseFilter(glob: string | undefined, path: string, root: string): (names: readonly string[]) => boolean {
  if (glob === undefined) return () => true;
  if (glob.startsWith("!")) throw new ToolError(`glob "${glob}": a leading "!" is not supported; name what to search`);
  const plain = glob.replace(/^(?:\.?\/)+/, "");
  try {
    const wildcard = new Wildcard(plain.includes("/") ? plain : `**/${plain}`, { dialect: "path" });
    const above = relativeTo(path, root).split("/").filter((name) => name !== "." && name !== "");
    const within = path.startsWith("/") && !relativeTo(path, root).startsWith("/");
    // Seen from the folder that is searched or from the workspace: both are natural, and files are few.
    return (names) =>
      wildcard.matchesNames(names) || (within && above.length > 0 && wildcard.matchesNames([...above, ...names]));
  } catch (error) {
    if (error instanceof PatternError) throw new ToolError(`syntax error in glob "${glob}": ${error.message}`);
    throw error;
  }
}

interface Asked {
  readonly source: string;
  readonly pattern: LinePattern;
  readonly limit: Limit;
}

class Search {
  readonly #ports: ToolPorts;
  readonly #files: Files;
  readonly #asked: Asked;
  readonly #lines: string[] = [];
  readonly #walked: WalkReport = emptyReport();
  readonly #unreadable: string[] = [];
  readonly #cut: string[] = [];
  #onlyIgnored = false;
  #notText: string | undefined;
  #yielded = performance.now();

  constructor(ports: ToolPorts, asked: Asked) {
    this.#ports = ports;
    this.#files = ports.workspace.files;
    this.#asked = asked;
  }

  get #full(): boolean {
    return this.#lines.length > MATCH_LIMIT;
  }

  /** A file named outright: hidden and ignored ones as well. */
  async file(path: string): Promise<void> {
    const bytes = await this.#bytes(path, FILE_LIMIT);
    const isText = bytes !== undefined && await this.#searchBytes(path, bytes);
    if (!isText && this.#unreadable.length === 0) this.#notText = path;
  }

  async tree(folder: string, chosen: (names: readonly string[]) => boolean): Promise<void> {
    await this.#pass(folder, chosen, "skip");
    if (this.#lines.length > 0 || !this.#walked.skippedIgnored || this.#asked.limit.over()) return;
    this.#onlyIgnored = true;
    await this.#pass(folder, chosen, "only");
  }

  async #pass(folder: string, chosen: (names: readonly string[]) => boolean, ignored: "skip" | "only"): Promise<void> {
    const { limit } = this.#asked;
    const stop = () => limit.over() || this.#full;
    const walk = walkFolders(this.#files, { folder, ignored, hidden: false, stop }, this.#walked);
    const sieve = await this.#sieve(folder);
    const candidates = inOrder(batches(walk, chosen), 2, (batch) => sieve(batch));
    for await (const found of candidates) {
      const texts = inOrder(found, READS_AHEAD, async ({ path }) => {
        return stop() ? undefined : { path, bytes: await this.#bytes(path, READ_AHEAD_LIMIT) };
      });
      for await (const read of texts) {
        if (read?.bytes === undefined) continue;
        const { path } = read;
        const bytes = read.bytes.length < READ_AHEAD_LIMIT ? read.bytes : await this.#bytes(path, FILE_LIMIT);
        if (bytes !== undefined) await this.#searchBytes(path, bytes);
        if (stop()) break;
      }
      if (stop()) break;
    }
  }

  /** Narrows a batch down to what may match. */
  async #sieve(folder: string): Promise<(batch: Batch) => Promise<readonly FoundFile[]>> {
    const { settings, workspace: { processes } } = this.#ports;
    const all = (batch: Batch) => Promise.resolve(batch.files);
    if (settings.searchEngine === "native") return all;
    const program = await processes.which(settings.rgPath ?? "rg");
    if (program === undefined) {
      if (settings.searchEngine === "auto") return all;
      throw new ToolError(
        `[tools.search] engine is "rg", but ${settings.rgPath ?? "rg"} was not found outside the workspace`,
      );
    }
    let patterns: readonly string[] | undefined;
    let usable = true;
    return async (batch) => {
      if (batch.first || !usable) return batch.files;
      patterns ??= await this.#candidatePatterns();
      const sifted = patterns.length === 0
        ? undefined
        : await sift(processes, { program, patterns, folder }, batch, this.#asked.limit);
      if (sifted === undefined) usable = false;
      return sifted ?? batch.files;
    };
  }

  async #candidatePatterns(): Promise<readonly string[]> {
    const { RE2JS } = await import("re2js");
    const compiled = new Map<string, { test(text: string): boolean }>();
    return candidatePatterns(this.#asked.source, (text, character) => {
      let one = compiled.get(text);
      if (one === undefined) compiled.set(text, one = RE2JS.compile(text));
      return one.test(character);
    }) ?? [];
  }

  /** Undefined for what cannot be read. */
  async #bytes(path: string, limit: number): Promise<Uint8Array | undefined> {
    try {
      return await this.#files.readHead(path, limit);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // Gone, forbidden or no longer a file: as if it were not there.
      if (error.failure === "denied" || error.failure === "failed") this.#unreadable.push(path);
      return undefined;
    }
  }

  /** False for what is no text. */
  async #searchBytes(path: string, bytes: Uint8Array): Promise<boolean> {
    const decoded = await decodeText(bytes);
    if (decoded.kind !== "text") return false;
    if (bytes.length === FILE_LIMIT) this.#cut.push(path);
    await this.#searchText(path, decoded.text);
    return true;
  }

  async #searchText(path: string, text: string): Promise<void> {
    for (const line of matchingLines(path, text, this.#asked.pattern)) {
      if (line !== undefined) this.#lines.push(line);
      if (this.#full || this.#asked.limit.over()) return;
      if (performance.now() - this.#yielded < 50) continue;
      // A stop can only be heard between two steps.
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#yielded = performance.now();
    }
  }

  reply(): string {
    const { limit, source } = this.#asked;
    const lines = this.#lines.slice(0, MATCH_LIMIT);
    if (lines.length === 0) lines.push("(no matches)");
    else if (this.#onlyIgnored) lines.unshift("(only files that git ignores match)");
    if (this.#full) lines.push(`... (truncated at ${MATCH_LIMIT} matches)`);
    else if (limit.over()) lines.push(`... (stopped after ${limit.seconds} s; the search is not complete)`);
    if (this.#lines.length === 0 && /\n|\\n/.test(source)) lines.push("(a pattern matches within one line)");
    if (this.#notText !== undefined) lines.push(`(${showPath(this.#notText)} is not a text file)`);
    lines.push(
      ...leftOutLines("not readable", [...this.#walked.unreadable, ...this.#unreadable]),
      ...unnameableLines(this.#walked.unnameable),
      ...leftOutLines(`only the first ${FILE_LIMIT >> 20} MiB searched`, this.#cut),
    );
    return lines.join("\n");
  }
}

interface Batch extends SieveBatch {
  readonly first: boolean;
}

async function* batches(
  walk: AsyncIterable<FoundFolder>,
  chosen: (names: readonly string[]) => boolean,
): AsyncGenerator<Batch> {
  let files: FoundFile[] = [];
  let places: string[] = [];
  let characters = 0;
  let first = true;
  let since = performance.now();
  for await (const folder of walk) {
    const meant = folder.files.filter((file) => chosen(file.names));
    if (meant.length === 0) continue;
    append(files, meant);
    const whole = meant.length === folder.files.length || meant.length > 20;
    for (const names of whole ? [folder.names] : meant.map((file) => file.names)) {
      const place = `./${names.join("/")}`;
      places.push(place);
      characters += place.length + 1;
    }
    const full = files.length >= (first ? FIRST_FILES : BATCH_FILES) || characters >= BATCH_CHARACTERS;
    if (!full && performance.now() - since < BATCH_TIME) continue;
    yield { files, places, first };
    since = performance.now();
    [files, places, characters, first] = [[], [], 0, false];
  }
  if (files.length > 0) yield { files, places, first };
}
