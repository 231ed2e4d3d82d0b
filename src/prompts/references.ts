/**
 * `@` references in what a person typed: files and folders of the workspace and resources of MCP servers, put before
 * the message as tagged blocks. What does not exist stays text, so mentions and e-mail addresses are never touched.
 * Reading is the person's own act and passes no gate, but the walls of the workspace stand.
 */
import type { Image } from "../contract/message.ts";
import type { LoopObserver } from "../contract/observer.ts";
import { type DirectoryEntry, FileError, type Files } from "../contract/workspace.ts";
import { errorText } from "../lib/error_text.ts";
import { LARGEST_PICTURE, type PictureFormat, toDataUrl } from "../lib/picture.ts";
import { decodeText } from "../lib/text_encoding.ts";
import { headWithin } from "../lib/bytes.ts";
import { referenceNames } from "../lib/reference_names.ts";
import { isAbsolute, isInside, join } from "../lib/path.ts";
import { ownBlock } from "../lib/own_block.ts";
import { showPath } from "../lib/shown_path.ts";

export interface ReferencePorts {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly files: Files;
  /** The model looks at pictures. */
  readonly vision?: boolean;
  /** A resource of a connected server; undefined where no such server is connected. */
  readResource?(server: string, uri: string, signal: AbortSignal): Promise<string> | undefined;
  /** A reference that could not be read; the turn goes on. */
  notice(text: string): void;
}

/** Bytes of one file, and of all blocks of a message. */
const FILE_LIMIT = 48 * 1024;
const TOTAL_LIMIT = 192 * 1024;
const MOST_PICTURES = 20;
const DIRECTORY_ENTRIES = 100;
const DIRECTORY_DEPTH = 16;
const SKIPPED = new Set([".git", "node_modules"]);

export function createReferenceObserver(ports: ReferencePorts): LoopObserver {
  return {
    name: "references",
    turnBegins: async ({ text }, signal) => {
      const { block, images } = await resolveReferences(text, ports, signal);
      if (block === undefined) return undefined;
      return { before: [block], ...(images.length === 0 ? {} : { images }) };
    },
  };
}

interface ResolvedReferences {
  /** All references of a text; undefined when there are none. */
  readonly block: string | undefined;
  /** In the order they are named in the block. */
  readonly images: readonly Image[];
}

async function resolveReferences(
  text: string,
  ports: ReferencePorts,
  signal: AbortSignal,
): Promise<ResolvedReferences> {
  const blocks: string[] = [];
  const images: Image[] = [];
  let room = TOTAL_LIMIT;
  for (const name of referenceNames(text)) {
    const found = await resolve(name, ports, signal);
    if (found === undefined) continue;
    const { block, image } = typeof found === "string" ? { block: found } : found;
    if (image && images.length >= MOST_PICTURES) {
      ports.notice(`@${name} was left out: one message may hold ${MOST_PICTURES} pictures`);
      continue;
    }
    if (block.length > room) {
      ports.notice(`@${name} was left out: the references of one message may hold ${TOTAL_LIMIT / 1024} KiB together`);
      continue;
    }
    room -= block.length;
    blocks.push(block);
    if (image) images.push(image);
  }
  return { block: blocks.length === 0 ? undefined : ["Referenced context:", ...blocks].join("\n\n"), images };
}

/** A block alone, or one that stands for a picture. */
type Found = string | { readonly block: string; readonly image: Image };

async function resolve(name: string, ports: ReferencePorts, signal: AbortSignal): Promise<Found | undefined> {
  const [, server, uri] = /^([\w.-]+):(.+)$/.exec(name) ?? [];
  const resource = server === undefined ? undefined : ports.readResource?.(server, uri!, signal);
  if (resource !== undefined) {
    try {
      return ownBlock("resource", headWithin(await resource, FILE_LIMIT), { ref: name });
    } catch (error) {
      ports.notice(`@${name} could not be read: ${errorText(error)}`);
      return undefined;
    }
  }
  // Punctuation behind a name belongs to the sentence, unless a file is really called that.
  for (const path of new Set([name, name.replace(/[.,;:!?)\]}]+$/, "")])) {
    const block = path === "" ? undefined : await readPath(path, ports);
    if (block !== undefined) return block === "refused" ? undefined : block;
  }
  return undefined;
}

async function readPath(path: string, ports: ReferencePorts): Promise<Found | undefined> {
  const { files, root } = ports;
  try {
    const stat = await files.stat(path);
    if (stat === undefined) return undefined;
    // A link of the repository does not lead the person's reading out of it unseen.
    const real = await files.real(path);
    if (!isAbsolute(path) && !path.startsWith("..") && !isInside(real, root)) {
      ports.notice(`@${path} leads out of the workspace, to ${real}; name that path itself if it is meant`);
      return "refused";
    }
    if (stat.kind === "directory") return await listing(path, files);
    if (stat.kind === "other") {
      ports.notice(`@${path} is not a regular file and was not read`);
      return "refused";
    }
    return await fileBlock(path, stat.size, ports);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (error.failure === "bad_path" || error.failure === "not_found") return undefined;
    ports.notice(`@${path} could not be read: ${error.message}`);
    return "refused";
  }
}

async function fileBlock(path: string, size: number, ports: ReferencePorts): Promise<Found> {
  const { files } = ports;
  const block = (text: string) => ownBlock("file", text, { path });
  const bytes = size > FILE_LIMIT
    ? wholeLines(await files.readHead(path, FILE_LIMIT))
    : (await files.read(path, { shown: true })).bytes;
  const decoded = await decodeText(bytes);
  if (decoded.kind === "image") return await picture(path, { size, format: decoded.format }, ports);
  if (decoded.kind !== "text") return block(`(binary file, ${size} bytes, not shown)`);
  const note = size > FILE_LIMIT ? `\n(the first ${bytes.length} of ${size} bytes; read_file shows the rest)` : "";
  return block(`${decoded.text.trimEnd()}${note}`);
}

async function picture(
  path: string,
  { size, format }: { readonly size: number; readonly format: PictureFormat },
  ports: ReferencePorts,
): Promise<Found> {
  const block = (what: string) => ownBlock("image", `(${format} image, ${size} bytes, ${what})`, { path });
  if (!ports.vision) return block("not shown: this model does not see images");
  if (size > LARGEST_PICTURE) return block(`not shown: larger than ${LARGEST_PICTURE} bytes`);
  const { bytes } = await ports.files.read(path);
  return { block: block("shown with this message"), image: { url: toDataUrl(bytes, format) } };
}

/** A cut at a line end never splits a character. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(10);
  return end > 0 ? bytes.subarray(0, end) : bytes;
}

async function listing(path: string, files: Files): Promise<string> {
  const lines: string[] = [];
  let more = false;
  const visit = async (folder: string, shown: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(folder, files)) {
      if (lines.length >= DIRECTORY_ENTRIES) {
        more = true;
        return;
      }
      if (SKIPPED.has(entry.name)) continue;
      const name = shown === "" ? entry.name : `${shown}/${entry.name}`;
      lines.push(showPath(entry.kind === "directory" ? `${name}/` : name));
      if (entry.kind === "directory" && depth < DIRECTORY_DEPTH) await visit(join(folder, entry.name), name, depth + 1);
    }
  };
  await visit(path, "", 1);
  if (more) lines.push(`(more; only ${DIRECTORY_ENTRIES} entries are shown)`);
  return ownBlock("dir", lines.join("\n") || "(empty)", { path });
}

async function entriesOf(folder: string, files: Files): Promise<readonly DirectoryEntry[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
