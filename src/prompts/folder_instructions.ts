/**
 * Instructions of the folders below the workspace's root. The model is told of a folder's own when a call first reaches
 * into it: at the end of that call's result, or, where the call would write there, in its place, so that nothing is
 * written before they were read. Once in a conversation, and again after a fold, which may have lost them. No request
 * that was sent before is touched.
 */
import type { Gate } from "../contract/decision.ts";
import type { Message } from "../contract/message.ts";
import type { LoopObserver } from "../contract/observer.ts";
import { isFolder, realOf } from "../lib/at_path.ts";
import { ownBlock } from "../lib/own_block.ts";
import { dirname, isInside, join } from "../lib/path.ts";
import { type Instruction, type InstructionPlaces, loadInstructions, loadInstructionsIn } from "./instructions.ts";

export interface FolderInstructionPorts {
  readonly places: InstructionPlaces;
  /** The conversation so far: what it was told before is not told again. */
  messages(): readonly Message[];
  /** About what was told, refused or cut; one line. */
  notice(text: string): void;
}

export interface FolderInstructions {
  readonly observer: LoopObserver;
  /** A writer into a folder with unread instructions gets them instead of a question. */
  before(gate: Gate): Gate;
  /** What was told so far. */
  readonly documents: readonly Instruction[];
}

const TAG = "folder-instructions";
/** Arguments of tools that name a file or a folder. */
const PATHS = ["path", "source_path", "destination_path"];
/** Folders whose files are other people's. */
const FOREIGN = new Set(["node_modules", ".git"]);
const DEEPEST = 32;
/** Told with one call, but for the last folder that begins below it. */
const MOST_CHARACTERS = 32 * 1024;

export function createFolderInstructions({ places, messages, notice }: FolderInstructionPorts): FolderInstructions {
  const { root } = places;
  const documents: Instruction[] = [];
  /** Folders that were looked at, relative to the root. */
  let known: Set<string> | undefined;
  let texts: Set<string> | undefined;

  /** Folders from just below the root down to where a path lies. */
  const foldersTo = (path: string): string[] => {
    const folder = existingFolder(join(root, path));
    if (!isInside(folder, root)) return [];
    const parts = folder.slice(root.length).split("/").filter((part) => part !== "");
    const end = parts.findIndex((part) => FOREIGN.has(part));
    const folders = parts.slice(0, Math.min(end < 0 ? parts.length : end, DEEPEST));
    return folders.map((_, at) => folders.slice(0, at + 1).join("/"));
  };

  const take = (args: Record<string, unknown>): string | undefined => {
    known ??= toldIn(messages());
    const paths = PATHS.flatMap((name) => typeof args[name] === "string" && args[name] !== "" ? [args[name]] : []);
    const folders = [...new Set(paths.flatMap(foldersTo))].filter((folder) => !known!.has(folder));
    const told: { readonly folder: string; readonly fresh: readonly Instruction[]; readonly body: string }[] = [];
    let room = MOST_CHARACTERS;
    // The deepest outrank the others. What finds no room is told with the next call that leads there.
    for (const folder of folders.toReversed()) {
      if (room <= 0) break;
      known.add(folder);
      const found = loadInstructionsIn(folder, places);
      found.notes.forEach(notice);
      texts ??= new Set(loadInstructions(places).documents.map(({ text }) => text.trim()));
      const fresh = found.documents.filter(({ text }) => !texts!.has(text.trim()));
      if (fresh.length === 0) continue;
      const body = fresh.map(({ origin, text }) => `## ${origin}\n\n${text.trim()}`).join("\n\n");
      told.unshift({ folder, fresh, body });
      room -= body.length;
    }
    const blocks = told.map(({ folder, fresh, body }) => {
      documents.push(...fresh.filter(({ path }) => !documents.some((one) => one.path === path)));
      notice(`${fresh.map(({ origin }) => origin.replace(/^workspace\//, "")).join(", ")} told to the model`);
      return ownBlock(TAG, body, { folder });
    });
    return blocks.length === 0 ? undefined : blocks.join("\n\n");
  };

  return {
    documents,
    observer: {
      name: "folder instructions",
      callEnded: ({ args }) => {
        const block = take(args);
        return Promise.resolve(
          block && `Standing instructions hold in this folder, over those of the folders above it:\n\n${block}`,
        );
      },
      foldBegins: () => {
        known = new Set();
        return Promise.resolve(undefined);
      },
    },
    before: (gate) => ({
      get posture() {
        return gate.posture;
      },
      check: async (request, signal) => {
        const block = request.readOnly ? undefined : take(request.args);
        if (block === undefined) return await gate.check(request, signal);
        return {
          allowed: false,
          failure: `not run yet, nothing was changed: this folder has instructions that were not read so far. ` +
            `Read them and send the call again, changed where they ask for it.\n\n${block}`,
          why: { by: "fallback", text: "the folder has instructions that the model had not read" },
        };
      },
    }),
  };
}

/** The folder itself, or the nearest one that holds the path; links resolved. */
function existingFolder(path: string): string {
  for (let at = path;; at = dirname(at)) {
    const real = realOf(at);
    if (real !== undefined && isFolder(real) || at === dirname(at)) return real ?? at;
  }
}

/** Folders of which a conversation was told. */
function toldIn(messages: readonly Message[]): Set<string> {
  const told = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== "tool" || !content?.includes(`<${TAG} `)) continue;
    for (const [, folder] of content.matchAll(/^<folder-instructions folder="([^"\n]*)">$/gm)) told.add(folder!);
  }
  return told;
}
